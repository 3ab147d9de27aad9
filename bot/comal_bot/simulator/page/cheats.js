// The attempts: what each tries, a button to make it, and what came back.

import { cheats, post } from "./api.js";
import { $, el, put, say } from "./dom.js";
import { store } from "./store.js";
import { drawTour } from "./tour.js";

/** List the attempts. */
export async function startCheats() {
  const list = await cheats();
  $("cheats").replaceChildren(...list.map(item));
}

function item(cheat) {
  const back = el("p", { class: "back", role: "status", hidden: true });
  const button = el("button", {
    type: "button", class: "quiet", text: "Try", "aria-label": `Try: ${cheat.title}`,
    onclick: () => attempt(cheat, back),
  });
  return el("li", {},
    el("div", { class: "top-line" },
      el("span", { class: "title", text: cheat.title }), el("span", { class: "tries", text: cheat.tries }),
      button),
    back);
}

async function attempt(cheat, back) {
  if (store.busy || !store.state) return;
  store.busy = cheat.name;
  dim(true);
  show(back, "busy", "Trying…");
  try {
    const { came_back: words } = await post("/api/cheat", { name: cheat.name });
    show(back, "done", words);
    drawTour("cheated");
  } catch (error) {
    show(back, "error", error.message);
  } finally {
    store.busy = null;
    dim(false);
  }
}

function show(back, kind, words) {
  back.hidden = false;
  back.dataset.kind = kind;
  say(back, words);
  back.scrollIntoView({ block: "nearest" });
}

function dim(busy) {
  for (const button of $("cheats").querySelectorAll("button")) put(button, "aria-disabled", busy);
}
