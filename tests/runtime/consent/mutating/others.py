"""Values and arguments of about the same kind as what was shown, which are not it."""

import json
from random import Random
from typing import Any, Final

from comal_runtime.consent.question import digest_of

from .shown import ARGS

_TEXTS: Final = (
    "",
    "x",
    "\u0412\u043e",
    "telegram:9",
    "B o",
    "b\u200bo",
    "pay",
    "send",
    "🎂",
    "a" * 300,
)


def other(value: Any, chance: Random) -> Any:
    """Return a value of about the same kind that is not this one."""
    while True:
        new = _random(value, chance)
        if json.dumps(new, sort_keys=True) != json.dumps(value, sort_keys=True):
            return new


def _random(value: Any, chance: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return chance.choice([value + chance.randint(-9, 9), -value, value * 1000, float(value)])
    if isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        return chance.choice([*_TEXTS, value[:at] + chance.choice('a0 \u202e,"') + value[at:]])
    if isinstance(value, list):
        return chance.choice([[], [*value, "/to"], [other(one, chance) for one in value]])
    if isinstance(value, dict):
        name = chance.choice(sorted(value) or ["new"])
        rest = {key: one for key, one in value.items() if key != name}
        return chance.choice([rest, {**value, name: other(value.get(name, 1), chance)}])
    return chance.choice(["something", "telegram:9"])


def arguments(chance: Random) -> dict[str, Any]:
    """Return arguments that fit the schema and are not those that were shown."""
    name = chance.choice(["to", "amount", "lines"])
    while True:
        args = {**ARGS, name: other(ARGS[name], chance)}
        if isinstance(args["amount"], int) and digest_of(args) != digest_of(ARGS):
            return args
