"""Plans of calls: what each station would do, where the call would end, and whether it does."""

from collections.abc import Mapping
from typing import Any, Final

from comal_runtime import EventDispatcher, PolicyGate, ToolContext, ToolRegistry, Wiring
from comal_runtime.errors import BadDeclaration
from comal_runtime.policy import PolicyRule
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import memory_record
from comal_runtime.testing import FakeClock
from comal_runtime.tools import Tool
from tests.vectors.areas.area import Facets, Ruling, first_difference
from tests.vectors.areas.bodies import Body
from tests.vectors.areas.gate_rules import Judged, Use, by_comal, by_original, is_refused
from tests.vectors.areas.lines import decided, ruling
from tests.vectors.areas.recorded_calls import NOW, Declared, answer_of, as_schema
from tests.vectors.areas.wired_calls import options_of
from tests.vectors.decisions import Decision
from tests.vectors.rows import Row
from tests.vectors.values import difference

REFUSED: Final[Facets] = {"declared": "refused"}

_KEYS: Final = frozenset(
    {"schemaVersion", "operation", "channel", "context", "assumptions", "wiring", "steps"}
)
_STEP_KEYS: Final = frozenset(
    {"kind", "role", "presence", "blocking", "mutates", "wraps", "source"}
)
_ALWAYS: Final = ("contain_exception", "audit")
_UNKEPT: Final = ("refused_at_resolve", "planned", "asked_confirmation", "vetoed", "unknown_token")
"""What the original keeps no record of."""

_WIRED: Final = {
    "rateLimiter": "rate_limiter",
    "dispatcher": "dispatcher",
    "ruleProvider": "rule_provider",
}
_ENDS: Final = {"authorize": "FORBIDDEN", "plan_mode": "planned", "confirm": "asks", None: "ok"}
"""How a call comes out that ends at a station; at none, it runs."""


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row holds a tool, a caller and what is wired."""
    return {"tool", "ctx", "wiring"} <= given.keys()


async def differs(row: Row, decision: Decision | None) -> str | None:
    """Explain the call of a row, compare the plan, then carry the call out and compare its end."""
    right, _ = _right(row)
    try:
        registry = _registry(row.input)
    except (TypeError, BadDeclaration):
        return decided(decision, right, REFUSED, first_difference(right, REFUSED))
    ctx = _context(row.input)
    plan = registry.inspect(row.input["tool"]["name"], ctx)
    assert plan is not None
    told = plan.to_dict()
    found: Facets = {step["kind"]: str(step["presence"]) for step in told["steps"]}
    found["ends_at"] = told["endsAt"] or ""
    why = (
        first_difference(right, found)
        or _shape_differs(row, told)
        or _gate_differs(row, registry, ctx)
        or await _carried_differs(registry, row, ctx, told)
    )
    return decided(decision, right, found, why)


def recorded(row: Row) -> Facets:
    """Read the recorded presences; what the original calls skipped has nothing to do."""
    steps = row.output["plan"]["steps"]
    return {step["kind"]: _translated(step["kind"], step["presence"]) for step in steps}


def ruled(row: Row) -> Ruling | None:
    """Say what lines 48 to 50 decide: where the call would certainly end, and what follows it."""
    return ruling(recorded(row), *_right(row))


def _right(row: Row) -> tuple[Facets, str | None]:
    """Return the presence of each station, and after which the call would certainly end.

    The original compares neither scopes, nor principals, nor modes, and blocks nothing; a call
    that ends for certain skips whatever follows, but for the boundary and the outcome.
    """
    if is_refused(row.input.get("policies") or {}):
        return REFUSED, "19"
    judged = by_comal(_use(row.input))
    right: Facets = {}
    ends_at = ""
    for station, presence in recorded(row).items():
        if ends_at and station not in _ALWAYS:
            right[station] = "Skipped"
            continue
        right[station], ends = _presence(station, presence, row.input, judged)
        ends_at = station if ends else ends_at
    return {**right, "ends_at": ends_at}, "50" if ends_at else "49"


def _presence(
    station: str, recorded_as: str, given: Mapping[str, Any], judged: Judged
) -> tuple[str, bool]:
    """Return a presence, and whether the call would certainly end there.

    The original's `authorize` is always active, its `plan_mode` always conditional, and its
    `confirm` conditional where somebody is asked; a record of anything else stays as it is.
    """
    match station, recorded_as:
        case "authorize", "Active":
            ruled_on = bool(given["wiring"].get("ruleProvider"))
            open_to_rules = ruled_on and judged.allowed
            return ("Conditional" if open_to_rules else "Active"), not judged.allowed
        case "plan_mode", "Conditional":
            plans = given["ctx"].get("mode") == "plan"
            return ("Active" if plans else "Dormant"), plans
        case "confirm", ("Conditional" | "Dormant") if _asks_alike(recorded_as, given):
            return ("Active" if judged.asks else "Dormant"), judged.asks
        case _:
            return recorded_as, False


def _asks_alike(recorded_as: str, given: Mapping[str, Any]) -> bool:
    """Tell whether the record shows who is asked as the original's policies have it."""
    return (recorded_as == "Conditional") is by_original(_use(given)).asks


def _translated(station: str, presence: str) -> str:
    """Spell a recorded presence: skipped has nothing to do, and what waits for a cause may not."""
    if presence == "skipped":
        return "Dormant"
    waits = station in ("emit_executing", "contain_exception") and presence == "active"
    return "Conditional" if waits else presence.capitalize()


def _shape_differs(row: Row, told: Mapping[str, Any]) -> str | None:
    """Compare the keys and the roles with the recorded plan; a caller is never made up."""
    recorded, context = row.output["plan"], row.output["plan"]["context"]
    roles = [step["role"].capitalize() for step in recorded["steps"]]
    here = told["context"]
    wiring = {_WIRED[name]: said == "present" for name, said in recorded["wiring"].items()}
    pairs: tuple[tuple[str, object, object], ...] = (
        ("missing keys", [], sorted(_KEYS - told.keys())),
        ("keys of a step", [], sorted(_STEP_KEYS - told["steps"][0].keys())),
        ("the roles", roles, [str(step["role"]) for step in told["steps"]]),
        ("the operation", recorded["operation"], told["operation"]),
        ("the channel", recorded["channel"], told["channel"]),
        ("the caller", context["actor"], here["principal"]),
        ("the scopes", context["scopes"], here["scopes"]),
        ("the mode", context["mode"], here["mode"]),
        ("the wiring", wiring, {name: told["wiring"][name] for name in wiring}),
    )
    for what, wanted, found in pairs:
        why = difference(what, wanted, found)
        if why:
            return why
    return _steps_differ(recorded["steps"], told["steps"])


def _steps_differ(recorded: list[Mapping[str, Any]], told: list[Mapping[str, Any]]) -> str | None:
    """Compare what stations do to a call, those that certainly meet none left out."""
    for there, here in zip(recorded, told, strict=True):
        for name in ("blocking", "mutates", "wraps") if here["presence"] != "Skipped" else ():
            if name == "blocking" and here["kind"] == "confirm":
                continue  # it blocks where it asks, as its presence tells
            why = difference(f"{name} of {here['kind']}", there[name], here[name])
            if why:
                return why
    return None


def _gate_differs(row: Row, registry: ToolRegistry, ctx: ToolContext) -> str | None:
    """Compare the gate's own answer with its record, where both laws give the same."""
    use, tool = _use(row.input), registry.get(row.input["tool"]["name"])
    if by_comal(use) != by_original(use) or tool is None:
        return None
    gate = registry.policy_gate
    allowed, asks = gate.authorize(ctx, tool).allowed, gate.requires_confirmation(ctx, tool)
    there = row.output.get("actual_authorize", {}).get("allowed", allowed)
    asked = row.output.get("actual_requiresConfirmation", asks)
    return difference(
        "the gate", {"allowed": there, "asks": asked}, {"allowed": allowed, "asks": asks}
    )


async def _carried_differs(
    registry: ToolRegistry, row: Row, ctx: ToolContext, told: Mapping[str, Any]
) -> str | None:
    """Carry the call out: it ends where its plan says, and the audit keeps it as the plan says.

    Both read one tuple, and the audit's source lists its real coverage (line 50).
    """
    result = await registry.call(row.input["tool"]["name"], _arguments(row.input), ctx)
    wanted = _ENDS.get(told["endsAt"], f"an end at {told['endsAt']}")
    why = difference("carried out, it comes out", wanted, answer_of(result.to_dict()))
    await registry.audit.flush()
    async with registry.record.reading() as stored:
        kept = [record.decision for _, record in await stored.audit.after(0, limit=10)]
    unlisted = [path for path in (*kept, *_UNKEPT) if path not in told["steps"][-1]["source"]]
    return why or (f"the audit's source does not list {unlisted}" if unlisted else None)


def _registry(given: Mapping[str, Any]) -> ToolRegistry:
    clock, wired = FakeClock(NOW), given["wiring"]
    gate = PolicyGate(_NoRule() if wired.get("ruleProvider") else None)
    for channel, changes in (given.get("policies") or {}).items():
        gate.set_channel_policy(channel, **changes)
    registry = ToolRegistry(
        Wiring(
            record=memory_record(clock=clock),
            clock=clock,
            policy=gate,
            limiter=GcraRateLimiter(100, 60) if wired.get("rateLimiter") else None,
            dispatcher=EventDispatcher() if wired.get("dispatcher") else None,
        )
    )
    said = given["tool"]
    tool = Declared(
        name=said["name"], schema=as_schema(said.get("schema") or {}), options=said, body=Body()
    )
    registry.register(tool.name, "a tool", tool.schema, _run, options_of(tool))
    return registry


async def _run(**_: Any) -> str:
    return "ran"


class _NoRule:
    """A provider that knows no rule."""

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        return None


def _context(given: Mapping[str, Any]) -> ToolContext:
    said = given["ctx"]
    return ToolContext(
        principal=said.get("principal"),
        channel=said.get("channel", "cli"),
        scopes=tuple(said.get("scopes") or ()),
        extra=said.get("extra") or {},
        mode=said.get("mode", "execute"),
    )


def _use(given: Mapping[str, Any]) -> Use:
    said = given["ctx"]
    return Use(
        channel=said.get("channel", "cli"),
        principal=said.get("principal"),
        scopes=tuple(said.get("scopes") or ()),
        tool=given["tool"],
        policies=given.get("policies") or {},
    )


def _arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Make arguments that fit the tool's schema."""
    schema = given["tool"].get("schema") or {}
    described = schema.get("properties") or {}
    values: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return {
        name: values.get(described.get(name, {}).get("type", ""), "text")
        for name in schema.get("required") or ()
    }
