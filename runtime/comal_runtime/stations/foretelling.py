"""Foretelling: what a tool says beforehand that a call would change, shown and held to."""

import asyncio
import json
import logging
from dataclasses import replace
from typing import Any, Final

from ..beforehand import previewed
from ..call import Call
from ..callables import way_of
from ..consent.seal import sealed
from ..deps import Deps
from ..invoke import CalledOff, Ending, Raised, Returned, TimedOut, invoke
from ..json_values import canonical_json, plain
from ..record import Question
from ..sentences import cut
from ..traces import log_fault
from .lasting import outlive

log = logging.getLogger(__name__)

EFFECT: Final = "effect"
"""Where a question's `preview`, and a result's `meta`, hold what changes."""

UNKNOWN: Final = "unknown"
"""Where a question's `preview` says why that could not be told."""

MOST_SHOWN: Final = 4000  # characters of JSON; nobody weighs more of it on a phone


async def with_preview(question: Question, call: Call, deps: Deps) -> Question:
    """Return a question that is not stored yet with what its tool foretells, under its seal."""
    told = await _foretold(call, deps)
    return question if told is None else sealed(replace(question, preview=canonical_json(told)))


async def foretold_otherwise(call: Call, deps: Deps) -> str | None:
    """Say that a call would not change what was shown, or that nobody can tell any more; or None.

    A question that showed no effect promised none.
    """
    if call.question is None or call.question.preview is None:
        return None
    shown, hides_nothing = call.question.preview, call.question.masked == "[]"
    if EFFECT not in json.loads(shown):
        return None
    told = await _foretold(call, deps)
    if told is not None and canonical_json(told) == shown:
        return None
    if told is None or UNKNOWN in told:
        why = "nothing is foretold" if told is None else told[UNKNOWN]
        return f"what it would change was shown, and cannot be told any more: {why}"
    new = f": {cut(canonical_json(told[EFFECT]))}" if hides_nothing else ""
    return f"what it would change is not what was shown{new}"


async def _foretold(call: Call, deps: Deps) -> dict[str, Any] | None:
    """Ask the tool's preview, as the caller; None where there is nothing to tell. Raises nothing.

    It may do no more than read, so that no fault of it fails the call: the question then says
    that its effect could not be foretold.
    """
    hook = call.tool.options.preview
    if hook is None:
        return None
    ending = await _asked(call, deps)
    if isinstance(ending, TimedOut | CalledOff):
        outlive(deps, ending.running)
    match ending:
        case Returned(value=None):
            return None
        case Returned(value=value, late=False):
            return _fit(value)
        case Raised(error=error, late=False):
            if ending.applied_nothing and ending.began:
                return {UNKNOWN: cut(str(error)) or "it was refused"}
            facts = {"tool": call.tool.name, "request_id": call.ctx.request_id}
            log_fault(log, "preview.failed", error, call.args, **facts)
            return {UNKNOWN: "it failed"}
        case CalledOff():
            raise asyncio.CancelledError
        case _:
            return {UNKNOWN: f"it took longer than {deps.preview_patience:g} s"}


async def _asked(call: Call, deps: Deps) -> Ending:
    tool, hook = call.tool, call.tool.options.preview
    if hook is None:
        raise ValueError(f"{tool.name} foretells nothing")
    try:
        bound = tool.bind(plain(call.args), call.ctx)
        keywords = previewed(hook, bound, tool.context_parameter, call.ctx)
    except Exception as error:  # converting may run the author's own validators
        return Raised(error, began=False)
    came = invoke(
        hook, keywords, way=way_of(hook), timeout=deps.preview_patience, report=lambda _: None
    )
    return came if isinstance(came, Returned | Raised) else await came


def _fit(value: object) -> dict[str, Any]:
    """Return an effect as it is stored; one too long to be read whole is refused, not cut."""
    try:
        text = canonical_json({EFFECT: value})
        effect: dict[str, Any] = json.loads(text)
        text.encode()
    except (TypeError, ValueError, RecursionError):
        return {UNKNOWN: "what it foretells is no JSON"}
    if len(text) > MOST_SHOWN:
        return {UNKNOWN: f"it is too long to foretell: {len(text)} characters of {MOST_SHOWN}"}
    return effect
