// Talks to the demo with the token of the page's own link.

const tokenIn = (hash) => new URLSearchParams(hash.slice(1)).get("token") ?? "";
export const token = tokenIn(location.hash);

window.addEventListener("hashchange", () => {
  if (!["", token].includes(tokenIn(location.hash))) location.reload(); // the link of a newer run
});

/** The demo does not answer; it may come back. */
export class Gone extends Error {}

/** This address opens nothing, however often it is tried. */
export class Shut extends Error {}

export const NO_TOKEN = "This address has no token. Open the whole link that the terminal printed: "
  + "it ends with #token= and the token.";
const REFUSED = "The token of this link was refused: it is of an earlier run, or not whole. "
  + "Open the link that the terminal printed last.";
const ENDED = "The demo has ended. Start “comal demo” again and open the link it prints.";

async function ask(path, options = {}) {
  if (token === "") throw new Shut(NO_TOKEN);
  const headers = { Authorization: `Bearer ${encodeURIComponent(token)}` };
  if (options.body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, cache: "no-store" });
  } catch {
    throw new Gone(ENDED);
  }
  if (answer.status === 401) throw new Shut(REFUSED);
  if (!answer.headers.get("content-type")?.includes("json")) throw new Error(await answer.text());
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

export const look = (after) => ask(`/api/state?after=${after}`);
export const cheats = () => ask("/api/cheats");
export const post = (path, fields = {}) =>
  ask(path, { method: "POST", body: JSON.stringify(fields) });
