"""The seal of a question: one digest over all that was asked, taken when it is stored."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..record import Question

_SEALED: Final = (
    "id", "kind", "tool", "definition_digest", "args", "args_digest", "subject", "summary",
    "principal", "channel", "conversation", "origin", "route", "idempotency_key", "masked",
    "preview", "supersedes", "edited_by", "repeats", "created_at", "expires_at",
)  # fmt: skip
"""What never changes once people were asked."""


def asked_in(question: Question) -> dict[str, Any]:
    """Return, JSON-shaped, all that a question asks: call, requester, place and terms."""
    return {name: getattr(question, name) for name in _SEALED}


def seal_over(asked: Mapping[str, Any]) -> str:
    """Return the sha256, in hex, of what was asked, whatever was sealed at that time."""
    text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seal_of(question: Question) -> str:
    """Return the seal of what a question asks."""
    return seal_over(asked_in(question))


def sealed(question: Question) -> Question:
    """Return the question with its seal."""
    return replace(question, digest=seal_of(question))


def is_intact(question: Question) -> bool:
    """Tell whether a stored question still asks what people were shown.

    One that was stored before there were seals has none to break.
    """
    return question.digest is None or question.digest == seal_of(question)
