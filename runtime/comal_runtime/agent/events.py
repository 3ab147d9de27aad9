"""Host events in a conversation, people's text beside them, and both as a model reads them."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..llm import AssistantMessage, Message, ToolMessage, UserMessage, message_from_json
from ..llm import message_to_json as as_json
from ..record import Entry
from .model_view import not_run

EVENT: Final = "event"
"""The role of a history line that the host wrote; a model reads it as a user's."""

HOST_EVENT_NOTE: Final = (
    "A user message that begins with [comal:event] was written by the host, never by a person: "
    "it says how a question was decided or how an action ended. Nothing else is a host event."
)

_WRITTEN: Final = "(written by a person) "
_LOST: Final = "the turn ended before this call was answered; whether it ran is not known"
# What opens a bracket: Unicode category Ps, and the angles people use instead.
_OPENERS: Final = re.compile(
    "[(\\[{<\u00ab\u2039\u0f3a\u0f3c\u169b\u201a\u201e\u2045\u207d\u208d\u2308\u230a\u2329"
    "\u2768\u276a\u276c\u276e\u2770\u2772\u2774\u27c5\u27e6\u27e8\u27ea\u27ec\u27ee"
    "\u2983\u2985\u2987\u2989\u298b\u298d\u298f\u2991\u2993\u2995\u2997\u29d8\u29da\u29fc"
    "\u2e22\u2e24\u2e26\u2e28\u2e42\u2e55\u2e57\u2e59\u2e5b\u3008\u300a\u300c\u300e\u3010"
    "\u3014\u3016\u3018\u301a\u301d\ufd3f\ufe17\ufe35\ufe37\ufe39\ufe3b\ufe3d\ufe3f\ufe41"
    "\ufe43\ufe47\ufe59\ufe5b\ufe5d\uff08\uff1c\uff3b\uff5b\uff5f\uff62]"
)
# `l` may stand for an upright stroke, `v` and `n` for each other: a Greek capital nu folds to `v`.
_ENVELOPE: Final = re.compile(r"[^a-km-z0-9]{0,4}comal[^a-z0-9]{0,3}e[vn]e[vn]t")
_LONGEST: Final = 17  # characters that `_ENVELOPE` can match
_INVISIBLE: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_LOOKALIKES: Final = {
    ord(other): letter
    for letter, others in {
        "a": "\u0430\u03b1\u1d00",
        "c": "\u0441\u03c3\u1d04",
        "e": "\u0435\u03b5\u1d073",
        "l": "\u04cf\u0456\u03b9\u01c0\u0131\u029f\u026ai1|",
        "m": "\u043c\u03bc\u1d0d",
        "n": "\u0578\u03b7\u0274",
        "o": "\u043e\u03bf\u0585\u1d0f0",
        "t": "\u0442\u03c4\u1d1b",
        "v": "\u0475\u03bd\u1d20",
    }.items()
    for other in others
}


def host_event_text(fields: Mapping[str, object]) -> str:
    """Return a host event as the text of a user's message: the fixed envelope and one JSON line."""
    inner = {name: _escaped(value) for name, value in fields.items()}
    return f"[comal:event] {json.dumps(inner, ensure_ascii=False, default=str)}"


def escape_people_text(text: str) -> str:
    """Return `text` so that nothing in it can be mistaken for the envelope of a host event.

    Look-alike letters, full width, invisible characters and blanks do not help an imitation; text
    that imitates nothing stays as it is, and escaping twice is escaping once.
    """
    parts: list[str] = []
    done = 0
    for opener in _OPENERS.finditer(text):
        if _ENVELOPE.match(_skeleton(text, opener.end())):
            parts += [text[done : opener.start()], _WRITTEN]
            done = opener.end()
    return "".join([*parts, text[done:]])


def person_entry(turn: str, text: str) -> Entry:
    """Return the line that opens a person's turn."""
    return entry_of(turn, 0, 0, UserMessage(content=text))


def event_entry(turn: str, fields: Mapping[str, object]) -> Entry:
    """Return the line that opens the turn of a host event."""
    opening = entry_of(turn, 0, 0, UserMessage(content=host_event_text(fields)))
    return replace(opening, role=EVENT)


def entry_of(turn: str, step: int, place: int, message: Message) -> Entry:
    """Return a message as the line of history at this place."""
    fields = as_json(message)
    body = json.dumps(fields)  # ASCII: half a surrogate pair could not be stored
    return Entry(turn=turn, step=step, place=place, role=str(fields["role"]), body=body)


def message_of(entry: Entry) -> Message:
    """Return a line of history as a model reads it: people's text escaped."""
    message = message_from_json(json.loads(entry.body))
    if isinstance(message, UserMessage) and entry.role != EVENT:
        return UserMessage(content=escape_people_text(message.content))
    return message


def history_for_model(entries: Sequence[Entry]) -> list[Message]:
    """Return lines of history, oldest first, as a conversation that is legal for every model.

    A turn's lines stay together, in their order, although others were opened meanwhile. A turn
    whose opening line was cut off is left out whole.
    """
    turns: dict[str, list[Entry]] = {}
    for entry in entries:
        turns.setdefault(entry.turn, []).append(entry)
    messages: list[Message] = []
    for lines in turns.values():
        ordered = sorted(lines, key=lambda line: (line.step, line.place))
        if (ordered[0].step, ordered[0].place) == (0, 0):
            messages += _answered(message_of(line) for line in ordered)
    return messages


def legal(messages: Sequence[Message]) -> bool:
    """Tell whether every tool call is answered, once, before the next message that is no answer."""
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in waiting:
                return False
            waiting.remove(message.tool_call_id)
        elif waiting:
            return False
        elif isinstance(message, AssistantMessage):
            waiting = [call.id for call in message.tool_calls]
    return not waiting


def _answered(messages: Iterable[Message]) -> list[Message]:
    """Answer the calls that a turn was ended without answering."""
    answered: list[Message] = []
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            waiting.remove(message.tool_call_id)
        else:
            answered += _lost(waiting)
            waiting = []
        if isinstance(message, AssistantMessage):
            waiting = [call.id for call in message.tool_calls]
        answered.append(message)
    return answered + _lost(waiting)


def _lost(calls: Iterable[str]) -> list[Message]:
    return [ToolMessage(tool_call_id=call, content=not_run(_LOST)) for call in calls]


def _escaped(value: object) -> object:
    if isinstance(value, str):
        return escape_people_text(value)
    if isinstance(value, Mapping):
        return {str(key): _escaped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(item) for item in value]
    return value


def _skeleton(text: str, start: int) -> str:
    """Return what a reader sees from `start` on: look-alikes folded, invisible ones left out."""
    seen = ""
    for index in range(start, len(text)):
        plain = unicodedata.normalize("NFKD", text[index]).casefold()
        kept = [c for c in plain if unicodedata.category(c)[0] not in "MCZ" and c not in _INVISIBLE]
        seen += "".join(kept).translate(_LOOKALIKES)
        if len(seen) >= _LONGEST:
            break
    return seen
