"""Host texts in English; the keys of every other language."""

from typing import Final

EN: Final[dict[str, str]] = {
    "card.confirm": "Confirm",
    "card.cancel": "Cancel",
    "card.approve": "Approve",
    "card.reject": "Reject",
    "card.show_all": "Show everything",
    "card.tool": "Tool",
    "card.asked_by": "Asked by",
    "card.why": "Why",
    "card.ends": "Ends",
    "card.waiting": "Waiting for an approver",
    "card.approvals": "{yes} of {needed} approvals",
    "card.effect": "What will change",
    "card.arguments_more": "{count} more",
    "card.incomplete": "This is only a part. Show everything before you decide.",
    "card.too_long": "This is too long to be decided on this channel.",
    "card.shortened": "Shortened: not everything is shown here.",
    "card.mixed_scripts": "mixed scripts",
    "decided.approved": "Approved by {name}",
    "decided.confirmed": "Confirmed by {name}",
    "outcome.started": "⏳ {decided}, {time} · running",
    "outcome.running": "⏳ {decided}, {time} · running: {progress}",
    "outcome.approved": "✅ {decided}, {time}",
    "outcome.executed": "✅ {decided}, {time} · executed",
    "outcome.failed": "❌ {decided}, {time} · failed",
    "outcome.unknown": "⚠ {decided}, {time} · outcome unknown",
    "outcome.done_late": "✅ {decided}, {time} · done late",
    "outcome.void": "🚫 {decided}, {time} · not executed",
    "outcome.rejected": "🚫 Rejected by {name}, {time}",
    "outcome.cancelled": "🚫 Cancelled by {name}, {time}",
    "outcome.expired": "⌛ Expired, {time} · nothing was done",
    "outcome.superseded": "↪ Replaced by a newer question, {time}",
    "answer.not_yours": "This card is not yours to answer.",
    "answer.already_decided": "Already decided.",
    "answer.expired": "Expired: nothing was done. Ask again.",
    "answer.unknown_button": "Unknown button.",
    "answer.recorded": "Recorded.",
    "answer.voted": "Recorded: {yes} of {needed} approvals.",
    "answer.voted_no": "Recorded: your no; {yes} of {needed} approvals.",
    "answer.voted_before": "You have answered already.",
    "action.code": "{label}: write",
    "result.cut": "{count} more characters",
    "result.done": "Done.",
    "result.failed": "It failed, and nothing says why.",
    "result.code": "Code: {code}",
    "result.retry": "Try again in {seconds} s.",
    "result.clamped": "Brought into bounds: {changes}",
    "result.cached": "Answered from what was known before; the tool itself did not run.",
    "plan.nothing_run": "This is a plan; nothing was run.",
    "plan.asks_approval": "It would wait for an approval.",
    "plan.asks_confirmation": "It would ask you to confirm.",
    "plan.asks_nobody": "It would run without asking anybody.",
    "plan.changes": "Changes something",
    "plan.scopes": "Any of these scopes",
    "plan.timeout": "Time limit",
    "word.yes": "yes",
    "word.no": "no",
    "result.page": "Page {page} of {pages} · {total} in all",
    "answer.self": "You asked for this yourself; somebody else must decide.",
    "answer.nobody": "I cannot tell who you are here.",
    "answer.moved": "This button was copied from another message.",
    "host.start": (
        "Hello. Write what you need. Before anything is changed, a card asks first.\n"
        "/help lists the commands."
    ),
    "host.help": (
        "/start begins a conversation\n"
        "/whoami tells who you are here\n"
        "/stop ends what is running between two steps\n"
        "/help shows this list"
    ),
    "host.whoami": "You are {principal}. Roles: {roles}.",
    "host.no_roles": "none",
    "host.audit_heads": (
        "🔏 How far the audit had come on {day}. With these, `comal audit verify --head …` shows "
        "whatever is changed or removed from now on:\n{heads}"
    ),
    "host.stopped": "Stopped. What had already started may still finish.",
    "host.nothing_to_stop": "Nothing is running.",
    "host.too_long": "That message has {length} characters; I read {limit}. Send it in parts.",
    "host.model_unreachable": (
        "The language model cannot be reached now. Nothing is lost; try again in a while."
    ),
    "host.model_refused": (
        "The language model refuses to work: whoever runs this bot must look at its log."
    ),
    "host.model_garbled": (
        "The language model answered nothing that I could use. Nothing is lost; try again."
    ),
    "host.no_words": "The language model had nothing to say.",
    "host.uncarded": (
        "Nobody can decide about {what}: the chat of the approvers cannot be reached. "
        "Whoever runs this bot must look at its log."
    ),
    "host.unwhole": (
        "⚠ Not all of {what} could be shown, so nothing can be decided about it here."
    ),
    "host.no_answer": "I stopped without an answer ({reason}).",
    "host.not_a_command": "I do not know /{command}. /help lists what I know.",
    "host.failed": "Something went wrong inside the host; quote request {request_id}",
}
