"""Calls through the registry: who answers first, with what, what runs, what is told and kept."""

from typing import Any, Final

from tests.vectors.areas import registry_ops, schema_rules
from tests.vectors.areas.area import Facets, Ruling, first_difference
from tests.vectors.areas.budget_model import Budget
from tests.vectors.areas.call_checks import differs_from, is_brief, wanted_answer
from tests.vectors.areas.call_model import Foretold, World
from tests.vectors.areas.gate_rules import is_refused
from tests.vectors.areas.law_tables import COMAL, ORIGINAL, Law
from tests.vectors.areas.lines import decided, ruling
from tests.vectors.areas.recorded_calls import Declared, Step, answer_of, runs, steps_of, tools_of
from tests.vectors.areas.virtual_time import in_virtual_time
from tests.vectors.areas.wired_calls import DECLARING, stage_of
from tests.vectors.decisions import Decision
from tests.vectors.rows import Row
from tests.vectors.values import difference

REFUSED: Final[Facets] = {"declared": "refused"}


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row holds tools and calls of them, or tells of a registry in a sentence."""
    return {"tools", "steps"} <= given.keys() or registry_ops.fits(given)


async def differs(row: Row, decision: Decision | None) -> str | None:
    """Run one row and compare every step with the two laws and with its record."""
    if registry_ops.fits(row.input):
        found = await registry_ops.found(row)
        right = registry_ops.right(row)
        return decided(decision, right, found, first_difference(right, found))
    found, why = await in_virtual_time(lambda: _carried(row))
    return decided(decision, _right(row)[0], found, why)


def recorded(row: Row) -> Facets:
    """Read how the steps came out, or what a sentence's row tells."""
    if registry_ops.fits(row.input):
        return registry_ops.recorded(row)
    steps = steps_of(row.input, row.output)
    told = [
        there.answer if is_brief(step, there) else answer_of(step.recorded)
        for step, there in zip(steps, _walk(row, steps, ORIGINAL), strict=True)
    ]
    return {"answers": runs(told)}


def ruled(row: Row) -> Ruling | None:
    """Say what the contract decides of the answers."""
    if registry_ops.fits(row.input):
        return registry_ops.ruled(row)
    return ruling(recorded(row), *_right(row))


def _right(row: Row) -> tuple[Facets, str | None]:
    """Return how the steps must come out, and the line by which that is not as recorded."""
    refused = _refusing_line(row)
    if refused is not None:
        return REFUSED, refused
    steps, line = steps_of(row.input, row.output), None
    answers: list[str] = []
    for step, here, there in zip(steps, *_foretold(row, steps), strict=True):
        answers.append(wanted_answer(step, here, there))
        told = there.answer if is_brief(step, there) else answer_of(step.recorded)
        if answers[-1] != told:
            line = line or _numbered(_deciding(step, here, there), row)
    return {"answers": runs(answers)}, line


def _deciding(step: Step, here: Foretold, there: Foretold) -> str:
    """Name the line by which a step departs: that of the refusal which is not, or which is."""
    if there.line == "20" or here.answer != "ok":
        return "20" if there.line == "20" else here.line
    if there.line == "14" and step.has_token:
        return "23" if _lacks_arguments(step) else "25"
    return "11" if there.line == here.line else there.line


def _numbered(line: str, row: Row) -> str:
    """Return the line of a check of the gate, which is foretold by its name."""
    if line[0].isdigit():
        return line
    return "19" if (row.input.get("wiring") or {}).get("policies") else "18"


def _lacks_arguments(step: Step) -> bool:
    return "Missing required" in str(step.recorded.get("error"))


async def _carried(row: Row) -> tuple[Facets, str | None]:
    """Carry the steps out; return how they came out, and the first difference."""
    steps, wiring = steps_of(row.input, row.output), row.input.get("wiring") or {}
    right, line = _right(row)
    try:
        stage = stage_of(tools_of(row.input), wiring, steps)
    except DECLARING as error:
        why = first_difference(right, REFUSED)
        return REFUSED, why and f"declaring it raised {type(error).__name__}: {error}"
    if right == REFUSED:
        return {"declared": "taken"}, f"it is not refused when it is declared (line {line})"
    answers: list[str] = []
    wrong: list[str] = []
    for step, here, there in zip(steps, *_foretold(row, steps), strict=True):
        came = await stage.carry(step)
        answers.append(answer_of(came.result.to_dict()))
        why = differs_from(step, here, there, came, wiring)
        departs = "" if here == there else f" (line {here.line})"
        wrong += [f"step {step.place}: {why}{departs}"] if why else []
    charged = _charges_differ(row, steps, stage.limiter.asked if stage.limiter else [])
    listed = registry_ops.catalogue_differs(row, stage.registry)
    return {"answers": runs(answers)}, next(filter(None, (*wrong, charged, listed)), None)


def _foretold(row: Row, steps: list[Step]) -> tuple[list[Foretold], list[Foretold]]:
    return _walk(row, steps, COMAL), _walk(row, steps, ORIGINAL)


def _walk(row: Row, steps: list[Step], law: Law) -> list[Foretold]:
    world = _world(row, law)
    return [world.step(step) for step in steps]


def _world(row: Row, law: Law) -> World:
    wiring = row.input.get("wiring") or {}
    budget = Budget(kind=wiring.get("rateLimiter"), evenly=law.refills_evenly)
    return World(law=law, tools=tools_of(row.input), wiring=wiring, budget=budget)


def _charges_differ(row: Row, steps: list[Step], asked: list[tuple[str, float]]) -> str | None:
    """Compare what the limiter was asked to charge: one intended act once (line 20)."""
    world = _world(row, COMAL)
    for step in steps:
        world.step(step)
    told = row.output.get("limiter_calls") if world.budget.denies else None
    wanted = [call["cost"] for call in told or ()] or [cost for _, cost in world.budget.charges]
    why = difference("what was charged (line 20)", wanted, [cost for _, cost in asked])
    keys = [f"{channel}:{who}:{tool}" for (channel, who, tool), _ in world.budget.charges if who]
    told_keys = [call["key"] for call in told or () if "key" in call]
    if why or (len(keys) == len(told_keys) and keys != told_keys):
        return why or f"the limiter's keys are {keys}, told {told_keys}"
    for ((channel, principal, tool), _), (key, _) in zip(world.budget.charges, asked, strict=True):
        who = principal if (principal or "").strip() else "anonymous"  # the rest tells them apart
        if not (key.startswith(f"{channel}:{who}") and key.endswith(f":{tool}")):
            return f"the limiter's key {key!r} is not of {channel}, {who} and {tool}"
    return None


def _refusing_line(row: Row) -> str | None:
    """Name the line by which a row's tools or wiring are refused before any call is made."""
    wiring = row.input.get("wiring") or {}
    if is_refused(wiring.get("policies") or {}):
        return "19"
    if float(wiring.get("confirm_ttl", 1)) <= 0:
        return "23"
    modes = {raw.get("ctx", {}).get("mode", "execute") for raw in row.input["steps"]}
    if not modes <= {"execute", "plan"}:
        return "21"
    for tool in tools_of(row.input).values():
        if schema_rules.is_refused(tool.schema):
            return "9"
        if _inverted(tool):
            return "15"
    return None


def _inverted(tool: Declared) -> bool:
    infinite = float("inf")
    return any(
        bounds.get("min", -infinite) > bounds.get("max", infinite)
        for bounds in (tool.options.get("clamps") or {}).values()
    )
