"""Holds the audit record of a step against lines 34 and 35, whatever was recorded of it."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tests.vectors.areas.recorded_calls import Step
from tests.vectors.areas.wired_calls import Came
from tests.vectors.values import difference, same, shown

SECRET: Final = frozenset(
    {"password", "passwd", "token", "secret", "apikey", "authorization", "cookie"}
    | {"privatekey", "confirmtoken", "accesstoken"}
)
"""The key names that line 35 gives, without case and separators."""


def is_secret(name: str) -> bool:
    """Tell whether line 35 names a key as secret."""
    return "".join(filter(str.isalnum, name)).lower() in SECRET


def audit_differs(step: Step, came: Came) -> str | None:
    """Say what differs: one record a call, whole, on one line each, without secrets."""
    if len(came.audit) != 1:
        return f"{len(came.audit)} audit records were left; one is wanted (line 34)"
    kept = came.audit[0]
    facts = (
        ("tool", _line(step.name), kept.tool),
        ("channel", _line(step.ctx.get("channel", "cli")), kept.channel),
        ("ip", step.ctx.get("ip"), kept.ip),
        ("code", came.result.code, kept.code),
        ("principal", _line(step.ctx.get("principal")), kept.principal),
        ("time", step.at, kept.at),
    )
    for name, wanted, found in facts:
        why = difference(f"the audit's {name}", wanted, found)
        if why:
            return why
    if kept.output_bytes < len(json.dumps(came.result.data, default=str)):
        return f"the audit counts {kept.output_bytes} bytes of output"
    return _args_differ(step, kept.args, redeemed=kept.question is not None)


def _args_differ(step: Step, text: str, *, redeemed: bool) -> str | None:
    """Compare the kept arguments; a call that redeems a token keeps those that were stored."""
    if step.has_token and redeemed:
        return None
    return next(_kept_wrongly(step.plain_args, json.loads(text), ""), None)


def _kept_wrongly(given: Any, kept: Any, at: str) -> Iterator[str]:
    if isinstance(given, dict) and isinstance(kept, dict):
        for name, value in given.items():
            place = f"{at}/{name}"
            if name not in kept:
                yield f"the audit leaves {place} out"
            elif not is_secret(name):
                yield from _kept_wrongly(value, kept[name], place)
            elif same(kept[name], value) and value is not None and not isinstance(value, bool):
                yield f"the audit shows {place} (line 35)"
    elif isinstance(given, list) and isinstance(kept, list):
        for index, (value, found) in enumerate(zip(given, kept, strict=False)):
            yield from _kept_wrongly(value, found, f"{at}/{index}")


def _line(text: str | None) -> str | None:
    """Spell a text as one line: what could break it is written as an escape."""
    if text is None or text.isprintable():
        return text
    return "".join(one if one.isprintable() else shown(one)[1:-1] for one in text)
