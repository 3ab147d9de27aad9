"""How the scripted model words what came back: tool answers, and decisions told by the host."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from comal_renderers.visible import visible
from comal_runtime.testing.scripted import Answered

from .phrases import Phrases

Fields = Mapping[str, object]

_ARGUMENT: Final = re.compile(r"(?:, )?(?P<name>\w+)=")
_DONE: Final = frozenset({"approved", "done", "done_late", "settled_done"})
_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")  # Source: CommonMark, backslash escapes.
_NOTHING: Final = frozenset({"settled_not_done", "void"})


class Concluding:
    """Says what each tool answered, in one language."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases

    def __call__(self, answered: Answered) -> str:
        return "\n\n".join(
            spoken(call.name, _object(content), self._phrases) for call, content in answered
        )


def after_event(event: Fields, phrases: Phrases) -> str:
    """Say what was decided about a call and what came back; after a no, offer something else."""
    state, result = _text(event, "state"), _object(event.get("result"))
    tool, args = read_call(_text(event, "asked"))
    tool = tool or _text(event, "tool")
    what, reason = described(tool, args), quoted(_text(event, "why", "reason"))
    if state == "rejected":
        by = quoted(_text(event, "decided_by")) or phrases.somebody
        because = phrases.rejected_reason.format(reason=reason) if reason else ""
        said = phrases.rejected.format(by=by, what=what, reason=because)
        if tool == "refund_order":
            order = quoted(args.get("order_id", "…"))
            said += "\n\n" + phrases.rejected_refund.format(id=order)
        return said
    if state in ("cancelled", "expired", "unknown"):
        return str(getattr(phrases, state)).format(what=what)
    if state == "failed" or result.get("ok") is False:
        return phrases.failed.format(error=quoted(_text(result, "error")) or reason or what)
    if state in _NOTHING:
        why = quoted(_text(result, "error")) or reason or quoted(state)
        return phrases.void.format(what=what, reason=why)
    if state in _DONE and result:
        return spoken(tool, result, phrases)
    return phrases.done.format(what=what)


def spoken(tool: str, result: Fields, phrases: Phrases) -> str:
    """Word one tool's answer, as the model was given it."""
    if result.get("ok") is False:
        return phrases.failed.format(error=quoted(_text(result, "error")))
    if "status" in result:
        return phrases.waiting
    word = _WORDINGS.get(tool)
    data = result.get("data")
    if word is None or data is None:
        return quoted(_text(result, "message")) or phrases.done.format(what=described(tool, {}))
    return word(data, phrases)


def read_call(summary: str) -> tuple[str, Fields]:
    """Read the host's one-line summary of a call, `tool(name=json, ...)`, back into its parts."""
    tool, _, rest = summary.partition("(")
    args: dict[str, object] = {}
    decoder, match = json.JSONDecoder(), _ARGUMENT.match(rest)
    while match is not None:
        try:
            args[match["name"]], end = decoder.raw_decode(rest, match.end())
        except ValueError:
            break
        match = _ARGUMENT.match(rest, end)
    return tool, args


def described(tool: str, args: Fields) -> str:
    """Name a call in one line."""
    shown = ", ".join(quoted(value) for value in args.values() if value is not None)
    name = quoted(tool.replace("_", " ")) or "that"
    return f"“{name} {shown}”" if shown else f"“{name}”"


def quoted(value: object) -> str:
    """Return a value as Markdown that reads as it is: no markup of its own, nothing hidden."""
    return _PUNCTUATION.sub(r"\\\1", visible(str(value)))


def _notes(data: object, phrases: Phrases) -> str:
    notes = _objects(data)
    if not notes:
        return phrases.no_notes
    return "\n".join(
        (
            phrases.notes,
            "",
            *(f"- **{quoted(n.get('id'))}** · {quoted(n.get('text'))}" for n in notes),
        )
    )


def _orders(data: object, phrases: Phrases) -> str:
    lines = []
    for order in _objects(data):
        line = phrases.order.format(
            id=f"**{quoted(order.get('id'))}**",
            customer=quoted(order.get("customer")),
            amount=_money(order.get("amount")),
        )
        if order.get("refunded"):
            status, back = quoted(order.get("status")), _money(order.get("refunded"))
            line += f" ({phrases.refunded.format(status=status, refunded=back)})"
        lines.append(f"- {line}")
    return "\n".join((phrases.orders, "", *lines))


def _added(data: object, phrases: Phrases) -> str:
    note = _object(data)
    return phrases.added.format(id=quoted(note.get("id")), text=quoted(note.get("text")))


def _deleted(data: object, phrases: Phrases) -> str:
    note = _object(data)
    return phrases.deleted.format(id=quoted(note.get("id")), text=quoted(note.get("text")))


def _paid_back(data: object, phrases: Phrases) -> str:
    refund = _object(data)
    order = _object(refund.get("order"))
    return phrases.paid_back.format(
        paid=_money(refund.get("paid_back")),
        id=quoted(order.get("id")),
        customer=quoted(order.get("customer")),
        status=quoted(order.get("status")),
    )


def _sent(data: object, phrases: Phrases) -> str:
    letter = _object(data)
    return phrases.sent.format(sent=quoted(letter.get("sent")), text=quoted(letter.get("text")))


def _printed(data: object, phrases: Phrases) -> str:
    return phrases.printed.format(printed=quoted(_object(data).get("printed")))


_WORDINGS: Final[Mapping[str, Callable[[object, Phrases], str]]] = {
    "list_notes": _notes,
    "add_note": _added,
    "delete_note": _deleted,
    "list_orders": _orders,
    "refund_order": _paid_back,
    "broadcast": _sent,
    "print_labels": _printed,
}


def _money(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else quoted(value)


def _object(value: object) -> Fields:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"message": value}
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> Sequence[Fields]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _text(fields: Fields, *names: str) -> str:
    return next((str(fields[name]) for name in names if fields.get(name)), "")
