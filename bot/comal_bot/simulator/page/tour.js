// Three lines for a first visit; each is crossed out once it was done.

import { $, el } from "./dom.js";
import { keep, recall } from "./memory.js";

const STEPS = [
  ["asked", "As Rosa: “refund order 1007”"],
  ["approved", "As Ana: approve it"],
  ["cheated", "Try to cheat"],
];
const FAREWELL = 600; // milliseconds
const KEY = "comal-demo-tour-hidden";
const done = new Set(recall("tour", []));
let drawn = "";

const hidden = () => {
  try {
    return localStorage.getItem(KEY) === "yes";
  } catch {
    return false;
  }
};

function hide() {
  try {
    localStorage.setItem(KEY, "yes");
  } catch { /* a browser without storage forgets it */ }
  $("tour").hidden = true;
  $("composer-text").focus();
}

/** Cross these steps out and show which is next. */
export function drawTour(...steps) {
  for (const step of steps) done.add(step);
  const print = [...done].join() || "none";
  if (print === drawn || hidden()) return undefined;
  drawn = print;
  keep("tour", [...done]);
  if (done.size === STEPS.length) return setTimeout(() => { $("tour").hidden = true; }, FAREWELL);
  const next = STEPS.map(([name]) => name).find((name) => !done.has(name)) ?? "cheated";
  $("tour").hidden = false;
  $("tour").replaceChildren(
    el("ol", { "aria-label": "Three things to try" }, ...STEPS.map(([name, words], index) => {
      const ticked = done.has(name);
      return el("li", { class: `${ticked ? "done" : ""}${name === next ? " next" : ""}` },
        el("span", { class: "tick", text: ticked ? "✓" : `${index + 1}.`, "aria-hidden": "true" }),
        el("span", { text: words }), ticked ? el("span", { class: "unseen", text: " (done)" }) : null);
    })),
    el("button", { type: "button", text: "Hide", "aria-label": "Hide what to try", onclick: hide }),
  );
  return undefined;
}
