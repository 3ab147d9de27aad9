// The right column: the audit, the shop's data, the bot's process.

import { post } from "./api.js";
import { $, clock, el, put, say } from "./dom.js";
import { store } from "./store.js";
import { complain } from "./toasts.js";

const BAD = /fail|fault|unknown|refused|void|veto|not_|lost/;
let newest = null;

export function drawPanels() {
  drawAudit(store.state.stored);
  drawShop(store.state.stored);
  drawProcess(store.state.bot);
}

export function startPanels() {
  $("bot-restart").addEventListener("click", () => {
    post("/api/restart").catch((error) => complain(error.message));
  });
  const tabs = [...document.querySelectorAll("[role=tab]")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => choose(tabs, tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = tabs[(tabs.indexOf(tab) + 1) % tabs.length];
      choose(tabs, other);
      other.focus();
    });
  }
}

function choose(tabs, chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}

function drawAudit({ audit, open_questions: waiting }) {
  const head = audit[0]?.seq ?? 0;
  say($("audit-count"), waiting === 1 ? "1 question is open" : waiting ? `${waiting} questions are open` : "");
  $("audit-empty").hidden = audit.length > 0;
  if (head === newest) return;
  $("audit-rows").replaceChildren(...audit.map((row) => auditRow(row, newest !== null && row.seq > newest)));
  newest = head;
}

function auditRow(row, fresh) {
  const person = store.state.people.find((one) => `telegram:${one.id}` === row.principal);
  return el("tr", { class: fresh ? "fresh" : null },
    el("td", { class: "time", text: clock(row.at, true) }),
    el("td", {}, person?.name ?? row.principal ?? "nobody",
      el("span", { class: "role", text: row.origin === "model" ? "via model" : "by hand" })),
    el("td", { class: "tool" }, row.tool, el("span", { class: "args", text: brief(row) })),
    el("td", {}, el("span", { class: `verdict ${tone(row)}`, text: row.decision.replaceAll("_", " ") }),
      row.code ? el("span", { class: "code", text: row.code }) : null));
}

function brief(row) {
  try {
    const { request_id: _, principal: __, ...args } = JSON.parse(row.args);
    return Object.entries(args).filter(([, value]) => value !== null)
      .map(([key, value]) => `${key}: ${value}`).join(", ");
  } catch {
    return "";
  }
}

function tone(row) {
  if (/asked|pending|confirmation|waiting/.test(row.decision) || row.code === "CONFIRMATION_REQUIRED") return "ask";
  return row.code || BAD.test(row.decision) ? "bad" : "good";
}

function drawShop({ notes, orders, refunds }) {
  const print = JSON.stringify([notes, orders, refunds]);
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
  say($("refunds"), `Refunds ever paid: ${refunds}`);
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
