"""Holds one carried step against what the laws foretell and what was recorded of it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from comal_runtime import ToolResult
from comal_runtime.consent.confirmation import TokenFault
from comal_runtime.stations.resolve import UNUSABLE
from tests.vectors.areas.audit_checks import audit_differs, is_secret
from tests.vectors.areas.call_model import Foretold
from tests.vectors.areas.recorded_calls import TOKEN, Step, answer_of, epoch
from tests.vectors.areas.wired_calls import Came
from tests.vectors.values import difference, same, shown

_WHOLE: Final = ("Missing required field", "Unknown property")
"""What validation says in the same words everywhere; of the rest the place is compared."""

_SIGNED: Final = (
    *("tool", "request_id", "channel", "principal", "type", "code", "requires_confirmation"),
    *("action", "target", "target_id", "suggestion"),
)
"""The parts of a result's meta that both projects spell alike."""

_FAULTS: Final = {
    "23": (TokenFault.EXPIRED,),
    "24": (TokenFault.FOREIGN,),
    "26": ("model_token",),
    "27": (TokenFault.UNKNOWN, TokenFault.USED, TokenFault.WRONG_TOOL),
}
"""How the audit names a token by the line that refuses it."""


def differs_from(
    step: Step, here: Foretold, there: Foretold, came: Came, wiring: Mapping[str, Any]
) -> str | None:
    """Say the first difference; where both laws foretell one thing the recorded step is right."""
    recorded = step.recorded if here == there and is_right(step.recorded) else None
    return (
        _untold(step, here, there)
        or difference(
            "it comes out", wanted_answer(step, here, there), answer_of(came.result.to_dict())
        )
        or _run_differs(here, recorded, came)
        or _events_differ(here, recorded, came, wiring)
        or _says_differs(step, here, recorded, came)
        or _gives_differs(step, recorded, came)
        or envelope_differs(recorded, came.result)
        or _meta_differs(step, here, came)
        or audit_differs(step, came)
        or _told_apart(here, came)
    )


def _untold(step: Step, here: Foretold, there: Foretold) -> str | None:
    """Refuse a record that neither law gives; where both agree, the record itself decides."""
    told, laws = answer_of(step.recorded), (here.answer, there.answer)
    known = here == there or "as recorded" in laws or is_brief(step, there)
    return None if known or told in laws else f"it is told to come out {told!r}, by no law"


def _told_apart(here: Foretold, came: Came) -> str | None:
    """Compare how the audit names a token that redeems nothing; the caller is told nothing."""
    named = _FAULTS[here.line] if here.neutral else (came.audit[0].decision,)
    return None if came.audit[0].decision in named else f"the audit says {came.audit[0].decision}"


def wanted_answer(step: Step, here: Foretold, there: Foretold) -> str:
    """Return how a step must come out; a recorded step may tell no more than its code."""
    recorded = answer_of(step.recorded)
    if here.answer == "as recorded":
        return recorded
    if here != there or not is_right(step.recorded):
        return here.answer
    return here.answer if is_brief(step, here) else recorded


def is_brief(step: Step, foretold: Foretold) -> bool:
    """Tell whether a record says no more than that a question or a plan is a success."""
    brief = "meta" not in step.recorded and answer_of(step.recorded) == "ok"
    return brief and foretold.answer in ("asks", "planned")


def is_right(recorded: Mapping[str, Any]) -> bool:
    """Tell whether a recorded step can be right at all: nothing escapes a call (line 11)."""
    return answer_of(recorded) != "escaped"


def _run_differs(here: Foretold, recorded: Mapping[str, Any] | None, came: Came) -> str | None:
    """Compare what the tool received; the context is no argument (line 8)."""
    wanted = [] if here.ran is None else [dict(here.ran)]
    if recorded is not None and "callback_received" in recorded:
        told = recorded["callback_received"] or []
        own = here.ran or {}
        wanted = [
            {name: value for name, value in one.items() if name != "_ctx" or name in own}
            for one in told
        ]
    return difference("the tool received", wanted, came.received)


def _events_differ(
    here: Foretold, recorded: Mapping[str, Any] | None, came: Came, wiring: Mapping[str, Any]
) -> str | None:
    if wiring.get("dispatcher") is not True:
        return None
    if recorded is not None and "events" not in recorded:
        return None
    if recorded is None:
        return difference("the events", list(here.events), [one["event"] for one in came.events])
    told = [_told(event) for event in recorded["events"]]
    return difference("the events", told, came.events)


def _told(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recorded event without what is the original's own."""
    kept = ("event", "name", "principal", "success", "cacheServed")
    args = event.get("args") or {}
    plain = {name: value for name, value in args.items() if value != "<ToolContext>"}
    return {**{name: event[name] for name in kept if name in event}, "args": plain}


def _says_differs(
    step: Step, here: Foretold, recorded: Mapping[str, Any] | None, came: Came
) -> str | None:
    """Compare what a refusal says: quoted wordings whole, others by what they must name."""
    error = came.result.error or ""
    lacks = [part for part in _named(step, here, recorded) if part not in error]
    if lacks:
        return f"the error {shown(error)} does not say {shown(lacks)}"
    raw = str(step.recorded.get("error") or "")
    if here.line == "33" and here.answer in ("INTERNAL_ERROR", "OUTCOME_UNKNOWN") and raw:
        return f"the error tells the exception's own text: {shown(error)}" if raw in error else None
    return None


def _named(step: Step, here: Foretold, recorded: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield what the error must contain."""
    said = str((recorded or {}).get("error") or "")
    match here.answer:
        case "TOOL_NOT_FOUND":
            yield said or f"Tool not found: {step.name}"
        case "VALIDATION_ERROR" if here.line == "14":
            yield from map(place_of, said.split("; "))
        case "FORBIDDEN" if here.neutral:
            yield UNUSABLE
        case "FORBIDDEN":
            yield from [said] if said and not here.line.startswith("rule") else here.says
        case "RATE_LIMITED" if step.ctx.get("principal"):
            yield f"{step.ctx['channel']}:{step.ctx['principal']}:{step.name}"
        case "blocked" if here.line == "31" and here.events:
            yield "listener_"
        case "blocked" | "error" if here.line == "32":
            yield said


def place_of(part: str) -> str:
    """Return what both projects say of one fault: its place, or the whole of two kinds."""
    head, colon, _ = part.partition(": ")
    return part if head in _WHOLE else f"{head}{colon}"


def _gives_differs(step: Step, recorded: Mapping[str, Any] | None, came: Came) -> str | None:
    """Compare what a call gives: data, plan or question."""
    result = came.result
    if answer_of(result.to_dict()) == "planned":
        return _plan_differs(step, result.data["plan"])
    if result.type == "confirmation" and not came.received:
        return _question_differs(step, recorded, came)
    if recorded is None or "data" not in recorded:
        return None
    return difference("its data", recorded["data"], result.data) or difference(
        "its message", recorded.get("message"), result.message
    )


def _plan_differs(step: Step, plan: Mapping[str, Any]) -> str | None:
    """Compare a plan; its arguments are redacted and hold no token (line 21)."""
    data = step.recorded.get("data") or {}
    for name, value in (data.get("plan") or {}).items():
        if name == "args":
            value = {key: item for key, item in dict(value or {}).items() if key != TOKEN}
            value = {
                key: plan["args"].get(key) if is_secret(key) else item
                for key, item in value.items()
            }
            leaks = [
                key for key in value if is_secret(key) and same(value[key], step.args.get(key))
            ]
            if leaks:
                return f"the plan shows {leaks}"
        why = difference(f"the plan's {name}", value, plan.get(name))
        if why:
            return why
    return None


def _question_differs(step: Step, recorded: Mapping[str, Any] | None, came: Came) -> str | None:
    """Compare a question: its token, its end, and a summary that is whole (lines 22, 26, 28)."""
    data = came.result.data
    if isinstance(data.get(TOKEN), str) is step.by_model:
        return "a model is given a token" if step.by_model else "no token is given"
    told = (recorded or {}).get("data") or {}
    if "expires_at" in told:
        why = difference("when it ends", epoch(told["expires_at"]), data.get("expires_at"))
        if why:
            return why
    summary = str(data.get("action_summary"))
    return next((f"the summary {shown(summary)} {why}" for why in _gaps(step, summary)), None)


def _gaps(step: Step, summary: str) -> Iterator[str]:
    """Yield what a summary hides that it must show, and shows that it must hide."""
    if not summary.startswith(f"{step.name}("):
        yield "does not name the tool"
    for name, value in step.plain_args.items():
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if name not in summary:
            yield f"leaves {name} out"
        if is_secret(name) and text in summary:
            yield f"shows {name}"
        if not is_secret(name) and isinstance(value, str | int) and text not in summary:
            yield f"does not show {name} whole"


def envelope_differs(recorded: Mapping[str, Any] | None, result: ToolResult) -> str | None:
    """Compare what both projects tell of a result besides what it gives."""
    told, here = recorded or {}, result.to_dict()
    meta = dict(told.get("meta") or {})
    if "tool" not in meta:  # a tool's own result, unsigned there; what it forges is no target
        meta = {name: said for name, said in meta.items() if name not in _SIGNED[:4]}
    pairs = {
        "requiresConfirmation()": (told, result.requires_confirmation),
        "isBlocked()": (told, result.type == "blocked"),
        **{name: (meta, result.meta.get(name)) for name in _SIGNED},
    }
    for name, (said, found) in pairs.items():
        why = difference(name, said[name], found) if name in said else None
        if why:
            return why
    silent = "error" in told and (told["error"] is None) is not (here["error"] is None)
    return f"its error is {shown(here['error'])}, told {shown(told['error'])}" if silent else None


def _meta_differs(step: Step, here: Foretold, came: Came) -> str | None:
    """Compare what the runtime signs a result with, which no tool can forge (line 32)."""
    meta, ctx = came.result.meta, step.ctx
    signed = {
        "tool": step.name,
        "request_id": ctx.get("request_id", meta.get("request_id")),
        "channel": ctx.get("channel", "cli"),
        "principal": ctx.get("principal"),
    }
    for name, value in signed.items():
        why = difference(f"meta.{name}", value, meta.get(name))
        if why:
            return why
    if not meta["took_ms"] >= 0:
        return f"meta.took_ms is {meta['took_ms']}"
    cut = here.answer in ("TIMEOUT", "OUTCOME_UNKNOWN") and here.line == "32"
    if meta.get("timeout_exceeded", False) is not cut:
        return f"meta.timeout_exceeded is {meta.get('timeout_exceeded')}"
    changed = {
        name
        for name, value in (here.ran or {}).items()
        if name in step.args and not same(value, step.args[name])
    }
    if changed and not step.has_token:
        return difference(
            "meta.clamped (line 15)", sorted(changed), sorted(meta.get("clamped", ()))
        )
    return None
