// The middle: one chat, its messages kept in step with the world.

import { post } from "./api.js";
import { $, clock, el, face, say } from "./dom.js";
import { marked } from "./entities.js";
import { announce, complain } from "./toasts.js";
import { chat, faceOf, nameOf, place, store, titleOf } from "./store.js";

const ENDED = /^(✅|🚫|❌|⚠|⌛|⏳|↪)/mu;
const WAITS = /^Waiting for an approver$/m;
const LONGEST = 60; // characters of an argument that a button's name tells

const shown = new Map(); // message id -> {node, print, edits}
let current = null; // "person:chat" that is drawn
let typingEnds = 0;
let settled = 0; // where the end was

export function drawChat() {
  const one = chat();
  if (!one) return;
  const here = place(store.person, one);
  const anew = here !== current;
  if (anew) open(one, here);
  const log = $("log");
  const atEnd = anew || log.scrollHeight - log.scrollTop - log.clientHeight < 90;
  log.querySelector(".begin")?.remove();
  for (const message of one.messages) draw(log, message, anew);
  if (!one.messages.some((message) => !message.deleted)) log.prepend(beginning(one));
  drawTyping(log, one);
  if (atEnd) toEnd();
}

function toEnd() {
  const log = $("log");
  log.scrollTop = log.scrollHeight;
  settled = log.scrollTop;
}

/** Stay at the newest message when the space for messages changes. */
export function startChat() {
  new ResizeObserver(() => {
    if ($("log").scrollTop >= settled - 90) toEnd();
  }).observe($("log"));
}

function open(one, here) {
  current = here;
  shown.clear();
  $("log").replaceChildren();
  say($("chat-title"), titleOf(one));
  const people = one.members.map(nameOf);
  say($("chat-members"), one.private
    ? `Private, between ${nameOf(store.person)} and the bot`
    : people.join(", "));
  $("chat-face").dataset.of = faceOf(one);
  say($("chat-face"), [...titleOf(one)][0]);
}

function beginning(one) {
  const words = one.private
    ? "Nothing here yet. Deleting a note asks you first; a refund asks somebody else. "
      + "Press a suggestion below, or write your own words."
    : one.title === "Approvers"
      ? "Requests that need an approver appear here as cards. As Rosa, ask to refund an order."
      : `In a group the bot hears what begins with @${store.state.bot.name}.`;
  return el("p", { class: "begin", text: words });
}

function draw(log, message, anew) {
  const pending = store.state.taps
    .filter((tap) => !tap.answered && tap.person === store.person
      && tap.chat === store.chat && tap.message === message.id)
    .map((tap) => tap.data);
  const print = JSON.stringify([message, pending]);
  const before = shown.get(message.id);
  if (before?.print === print) return;
  if (message.deleted) {
    before?.node.remove();
    shown.set(message.id, { node: null, print, edits: message.edits });
    return;
  }
  const changed = before !== undefined && message.edits > before.edits;
  const node = build(message, pending, changed, !anew && !before);
  if (before?.node) replace(before.node, node);
  else log.insertBefore(node, log.querySelector(".typing"));
  shown.set(message.id, { node, print, edits: message.edits });
  if (anew || message.from === store.person) return;
  const last = message.text.trim().split("\n").at(-1);
  if (!before) announce(`${nameOf(message.from)}: ${message.text}`);
  else if (changed) announce(`Changed: ${message.text.split("\n")[0]}. ${last}`);
}

/** Put the newer node in place; a focused button hands its focus on. */
function replace(old, newer) {
  const held = old.contains(document.activeElement) ? document.activeElement.dataset.data : null;
  old.replaceWith(newer);
  if (held === null) return;
  const same = [...newer.querySelectorAll(".key")].find((key) => key.dataset.data === held);
  (same ?? $("log")).focus({ preventScroll: true });
}

function build(message, pending, changed, arrives) {
  const mine = message.from === store.person;
  const rows = message.buttons;
  const runs = message.bot && (/^⏳/mu.test(message.text) || WAITS.test(message.text));
  const card = message.bot && (rows.length > 0 || runs || ENDED.test(message.text));
  const bubble = el(
    "div",
    { class: `bubble${card ? " card" : ""}${runs ? " runs" : ""}${changed ? " changed" : ""}` },
    mine || chat().private ? null : el("div", { class: "who", text: nameOf(message.from) }),
    el("span", { class: "words" }, ...marked(message.text, message.entities)),
    el("span", { class: "when", text: when(message) }),
  );
  const title = asked(message.text);
  const keys = rows.length === 0 ? null : el("div", { class: "keys", role: "group", "aria-label": title },
    ...rows.map((row) => el("div", { class: "row" },
      ...row.map((button) => key(message, button, title, pending.includes(button.data))))));
  return el(
    "article",
    { class: `message${mine ? " mine" : ""}${arrives ? " arrives" : ""}`,
      "aria-label": `${mine ? "You" : nameOf(message.from)}, ${clock(message.date)}` },
    face(message.bot ? "bot" : message.from, message.bot ? "C" : message.name),
    el("div", { class: keys ? "stack asks" : "stack" }, bubble, keys),
  );
}

/** When it was written, and when it was changed last. */
function when({ date, edited }) {
  if (!edited) return clock(date);
  return clock(date) === clock(edited)
    ? `edited ${clock(edited)}` : `${clock(date)}, edited ${clock(edited)}`;
}

/** What a card asks in one line: its title and the arguments, as they stand below the tool. */
function asked(text) {
  const [title, facts = ""] = text.split("\n\n");
  const told = facts.split("\n").slice(1).map((line) => {
    const [name, ...value] = line.split(": ");
    const words = value.join(": ");
    return `${name} ${words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words}`.trim();
  });
  return [title, ...told].join(", ");
}

function key(message, button, title, busy) {
  return el("button", {
    type: "button", class: "key", text: button.label, "data-style": button.style,
    "data-data": button.data, "aria-label": `${button.label}: ${title}`, "aria-busy": busy || null,
    onclick: () => press(message, button),
  });
}

async function press(message, button) {
  try {
    await post("/api/press", {
      person: store.person, chat: store.chat, message: message.id, data: button.data,
    });
  } catch (error) {
    complain(error.message);
  }
}

function drawTyping(log, one) {
  const lasts = one.typing > 0;
  const line = log.querySelector(".typing");
  if (!lasts) return line?.remove();
  typingEnds = Date.now() + one.typing * 1000;
  setTimeout(() => {
    if (Date.now() >= typingEnds - 20) log.querySelector(".typing")?.remove();
  }, one.typing * 1000);
  if (!line) {
    log.append(el("p", { class: "typing" }, el("i"), el("i"), el("i"), "Comal bot is typing"));
  }
  return undefined;
}
