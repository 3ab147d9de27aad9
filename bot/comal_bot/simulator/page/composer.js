// The line to write in, and what to write.

import { post } from "./api.js";
import { $, el, put, say } from "./dom.js";
import { chat, me, store } from "./store.js";

const SUGGESTIONS = [
  "show my notes", "delete note 2", "show orders", "refund order 1007",
  "broadcast: shop closes at six",
];
let current = null;

export function startComposer() {
  $("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    send($("composer-text").value, true);
  });
  $("chips").append(...SUGGESTIONS.map((text) => el("button", {
    type: "button", class: "chip", text, onclick: () => send(`${mention()}${text}`, false),
  })));
}

const mention = () => (chat()?.private ? "" : `@${store.state.bot.name} `);

export function drawComposer() {
  const one = chat();
  if (!one) return;
  const place = `${store.person}:${one.key}`;
  if (place === current) return;
  const field = $("composer-text");
  if (field.value === "" || /^@\w+ $/.test(field.value)) field.value = mention();
  current = place;
  put(field, "placeholder", `Write as ${me().name}…`);
  say($("composer-label"), `Write as ${me().name}`);
  note("", "");
}

async function send(text, written) {
  const field = $("composer-text");
  if (text.trim() === "") return note("Write something first.", "error");
  try {
    await post("/api/send", { person: store.person, chat: store.chat, text });
  } catch (error) {
    return note(error.message, "error");
  }
  if (written) field.value = mention();
  const heard = chat().private || text.includes(`@${store.state.bot.name}`);
  note(heard ? "" : `The bot did not see this: begin with @${store.state.bot.name} in a group.`, "");
  $("log").scrollTop = $("log").scrollHeight;
  return undefined;
}

function note(words, kind) {
  $("composer-note").dataset.kind = kind;
  say($("composer-note"), words);
}
