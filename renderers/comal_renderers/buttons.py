"""Which actions become buttons on a channel, and how the buttons stand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from .descriptor import ButtonLimits, Descriptor
from .document import Action
from .layout import clean
from .measuring import size

_ROW_WIDTH: Final = 32  # Characters of labels in one row; our choice, for narrow phones.
_NO_LABEL: Final = "…"
_NO_TEXT: Final = ("…", ".")  # The first that a message of the channel holds.


def offered(
    actions: Sequence[Action], limits: ButtonLimits | None
) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    """Return the actions that can be buttons, and those that cannot.

    A button's data has at least one byte; there are no more buttons than the channel takes.
    """
    labelled = [replace(action, label=_label(action)) for action in actions]
    if limits is None:
        return (), tuple(labelled)
    fitting = [each for each in labelled if 1 <= _bytes(each.data) <= limits.data_bytes]
    buttons = fitting[: max(0, limits.total)]
    return tuple(buttons), tuple(each for each in labelled if each not in buttons)


def rows(actions: Sequence[Action], limits: ButtonLimits | None) -> list[list[Action]]:
    """Return buttons in rows: as many as the channel and a narrow screen take."""
    most = max(1, limits.per_row) if limits else 1
    made: list[list[Action]] = []
    for action in actions:
        taken = sum(len(other.label) for other in made[-1]) if made else 0
        if made and len(made[-1]) < most and taken + len(action.label) <= _ROW_WIDTH:
            made[-1].append(action)
        else:
            made.append([action])
    return made


def bare_text(descriptor: Descriptor) -> str:
    """Return what a message says that is there for its buttons alone."""
    limit, unit = descriptor.text_limit, descriptor.text_unit
    return next(t for t in _NO_TEXT if limit is None or size(t, unit) <= limit or t == _NO_TEXT[-1])


def spelled_rows(actions: Sequence[Action], descriptor: Descriptor) -> list[list[dict[str, Any]]]:
    """Spell buttons for a channel of our own: label, data and tone each."""
    return [
        [{"label": each.label, "data": each.data, "tone": each.tone} for each in row]
        for row in rows(actions, descriptor.buttons)
    ]


def _bytes(data: str) -> int:
    return len(data.encode("utf-8", "surrogatepass"))


def _label(action: Action) -> str:
    return " ".join(clean(action.label).split()) or _NO_LABEL
