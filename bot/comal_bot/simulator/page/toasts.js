// What a tap was answered with, shown for a moment; and words for screen readers.

import { $, el } from "./dom.js";
import { nameOf, store } from "./store.js";

const STAYS = 5000; // milliseconds
const told = new Set();

export function drawToasts(first) {
  for (const tap of store.state.taps) {
    if (!tap.answered || told.has(tap.id)) continue;
    told.add(tap.id);
    if (!first && tap.text) toast(tap.text, nameOf(tap.person));
  }
}

export const complain = (words) => toast(words, "");

/** Put them where they cover nothing: above the composer, or at the end of the view shown. */
export function placeToasts() {
  const views = ["view-chat", "view-audit", "view-cheat", "view-chats"].map($);
  const view = views.find((one) => getComputedStyle(one).display !== "none");
  if (!view || view.contains($("toasts"))) return;
  if (view.id === "view-chat") $("composer").before($("toasts"));
  else view.append($("toasts"));
}

function toast(words, by) {
  const node = el("div", { class: "toast", role: "status" },
    el("div", {}, by ? el("p", { class: "by", text: `${by} is told` }) : null, el("p", { text: words })),
    el("button", { type: "button", text: "Close", onclick: () => close(node) }));
  placeToasts();
  const same = [...$("toasts").children].find((one) => one.dataset.told === `${by}: ${words}`);
  node.dataset.told = `${by}: ${words}`;
  if (same && !same.contains(document.activeElement)) same.remove();
  $("toasts").append(node);
  announce(by ? `${by} is told: ${words}` : words);
  while ($("toasts").children.length > 3) $("toasts").firstElementChild.remove();
  setTimeout(() => {
    if (!node.contains(document.activeElement)) node.remove();
  }, STAYS);
}

function close(node) {
  node.remove();
  $("log").focus({ preventScroll: true });
}

/** Have a screen reader say something, after what it says now. */
export function announce(words) {
  const line = el("p", { text: words });
  $("announcer").append(line);
  setTimeout(() => line.remove(), 4000);
}
