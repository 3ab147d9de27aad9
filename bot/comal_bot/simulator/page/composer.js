// The line to write in, a draft for each chat, and what to write.

import { post } from "./api.js";
import { $, el, put, say } from "./dom.js";
import { keep, recall } from "./memory.js";
import { chat, me, place, store } from "./store.js";

const SUGGESTIONS = [
  "show my notes", "delete note 2", "show orders", "refund order 1007",
  "broadcast: shop closes at six", "print labels",
];
const drafts = new Map(recall("drafts", []));
let current = null;

export function startComposer() {
  $("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    send($("composer-text").value, true);
  });
  $("composer-text").addEventListener("input", () => draft(current, $("composer-text").value));
  $("chips").append(...SUGGESTIONS.map((text) => el("button", {
    type: "button", class: "chip", text, onclick: () => send(`${mention()}${text}`, false),
  })));
}

const mention = () => (chat()?.private ? "" : `@${store.state.bot.name} `);

function draft(where, text) {
  if (where === null) return;
  if (text.trim() === "") drafts.delete(where);
  else drafts.set(where, text);
  keep("drafts", [...drafts]);
}

export function drawComposer() {
  const one = chat();
  if (!one) return;
  const here = place(store.person, one);
  if (here === current) return;
  const field = $("composer-text");
  current = here;
  field.value = drafts.get(here) ?? mention();
  put(field, "placeholder", `Write as ${me().name}…`);
  say($("composer-label"), `Write as ${me().name}`);
  note("", "");
}

async function send(text, written) {
  const one = chat();
  if (!one) return undefined;
  const from = current;
  if (text.trim() === "") return note("Write something first.", "error");
  try {
    await post("/api/send", { person: store.person, chat: one.key, text });
  } catch (error) {
    return note(error.message, "error");
  }
  if (written) draft(from, "");
  if (from !== current) return undefined;
  if (written) $("composer-text").value = mention();
  const heard = one.private || text.includes(`@${store.state.bot.name}`);
  note(heard ? "" : `The bot did not see this: begin with @${store.state.bot.name} in a group.`, "");
  $("log").scrollTop = $("log").scrollHeight;
  return undefined;
}

function note(words, kind) {
  $("composer-note").dataset.kind = kind;
  say($("composer-note"), words);
}
