// Starts the page and keeps it in step with the demo.

import { Gone, look } from "./api.js";
import { drawChat, startChat } from "./chat.js";
import { startCheats } from "./cheats.js";
import { drawComposer, startComposer } from "./composer.js";
import { $, put } from "./dom.js";
import { drawPanels, startPanels } from "./panels.js";
import { drawPeople, startPeople } from "./people.js";
import { become, markSeen, store } from "./store.js";
import { drawToasts } from "./toasts.js";
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
  drawToasts(first);
  drawTour(...stepsDone());
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

function ended(words) {
  $("ended").hidden = words === "";
  if ($("ended").textContent !== words) $("ended").textContent = words;
}

async function follow() {
  let version = -1;
  for (;;) {
    try {
      const state = await look(version);
      ended("");
      const first = store.state === null;
      if (state.version !== version) {
        version = state.version;
        store.state = state;
        draw(first);
      }
    } catch (error) {
      if (!(error instanceof Gone)) console.error(error);
      ended(error.message);
      version = -1;
      await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
    }
  }
}

for (const button of document.querySelectorAll(".bottom button")) {
  button.addEventListener("click", () => {
    document.body.dataset.tab = button.dataset.view;
    draw();
  });
}
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps its token
  $("composer-text").focus();
});
document.addEventListener("visibilitychange", () => draw());
startPeople(draw);
startChat();
startComposer();
startPanels();
startCheats().catch((error) => ended(error.message));
follow();
