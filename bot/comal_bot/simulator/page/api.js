// Talks to the demo with the token of the page's own link.

const tokenIn = (hash) => new URLSearchParams(hash.slice(1)).get("token") ?? "";
const token = tokenIn(location.hash);

window.addEventListener("hashchange", () => {
  if (!["", token].includes(tokenIn(location.hash))) location.reload(); // the link of a newer run
});

export class Gone extends Error {}

async function ask(path, options = {}) {
  const headers = { Authorization: `Bearer ${token}` };
  if (options.body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, cache: "no-store" });
  } catch {
    throw new Gone("The demo has ended. Start `comal demo` again and open the link it prints.");
  }
  if (answer.status === 401) {
    throw new Gone("This link is of an earlier run. Open the link that the terminal printed last.");
  }
  if (!answer.headers.get("content-type")?.includes("json")) throw new Error(await answer.text());
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

export const look = (after) => ask(`/api/state?after=${after}`);
export const cheats = () => ask("/api/cheats");
export const post = (path, fields = {}) =>
  ask(path, { method: "POST", body: JSON.stringify(fields) });
