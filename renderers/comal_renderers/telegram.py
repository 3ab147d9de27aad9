"""Spells a document for Telegram: text and entities, never a parse mode."""

from collections.abc import Sequence
from typing import Any

from .buttons import bare_text, rows
from .degrade import degrade, markup_of
from .descriptor import TELEGRAM, Descriptor
from .document import Action, Document
from .entities import entities_of
from .layout import Run, lay_out
from .numbering import numbered_parts, room_for_numbers
from .plain import bare_runs
from .rendered import Rendered
from .split import shortened, split


def spell_telegram(
    document: Document, descriptor: Descriptor = TELEGRAM, *, numbered: bool = False
) -> Rendered:
    """Spell the document as `sendMessage` bodies; the keyboard hangs on the last.

    `numbered` begins each of several messages with `⟨2/3⟩` on a line of its own, so that none
    can pass for the beginning of another.
    """
    fitted = degrade(document, descriptor)
    marked = markup_of(descriptor) == "entities"
    runs = lay_out(fitted.blocks) if marked else bare_runs(fitted.blocks)
    room = room_for_numbers(descriptor) if numbered else None
    parts = split(runs, descriptor, room)
    parts, cut = shortened(parts, descriptor, document.language, room)
    if numbered:
        parts = numbered_parts(parts, descriptor)
    if fitted.actions and not parts:
        parts = [(Run(text=bare_text(descriptor)),)]
    bodies = [_body(part) for part in parts]
    if fitted.actions:
        keyboard = [list(map(_button, row)) for row in rows(fitted.actions, descriptor.buttons)]
        bodies[-1]["reply_markup"] = {"inline_keyboard": keyboard}
    return Rendered(parts=tuple(bodies), cut=cut)


def _body(part: Sequence[Run]) -> dict[str, Any]:
    return {"text": "".join(run.text for run in part), "entities": entities_of(part)}


def _button(action: Action) -> dict[str, str]:
    button = {"text": action.label, "callback_data": action.data}
    if action.tone != "neutral":
        button["style"] = action.tone  # Source: Bot API 9.4, InlineKeyboardButton.style.
    return button
