// What the page knows: the newest state, who you are, where you are, what you have seen.

export const store = {
  state: null,
  person: 1001,
  chat: null,
  busy: null, // the attempt being made
  results: new Map(), // attempt -> what came back
};

const seen = new Map(); // "person:chat" -> the newest message id seen

const BOT = "Comal bot";

export const me = () => store.state.people.find((person) => person.id === store.person);
export const chatsOf = (person) =>
  store.state.chats.filter((chat) => chat.members.includes(person));
export const chat = () => store.state.chats.find((one) => one.key === store.chat);
export const nameOf = (id) =>
  store.state.people.find((person) => person.id === id)?.name ?? BOT;

export const titleOf = (one) => (one.private ? BOT : one.title);
export const faceOf = (one) => (one.private ? "bot" : "group");

const key = (person, one) => `${person}:${one.key}`;

/** How many messages of others a person has not looked at. */
export function unread(person, one) {
  const from = seen.get(key(person, one)) ?? 0;
  return one.messages.filter((m) => m.id > from && m.from !== person && !m.deleted).length;
}

export const unreadOf = (person) =>
  chatsOf(person).reduce((sum, one) => sum + unread(person, one), 0);

export function markSeen() {
  const one = chat();
  if (one && !document.hidden) seen.set(key(store.person, one), one.messages.at(-1)?.id ?? 0);
}

/** Become somebody: stay in the chat if they are in it, else where something new is. */
export function become(person) {
  store.person = person;
  const theirs = chatsOf(person);
  const news = theirs.find((one) => unread(person, one) > 0);
  if (theirs.some((one) => one.key === store.chat) && !news) return;
  store.chat = (news ?? theirs.at(-1))?.key ?? null;
  if (!news && theirs[0]?.private) store.chat = theirs[0].key;
}
