"""Verifications: asked for and resolved through the two tools, what is told, who counts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from comal_runtime import ToolResult
from tests.vectors.areas import verification_values
from tests.vectors.areas.area import Facets, Ruling
from tests.vectors.areas.call_checks import envelope_differs, place_of
from tests.vectors.areas.lines import decided, ruling
from tests.vectors.areas.recorded_calls import Step, answer_of, steps_of
from tests.vectors.areas.verification_model import (
    RESOLVE,
    Foretold,
    World,
    by_original,
    recorded_answer,
)
from tests.vectors.areas.verification_stage import Stage
from tests.vectors.decisions import Decision
from tests.vectors.rows import Row
from tests.vectors.values import difference, shown


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row is a flow of verification tools, or makes one of their values."""
    if "steps" not in given:
        return verification_values.fits(given)
    names = [str(step.get("call", "")) for step in given["steps"]]
    return "tools" not in given and bool(names) and all("_verification" in name for name in names)


async def differs(row: Row, decision: Decision | None) -> str | None:
    """Run one row; a step that speaks for another person is made again by that person."""
    if "steps" not in row.input:
        return await verification_values.differs(row, decision)
    stage = Stage.wired(row.input.get("wiring") or {})
    answers: list[str] = []
    wrong: list[str] = []
    for step in steps_of(row.input, row.output):
        filled = stage.filled_in(stage.world.complete(step))
        foretold = stage.world.step(filled)
        result = await stage.carry(filled)
        answers.append(answer_of(result.to_dict()))
        why = _step_differs(filled, foretold, result, stage)
        wrong += [f"step {step.place}: {why}"] if why else []
        why = await _named_differs(filled, foretold, stage)
        wrong += [f"step {step.place}, as {step.args['principal']!r}: {why}"] if why else []
    found: Facets = {"answers": answers}
    return decided(decision, _right(row)[0], found, next(iter(wrong), None))


def recorded(row: Row) -> Facets:
    """Read how the steps came out, or the value that was made."""
    if "steps" not in row.input:
        return verification_values.recorded(row)
    steps = steps_of(row.input, row.output)
    return {"answers": [recorded_answer(step) for step in steps]}


def ruled(row: Row) -> Ruling | None:
    """Say what lines 39 to 46 decide of the answers."""
    if "steps" not in row.input:
        return verification_values.ruled(row)
    return ruling(recorded(row), *_right(row))


def _right(row: Row) -> tuple[Facets, str | None]:
    """Return how the steps must come out, and the line by which that is not as recorded."""
    wiring = row.input.get("wiring") or {}
    world = World(wiring=wiring, told=True)
    answers: list[str] = []
    line = None
    for raw in steps_of(row.input, row.output):
        step = world.complete(raw)
        known = {f"$REQ{place + 1}": f"<REQ{place + 1}>" for place in range(step.place)}
        args = {name: known.get(str(value), value) for name, value in step.args.items()}
        foretold = world.step(replace(step, args=args))
        if foretold.answer == "waits":
            world.learn(step, step.args.get("request_id") or f"<REQ{step.place}>")
        answers.append(_wanted(step, foretold, wiring))
        if answers[-1] != recorded_answer(step):
            line = line or foretold.line
    return {"answers": answers}, line


def _wanted(step: Step, foretold: Foretold, wiring: Mapping[str, Any]) -> str:
    """Return how a step must come out; where the original gives the same, as it was recorded."""
    departs = foretold.answer != by_original(step, wiring)
    return foretold.answer if departs else recorded_answer(step)


def _step_differs(step: Step, foretold: Foretold, result: ToolResult, stage: Stage) -> str | None:
    found = answer_of(result.to_dict())
    return (
        difference(
            f"it comes out (line {foretold.line})",
            _wanted(step, foretold, stage.world.wiring),
            found,
        )
        or _events_differ(foretold, stage.events)
        or _said_differs(step, foretold, result, stage)
    )


def _events_differ(foretold: Foretold, events: list[Any]) -> str | None:
    """Compare what was told: the names in order, the request as it is known, the result."""
    told = [_told(event) for event in events]
    found = [
        {name: one[name] for name in wanted}
        for wanted, one in zip(foretold.events, told, strict=False)
    ]
    names = [wanted["event"] for wanted in foretold.events]
    return difference("the events", names, [event.name for event in events]) or difference(
        "the told events", [dict(wanted) for wanted in foretold.events], found
    )


def _told(event: Any) -> dict[str, Any]:
    request, result = event.get_request(), event.get_result()
    return {
        "event": event.name,
        "subject": request.subject,
        "policy": str(request.policy),
        "requested_by": request.requested_by,
        "request_id": event.get_request_id(),
        "status": str(result.outcome),
    }


def _said_differs(step: Step, foretold: Foretold, result: ToolResult, stage: Stage) -> str | None:
    recorded = step.recorded
    if foretold.line in ("14", "43") and not result.success:
        said = str(recorded.get("error") or "")
        wanted = [said] if foretold.line == "43" else [place_of(one) for one in said.split("; ")]
        lacks = [part for part in wanted if part not in (result.error or "")]
        why = f"the error {shown(result.error)} does not say {shown(lacks)}" if lacks else None
        why = why or difference("its data", recorded.get("data"), result.data)
        return why or _recorded_differs(step, result, stage) or envelope_differs(recorded, result)
    if foretold.answer == "waits":
        heard = stage.failing == bool(result.meta.get("listeners_failed"))
        differs = _recorded_differs(step, result, stage)
        return differs if heard else "it does not say that a listener failed"
    if foretold.answer == "ok":
        named = step.args.get("subject") or step.args["request_id"]
        return None if named in (result.message or "") else f"its message leaves {named!r} out"
    return None


def _recorded_differs(step: Step, result: ToolResult, stage: Stage) -> str | None:
    """Compare what an accepted step gives and tells with its record."""
    recorded, data = step.recorded, step.recorded.get("data") or {}
    if not recorded.get("success"):
        return difference("the recorded events", [], recorded.get("events") or [])
    events = recorded.get("events") or ()
    told = [_told_so(one, stage) for one in events]
    found = [
        {name: value for name, value in _heard(one).items() if name in so}
        for one, so in zip(stage.events, told, strict=False)
    ]
    if len(events) != len(stage.events):
        return f"{len(stage.events)} events, told {len(events)}"
    kept = {name: data[name] for name in ("subject", "policy") if name in data}
    given = {name: (result.data or {}).get(name) for name in kept}
    if "request_id" in data:
        kept["request_id"] = _real(data["request_id"], stage)
        given["request_id"] = result.data["request_id"]
    return difference("the recorded events", told, found) or difference("its data", kept, given)


def _told_so(event: Mapping[str, Any], stage: Stage) -> Facets:
    """Return what both projects tell of an event; an event is one payload key (line 39)."""
    request = event["request"]
    told = {"event": event["event"], "subject": request["subject"]}
    told |= {"payload": event["payload_keys"]} if "payload_keys" in event else {}
    told |= {"id": _real(request["id"], stage)} if "id" in request else {}
    if event["event"] == "verification.requested" and "policy" in request:
        told["policy"] = request["policy"]  # later ones have lost it there
    own = "getRequestId()"
    return told | ({own: _real(event[own], stage)} if own in event else {})


def _real(told: Any, stage: Stage) -> Any:
    """Return the id that stands for a recorded one: `<REQ1>` is what the first step was given."""
    return stage.tokens.get(str(told).replace("<", "$").rstrip(">"), told)


def _heard(event: Any) -> Facets:
    request = event.get_request()
    return {
        "event": event.name,
        "subject": request.subject,
        "policy": str(request.policy),
        "payload": ["event"],
        "id": request.request_id,
        "getRequestId()": event.get_request_id(),
    }


async def _named_differs(step: Step, foretold: Foretold, stage: Stage) -> str | None:
    """Let the person whom the arguments name resolve, in a context of their own (line 45).

    The same call by another caller was refused before and has changed nothing.
    """
    principal = str(step.args.get("principal", ""))
    foreign = foretold.line == "45" and step.name == RESOLVE
    if not foreign or not principal.strip():
        return None
    own = replace(step, ctx={**step.ctx, "principal": principal})
    now = stage.world.step(own)
    result = await stage.carry(own)
    found = answer_of(result.to_dict())
    return (
        difference(f"it comes out (line {now.line})", now.answer, found)
        or _events_differ(now, stage.events)
        or _said_differs(own, now, result, stage)
        or _resolution_differs(own, now, result, stage)
    )


def _resolution_differs(
    step: Step, foretold: Foretold, result: ToolResult, stage: Stage
) -> str | None:
    """Compare who decided and why with what the original told of it; a vote decides nothing."""
    if foretold.answer != "ok" or (stage.events and stage.events[-1].name.endswith("voted")):
        return None
    data = step.recorded.get("data") or {}
    wanted = {name: data.get(name) for name in ("status", "principal", "verifier")}
    wanted["reason"] = data.get("reason") or (data.get("metadata") or {}).get("reason")
    found = {"status": result.data["status"]}
    if stage.events:
        came = stage.events[-1].get_result()
        found |= {name: getattr(came, name) for name in ("principal", "verifier", "reason")}
    told = {name: wanted[name] for name in found}
    return difference("the resolution", told, found) or _recorded_differs(step, result, stage)
