// Starts the page and keeps it in step with the demo.

import { Gone, look, Shut } from "./api.js";
import { drawChat, startChat } from "./chat.js";
import { startCheats } from "./cheats.js";
import { drawComposer, startComposer } from "./composer.js";
import { $, put, say } from "./dom.js";
import { keep, recall } from "./memory.js";
import { drawPanels, startPanels } from "./panels.js";
import { drawPeople, startPeople } from "./people.js";
import { become, markSeen, store } from "./store.js";
import { drawToasts, placeToasts } from "./toasts.js";
import { drawTour } from "./tour.js";

const AGAIN = 1500; // milliseconds until a failed look is repeated

function draw(first = false) {
  if (!store.state) return;
  if (store.chat === null) become(store.person);
  if (showsChat()) markSeen();
  drawPeople();
  drawChat();
  drawComposer();
  drawPanels();
  placeToasts();
  drawToasts(first);
  drawTour(...stepsDone());
  keep("view", document.body.dataset.tab);
  for (const button of document.querySelectorAll(".bottom button")) {
    const here = button.dataset.view === document.body.dataset.tab;
    if (here) put(button, "aria-current", "page");
    else button.removeAttribute("aria-current");
  }
}

const showsChat = () => getComputedStyle($("view-chat")).display !== "none";

function stepsDone() {
  const { audit } = store.state.stored;
  const granted = (row) => row.tool === "resolve_verification" && row.decision === "executed";
  return [
    ...(audit.some((row) => row.tool === "refund_order") ? ["asked"] : []),
    ...(audit.some(granted) ? ["approved"] : []),
  ];
}

/** Say that nothing new comes; without anything to show, or a way in, that is all the page shows. */
function ended(words, shut = false) {
  $("ended").hidden = words === "";
  say($("ended"), words);
  document.body.toggleAttribute("data-shut", words !== "" && (shut || !store.state));
}

async function follow() {
  let version = -1;
  for (;;) {
    try {
      const state = await look(version);
      const first = store.state === null;
      if (state.version !== version) {
        version = state.version;
        store.state = state;
        draw(first);
      }
      if (first) await startCheats();
      ended("");
    } catch (error) {
      if (error instanceof Shut) return ended(error.message, true);
      if (!(error instanceof Gone)) console.error(error);
      ended(error.message);
      version = -1;
      await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
    }
  }
}

document.body.dataset.tab = recall("view", "chat");
for (const button of document.querySelectorAll(".bottom button")) {
  button.addEventListener("click", () => {
    document.body.dataset.tab = button.dataset.view;
    draw();
  });
}
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps its token
  document.body.dataset.tab = "chat";
  draw();
  $("composer-text").focus();
});
document.addEventListener("visibilitychange", () => draw());
startPeople(draw);
startChat();
startComposer();
startPanels();
follow();
