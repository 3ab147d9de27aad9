"""Host texts in English; the keys of every other language."""

from typing import Final

EN: Final[dict[str, str]] = {
    "card.confirm": "Confirm",
    "card.cancel": "Cancel",
    "card.approve": "Approve",
    "card.reject": "Reject",
    "card.show_all": "Show everything",
    "card.changes": "Ask for changes",
    "card.edit": "Edit",
    "card.withdraw": "Withdraw",
    "card.again": "Ask again",
    "card.it_was_done": "It was done",
    "card.do_it_again": "Do it again",
    "card.leave_it": "Leave it",
    "card.break_glass": "🔨 BREAK-GLASS at the machine, past the approvers. Reason: {why}",
    "card.repeats": "⚠ This does again what may have been done before: its outcome is unknown.",
    "card.may_still_run": (
        "⚠ This does again what may have been done before. The first attempt may still be running."
    ),
    "card.tool": "Tool",
    "card.asked_by": "Asked by",
    "card.why": "Why",
    "card.by_route": "by the route {name}",
    "card.ends": "Ends",
    "card.waiting": "Waiting for an approver",
    "card.approvals": "{yes} of {needed} approvals",
    "card.group": "{name}: {yes} of {needed}",
    "card.then": "then: {names}",
    "card.approvers": "approvers",
    "card.edited": "✎ Edited by {name}: {changes}",
    "card.effect": "What will change",
    "card.effect_unknown": "⚠ What will change cannot be told",
    "card.changed": "What changed",
    "card.changed_as_foretold": "What changed, as foretold",
    "card.changed_otherwise": "⚠ What changed, not as foretold",
    "card.arguments_more": "{count} more",
    "card.incomplete": "This is only a part. Show everything before you decide.",
    "card.too_long": "This is too long to be decided on this channel.",
    "card.shortened": "Shortened: not everything is shown here.",
    "card.space": "1 space",
    "card.spaces": "{count} spaces",
    "card.newlines": "{count} newlines",
    "card.mixed_scripts": "mixed scripts",
    "card.look_alikes": "look-alike letters",
    "card.two_way": "reads from right to left",
    "decided.approved": "Approved by {name}",
    "decided.confirmed": "Confirmed by {name}",
    "outcome.started": "⏳ {decided}, {time} · running",
    "outcome.running": "⏳ {decided}, {time} · running: {progress}",
    "outcome.approved": "✅ {decided}, {time}",
    "outcome.executed": "✅ {decided}, {time} · executed",
    "outcome.failed": "❌ {decided}, {time} · failed",
    "outcome.unknown": "⚠ {decided}, {time} · outcome unknown",
    "outcome.left": "⚠ {decided}, {time} · outcome unknown, left so by {left}",
    "outcome.settled_done_by_service": "✅ {decided}, {time} · done (confirmed by the service)",
    "outcome.settled_done_by_person": "✅ {decided}, {time} · done (says {settled})",
    "outcome.settled_not_done_by_service": "🚫 {decided}, {time} · not done (says the service)",
    "outcome.settled_not_done_by_person": "🚫 {decided}, {time} · not done (says {settled})",
    "outcome.done_late": "✅ {decided}, {time} · done late",
    "outcome.void": "🚫 {decided}, {time} · not executed",
    "outcome.rejected": "🚫 Rejected by {name}, {time}",
    "outcome.cancelled": "🚫 Cancelled by {name}, {time}",
    "outcome.expired": "⌛ Expired, {time} · nothing was done",
    "outcome.changes": "↩ Changes asked by {name}, {time}",
    "outcome.edited": "↪ Edited by {name}, {time} · asked anew",
    "outcome.superseded": "🚫 No longer what was asked, {time} · nothing was done",
    "answer.not_yours": "This card is not yours to answer.",
    "answer.already_decided": "Already decided: {outcome}",
    "answer.expired": "Expired: nothing was done. Ask again.",
    "answer.unknown_button": "Unknown button.",
    "answer.only_again": "You asked for this: others say whether it was done. You may do it again.",
    "answer.settled_before": "This is settled already.",
    "answer.recorded": "Recorded.",
    "answer.voted": "Recorded: {yes} of {needed} approvals.",
    "answer.voted_no": "Recorded: your no; {yes} of {needed} approvals.",
    "answer.not_yet": "Others must decide first; you are asked after them.",
    "answer.needs_reason": "This needs a reason: reply to this card with it. That completes it.",
    "answer.needs_guidance": "Reply to this card with what should be asked instead.",
    "answer.edit": "Reply to this card with lines such as: {example}. You may change: {names}",
    "answer.not_editable": "Nothing of this may be edited.",
    "answer.under_way": "This takes a moment; the card will say what comes of it.",
    "answer.cannot_edit": "This cannot be edited: {why}",
    "answer.edited": "Edited: {changes}. It is asked anew, and {requester} must agree at the end.",
    "answer.noted": "Noted; it goes with your answer. Only the buttons decide.",
    "answer.remark_too_long": "That has {length} characters; I keep {limit}. Nothing was noted.",
    "answer.reply_not_yours": (
        "This card is not yours to answer, so what you wrote was not kept. "
        "If you meant me, write it without replying to the card."
    ),
    "answer.reply_late": "{said} If you meant me, write it without replying to the card.",
    "answer.only_requester": "Only whoever asked for this may do that.",
    "answer.asked_again": "Asked again; there is a new card.",
    "answer.asked_before": "This was asked again already.",
    "answer.nobody_asked": "Nobody need be asked about this any more; write to me what you need.",
    "answer.not_asked_again": "It could not be asked again: {why}",
    "edit.no_line": "No line such as `amount = 50`: {about}. Nothing was changed; try again.",
    "edit.twice": "{about} is there twice. Nothing was changed; try again.",
    "edit.fixed": "{about} may not be changed; {names} may. Nothing was changed; try again.",
    "edit.refused": "{about} cannot be that: {why}. Nothing was changed; try again.",
    "edit.same": "That is what it says already. Nothing was changed; try again.",
    "answer.changed": "This is no more what was asked: nothing was done. Ask again.",
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
        "/link says that another account is you as well\n"
        "/stop ends what is running between two steps\n"
        "/help shows this list"
    ),
    "host.whoami": "You are {principal}. Roles: {roles}.",
    "host.whoami_linked": "You are {principal}, as are {others}. Roles: {roles}.",
    "host.whoami_resting": (
        "You are {principal}, as are {others}. Roles: {roles}. What you answer here counts from "
        "{time} on."
    ),
    "host.no_roles": "none",
    "host.audit_heads": (
        "🔏 How far the audit had come on {day}. With these, `comal audit verify --head …` shows "
        "whatever is changed or removed from now on:\n{heads}"
    ),
    "host.break_glass": (
        "🔨 BREAK-GLASS: {who} acted at the machine without being entitled to.\n"
        "Done: {did}\nReason: {why}"
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
    "host.unknown_act": (
        "⚠ Whether {tool} was done is not known. Look before you ask for it again; whoever runs "
        "this bot can settle it with `comal acts`."
    ),
    "host.uncarded": (
        "Nobody can decide about {what}: the chat of the approvers cannot be reached. "
        "Whoever runs this bot must look at its log."
    ),
    "host.too_few": (
        "Nobody can approve {what} any more: too few people are left who may. "
        "Whoever runs this bot must look at its routes."
    ),
    "host.escalated": "⏫ Nobody has decided about {what} yet, so others are asked as well.",
    "host.reminder": "⏰ {what} still waits for an answer. It ends in {left}.",
    "host.reminders": "⏰ {count} questions wait for an answer:\n{lines}",
    "host.reminders_line": "• {what} (ends in {left})",
    "host.reminders_more": "… and {count} more",
    "card.too_few": "⚠ Too few people are left who may approve this.",
    "host.unshown": (
        "The card that asks about {what} could not be shown, so nobody can decide about it. "
        "Ask for it again later."
    ),
    "host.unwhole": (
        "⚠ Not all of {what} could be shown, so nothing can be decided about it here."
    ),
    "host.no_answer": "I stopped without an answer ({reason}).",
    "host.not_a_command": "I do not know /{command}. /help lists what I know.",
    "host.failed": "Something went wrong inside the host; quote request {request_id}",
    "people.private": "Write this to me in a private chat.",
    "owner.how": "Write /owner and the code that the terminal of whoever runs this bot shows.",
    "owner.private": "Write this to me in a private chat, and show the code to nobody.",
    "owner.overheard": (
        "Others may have read this code, so it is worth nothing any more. "
        "`comal people owner-code` prints another; write it to me in a private chat."
    ),
    "owner.there_is": "There is an owner already. Owners make others with `comal people roles`.",
    "owner.no_code": "No code is good now. `comal people owner-code` prints one.",
    "owner.wrong": "That is not the code. After {left} more wrong ones it is worth nothing.",
    "owner.worthless": (
        "That is not the code, and now it is worth nothing. `comal people owner-code` prints "
        "another."
    ),
    "owner.welcome": "You are the owner of this bot now.",
    "link.how": "Write /link and the other account, as in /link telegram:42. /whoami tells it.",
    "link.already": "You and {other} are one person already.",
    "link.offered": (
        "Noted. Within a day, write /link {mine} to me from {other}: then both are one person."
    ),
    "link.done": (
        "🔗 {anchor} and {added} are one person now, who counts once. Each keeps its own roles. "
        "What {added} answers counts from {time} on. /unlink ends it."
    ),
    "link.named": (
        "Somebody whom a route names to decide can be linked only by whoever runs this bot."
    ),
    "link.settings": "The settings name both, as two people. Whoever runs this bot can change it.",
    "link.both_decide": "Both decide about what others ask for, and stay two people.",
    "link.too_many": "One person cannot have that many accounts.",
    "unlink.how": "Write /unlink and the other account, as in /unlink telegram:42.",
    "unlink.none": "You and {other} are not linked here.",
    "unlink.done": "🔗 {mine} and {other} are not linked any more. What they were is remembered.",
    "pair.how": "I do not know you yet. Write /pair in a private chat, and an owner is asked.",
    "pair.known": "You are known here already; /whoami tells as whom.",
    "pair.no_owner": "Nobody can let you in now: no owner can be reached.",
    "pair.pause": "You were not let in. You may ask again from {time} on.",
    "pair.crowded": "Too many people wait to be let in. Ask again later.",
    "pair.waiting": "An owner has been asked already.",
    "pair.asked": "An owner is asked. You are told here what they say.",
    "pair.subject": "Let in {who}. Roles: {roles}. It calls itself {name}",
    "pair.granted": "An owner has let you in. Roles: {roles}.",
    "pair.refused": "You were not let in.",
    "pair.expired": "Nobody has let you in. You may /pair again.",
}
