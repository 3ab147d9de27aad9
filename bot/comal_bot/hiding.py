"""Hiding: the secrets of a call, to be masked wherever else they stand than in its arguments."""

import json
from collections.abc import Iterator
from typing import Final

from comal_renderers.concealing import Secrets, conceal
from comal_runtime.record import Question
from comal_runtime.redact import Json, redact
from comal_runtime.tools import canonical_json

_SHORTEST: Final = 4  # characters; a shorter one may stand in any text by chance


def hidden_in(question: Question | None) -> Secrets:
    """Return the texts that the cards of a question hide, also as JSON spells them."""
    return Secrets(() if question is None else _hidden(question))


def told(value: object, secrets: Secrets) -> Json:
    """Return JSON-shaped data as it may be read, without these secrets and what looks like one."""
    return redact(conceal(value, secrets) if secrets else value)


def _hidden(question: Question) -> Iterator[str]:
    args = json.loads(question.args)
    for pointer in json.loads(question.masked):
        value = args
        for part in pointer.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            value = value[int(name)] if isinstance(value, list) else value[name]
        text = value if isinstance(value, str) else canonical_json(value)
        if len(text) >= _SHORTEST:
            yield text
            yield canonical_json(text)[1:-1]
