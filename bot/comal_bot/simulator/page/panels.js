// The right column's rest: the shop's data, the bot's process, the tabs.

import { post } from "./api.js";
import { drawAudit } from "./audit.js";
import { $, el, put, say } from "./dom.js";
import { store } from "./store.js";
import { announce, complain } from "./toasts.js";

export function drawPanels() {
  drawAudit(store.state.stored);
  drawShop(store.state.stored);
  drawProcess(store.state.bot);
}

export function startPanels() {
  $("bot-restart").addEventListener("click", () => {
    post("/api/restart").catch((error) => complain(error.message));
  });
  $("shop-anew").addEventListener("click", () => {
    post("/api/start-over").then(
      () => announce("The shop’s data are as they were at the start."),
      (error) => complain(error.message),
    );
  });
  const tabs = [...document.querySelectorAll("[role=tab]")];
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => choose(tabs, tab));
    tab.addEventListener("keydown", (event) => {
      const goal = {
        ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1,
      }[event.key];
      if (goal === undefined) return;
      event.preventDefault();
      const other = tabs.at(goal % tabs.length);
      choose(tabs, other);
      other.focus();
    });
  });
}

function choose(tabs, chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}

function drawShop({ notes, orders, refunds, letters, labels }) {
  const print = JSON.stringify([notes, orders, refunds, letters, labels]);
  if ($("orders").dataset.print === print) return;
  $("orders").dataset.print = print;
  $("notes").replaceChildren(...notes.map((note) =>
    el("tr", {}, el("td", { text: note.id }), el("td", { text: note.text }))));
  $("orders").replaceChildren(...orders.map((order) => {
    const status = order.status.startsWith("partly") ? "status-partly" : `status-${order.status}`;
    const words = order.refunded && order.refunded < order.amount
      ? `${order.status} (${order.refunded.toFixed(2)})` : order.status;
    return el("tr", {}, el("td", { text: order.id }), el("td", { text: order.customer }),
      el("td", { class: "number", text: order.amount.toFixed(2) }),
      el("td", { class: status, text: words }));
  }));
  say($("refunds"), `Refunds paid: ${refunds}. Letters sent: ${letters}. Labels printed: ${labels}.`);
}

function drawProcess(bot) {
  const words = {
    running: "Bot runs",
    frozen: "Bot is frozen",
    down: bot.starts ? "Bot is down, starting again" : "Bot is starting",
  };
  $("bot-status").hidden = false;
  $("bot-restart").hidden = false;
  put($("bot-status"), "data-state", bot.state);
  say($("bot-words"), words[bot.state]);
  say($("bot-pid"), bot.pid ? `, process ${bot.pid}` : "");
}
