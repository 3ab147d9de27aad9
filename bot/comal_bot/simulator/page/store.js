// What the page knows: the newest state, who you are, where you are, what you have seen.

import { keep, recall } from "./memory.js";

export const store = {
  state: null,
  person: recall("person", 1001),
  chat: recall("chat", null),
  busy: null, // the attempt being made
};

const seen = new Map(recall("seen", [])); // "person:chat" -> the newest message id seen

const BOT = "Comal bot";

export const me = () => store.state.people.find((person) => person.id === store.person);
export const chatsOf = (person) =>
  store.state.chats.filter((chat) => chat.members.includes(person));
export const chat = () => store.state?.chats.find((one) => one.key === store.chat);
export const nameOf = (id) =>
  store.state.people.find((person) => person.id === id)?.name ?? BOT;

export const titleOf = (one) => (one.private ? BOT : one.title);
export const faceOf = (one) => (one.private ? "bot" : "group");

/** Name where somebody reads and writes: a person in a chat. */
export const place = (person, one) => `${person}:${one.key}`;

/** How many messages of others a person has not looked at. */
export function unread(person, one) {
  const from = seen.get(place(person, one)) ?? 0;
  return one.messages.filter((m) => m.id > from && m.from !== person && !m.deleted).length;
}

export const unreadOf = (person) =>
  chatsOf(person).reduce((sum, one) => sum + unread(person, one), 0);

export function markSeen() {
  const one = chat();
  if (!one || document.hidden) return;
  const newest = one.messages.at(-1)?.id ?? 0;
  if (seen.get(place(store.person, one)) === newest) return;
  seen.set(place(store.person, one), newest);
  keep("seen", [...seen]);
}

export function enter(key) {
  store.chat = key;
  keep("person", store.person);
  keep("chat", key);
}

/** Become somebody: go where a card waits, else where something new is, else stay; is there one? */
export function become(person) {
  store.person = person;
  const theirs = chatsOf(person);
  const asks = newestAsking(theirs);
  const news = theirs.find((one) => unread(person, one) > 0);
  const same = theirs.find((one) => one.key === store.chat);
  const own = theirs.find((one) => one.private);
  enter((asks ?? news ?? same ?? own ?? theirs.at(-1))?.key ?? null);
  return asks !== undefined;
}

/** The chat with the newest open card that this person may be meant by. */
function newestAsking(theirs) {
  const approves = me().role === "approver";
  const date = (one) => Math.max(-1, ...one.messages.filter(isOpen).map((m) => m.date));
  const fitting = theirs.filter((one) => date(one) >= 0)
    .filter((one) => approves || one.title !== "Approvers")
    .sort((a, b) => date(b) - date(a));
  return fitting.find((one) => approves && one.title === "Approvers") ?? fitting[0];
}

const isOpen = (message) => !message.deleted && message.buttons.length > 0;
