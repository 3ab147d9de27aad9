// The left column: who you are, and that person's chats.

import { $, el, face, put, say } from "./dom.js";
import { become, chatsOf, enter, faceOf, nameOf, store, titleOf, unread, unreadOf } from "./store.js";

let redraw = () => {};

export function startPeople(draw) {
  redraw = draw;
}

export function drawPeople() {
  keyed($("people"), store.state.people, personEntry, (node, person) => {
    put(node, "aria-pressed", person.id === store.person);
    badge(node, unreadOf(person.id), "unread");
  });
  keyed($("chats"), chatsOf(store.person), chatEntry, (node, chat) => {
    put(node, "aria-current", chat.key === store.chat);
    say(node.querySelector(".more"), preview(chat));
    badge(node, unread(store.person, chat), "unread");
  });
  const waiting = store.state.people.reduce((sum, one) => sum + unreadOf(one.id), 0);
  $("bottom-badge").hidden = waiting === 0;
  say($("bottom-badge"), String(waiting));
}

function personEntry(person) {
  return entry(person.id, person.name, person.about, () => {
    if (become(person.id)) document.body.dataset.tab = "chat";
    redraw();
  });
}

function chatEntry(chat) {
  const node = entry(faceOf(chat), titleOf(chat), "", () => {
    enter(chat.key);
    document.body.dataset.tab = "chat";
    redraw();
    $("composer-text").focus({ preventScroll: true });
  });
  return node;
}

function entry(of, name, more, chosen) {
  return el(
    "button",
    { type: "button", class: "entry", onclick: chosen },
    face(of, name),
    el("span", { class: "text" },
      el("span", { class: "name", text: name }), el("span", { class: "more", text: more })),
    el("span", { class: "badge", hidden: true }),
  );
}

function badge(node, count, word) {
  const spot = node.querySelector(".badge");
  spot.hidden = count === 0;
  if (count === 0) return say(spot, "");
  if (spot.dataset.count === String(count) && spot.firstChild) return undefined;
  spot.dataset.count = String(count);
  return spot.replaceChildren(String(count), el("span", { class: "unseen", text: ` ${word}` }));
}

function preview(chat) {
  const last = chat.messages.filter((message) => !message.deleted).at(-1);
  if (!last) return "No messages yet";
  const who = last.from === store.person ? "You" : nameOf(last.from);
  return `${who}: ${last.text.split("\n")[0]}`;
}

/** Keep one node for each thing, in order, so that focus stays where it is. */
function keyed(parent, things, make, update) {
  const ids = things.map((thing) => String(thing.key ?? thing.id));
  for (const node of [...parent.children]) if (!ids.includes(node.dataset.key)) node.remove();
  things.forEach((thing, index) => {
    let node = [...parent.children].find((one) => one.dataset.key === ids[index]);
    if (!node) {
      node = make(thing);
      node.dataset.key = ids[index];
    }
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
    update(node, thing);
  });
}
