// The live audit: every call in plain words, with the record's own words in a second line.

import { $, clock, el, say } from "./dom.js";
import { store } from "./store.js";

const WORDS = {
  executed: "done", act_done: "done", failed: "failed", act_failed: "failed",
  act_unknown: "outcome unknown", act_end_not_stored: "outcome unknown",
  act_done_late: "done late", act_settled_done: "done, found out later",
  act_settled_not_done: "not done", act_not_started: "put off", act_not_claimed: "not run again",
  asked_confirmation: "asked the requester", asked_pending: "asked approvers",
  answered_before: "answered before", planned: "only planned", timed_out: "took too long",
  host_fault: "failed in the host", vetoed: "refused: a listener said no",
  listener_failed: "refused: a listener failed", foreign_consent: "refused: another's yes",
  model_token: "refused: a model may not confirm", probing_limited: "refused: too many guesses",
  tap_approved: "answered yes", tap_rejected: "answered no", tap_cancelled: "answered no",
  tap_not_entitled: "refused: not theirs to answer", tap_own_request: "refused: their own request",
  tap_decided_before: "refused: decided already", tap_expired: "refused: too late",
  tap_unknown: "refused: no such card", tap_unknown_button: "refused: no such button",
  tap_moved: "refused: a copied button",
  refused_at_resolve: "refused: not known", refused_at_validate: "refused: wrong arguments",
  refused_at_authorize: "refused: no right to", refused_at_rate_limit: "refused: too often",
  refused_at_confirm: "refused: no valid yes",
};
const BY = { model: "via model", hand: "by hand", host: "by the host" };
const TAPS = ["resolve_verification", "answer_question"];
const BAD = /fail|fault|unknown|refused|void|veto|not_|lost/;
let newest = null;

export function drawAudit({ audit, open_questions: waiting }) {
  const head = audit[0]?.seq ?? 0;
  say($("audit-count"), waiting === 1 ? "1 question is open" : waiting ? `${waiting} questions are open` : "");
  $("audit-empty").hidden = audit.length > 0;
  if (head === newest) return;
  $("audit-rows").replaceChildren(
    ...audit.map((row) => auditRow(row, audit, newest !== null && row.seq > newest)));
  newest = head;
}

function auditRow(row, audit, fresh) {
  const person = store.state.people.find((one) => `telegram:${one.id}` === row.principal);
  const tap = TAPS.includes(row.tool);
  const own = `${row.decision}${row.code ? ` ${row.code}` : ""}`;
  return el("tr", { role: "row", class: fresh ? "fresh" : null },
    el("td", { role: "cell", class: "time", text: clock(row.at, true) }),
    el("td", { role: "cell", class: "by" }, person?.name ?? row.principal ?? "nobody",
      el("span", { class: "role", text: BY[row.by] })),
    el("td", { role: "cell", class: "tool" },
      el("span", { class: "name", text: tap ? "answer to a card" : row.tool }),
      tap ? el("span", { class: "code", text: row.tool }) : null,
      el("span", { class: "args", text: row.args })),
    el("td", { role: "cell", class: "end" },
      el("span", { class: `verdict ${tone(row)}`, text: words(row, audit) }),
      el("span", { class: "code", text: own })));
}

function words(row, audit) {
  if (row.tool === "resolve_verification") {
    if (row.decision === "executed") return row.args.includes("reject") ? "answered no" : "answered yes";
    if (row.code === "EXPIRED") return WORDS.tap_expired;
    if (row.code === "FORBIDDEN") return decidedBefore(row, audit) ? WORDS.tap_decided_before : WORDS.tap_not_entitled;
  }
  return WORDS[row.decision] ?? row.decision.replaceAll("_", " ");
}

const decidedBefore = (row, audit) => row.question !== null && audit.some((one) =>
  one.seq < row.seq && one.question === row.question && one.tool === row.tool
    && one.decision === "executed");

function tone(row) {
  if (/asked|pending|confirmation|waiting/.test(row.decision) || row.code === "CONFIRMATION_REQUIRED") return "ask";
  return row.code || BAD.test(row.decision) ? "bad" : "good";
}
