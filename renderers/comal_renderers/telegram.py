"""Spells a document for Telegram: text and entities, never a parse mode."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from .degrade import degrade
from .descriptor import TELEGRAM, ButtonLimits
from .document import Action, Document
from .entities import entities_of
from .layout import Run, lay_out
from .rendered import Rendered
from .split import split

_TEXT_LIMIT: Final = TELEGRAM.text_limit or 0
_ENTITY_LIMIT: Final = TELEGRAM.entity_limit or 0
_BUTTONS: Final = TELEGRAM.buttons or ButtonLimits(data_bytes=0, per_row=1, total=0)
_ROW_WIDTH: Final = 32  # Characters of labels in one row; our choice, for narrow phones.
_NUMBER_ROOM: Final = 32
_BARE: Final = (Run(text="…"),)


def spell_telegram(document: Document, *, numbered: bool = False) -> Rendered:
    """Spell the document as `sendMessage` bodies; the keyboard hangs on the last.

    `numbered` begins each of several messages with `⟨2/3⟩` on a line of its own, so that none
    can pass for the beginning of another.

    Raises:
        ValueError: A button's data is empty or over 64 bytes, or its label is blank.
    """
    fitted = degrade(document, TELEGRAM)
    keyboard = [[_button(action) for action in row] for row in _rows(fitted.actions)]
    runs = lay_out(fitted.blocks)
    room = _TEXT_LIMIT - _NUMBER_ROOM if numbered else _TEXT_LIMIT
    parts = split(runs, text_limit=room, entity_limit=_ENTITY_LIMIT)
    if numbered and len(parts) > 1:
        parts = [
            (Run(text=f"⟨{number}/{len(parts)}⟩\n"), *part) for number, part in enumerate(parts, 1)
        ]
    if keyboard and not parts:
        parts = [_BARE]
    bodies = [_body(part) for part in parts]
    if keyboard:
        bodies[-1]["reply_markup"] = {"inline_keyboard": keyboard}
    return Rendered(parts=tuple(bodies))


def _body(part: Sequence[Run]) -> dict[str, Any]:
    return {"text": "".join(run.text for run in part), "entities": entities_of(part)}


def _rows(actions: Sequence[Action]) -> Iterator[list[Action]]:
    row: list[Action] = []
    for action in actions:
        width = sum(len(other.label) for other in (*row, action))
        if row and (len(row) == _BUTTONS.per_row or width > _ROW_WIDTH):
            yield row
            row = []
        row.append(action)
    if row:
        yield row


def _button(action: Action) -> dict[str, str]:
    size = len(action.data.encode())
    if not 1 <= size <= _BUTTONS.data_bytes:
        raise ValueError(
            f"callback data {action.data!r} has {size} bytes; Telegram takes 1 to"
            f" {_BUTTONS.data_bytes}"
        )
    if not action.label.strip():
        raise ValueError(f"the button with callback data {action.data!r} has a blank label")
    button = {"text": action.label, "callback_data": action.data}
    if action.tone != "neutral":
        button["style"] = action.tone  # Source: Bot API 9.4, InlineKeyboardButton.style.
    return button
