"""Carries the steps of a row through a real registry, wired as the row says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from comal_runtime import (
    EventDispatcher,
    PolicyGate,
    ToolContext,
    ToolOptions,
    ToolRegistry,
    ToolResult,
    Wiring,
)
from comal_runtime.errors import BadDeclaration, BadToolSchema
from comal_runtime.policy import PolicyRule
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import AuditRecord, memory_record
from comal_runtime.testing import FakeClock
from comal_runtime.tools import Tool
from tests.vectors.areas.bodies import callback, fails_at, listener
from tests.vectors.areas.budget_model import LIMIT, PER
from tests.vectors.areas.policy_gate import rule_of
from tests.vectors.areas.recorded_calls import NOW, TOKEN, Declared, Step, as_schema, rule_in

DECLARING: Final = (BadDeclaration, BadToolSchema, TypeError, ValueError)
"""What declaring the tools, the wiring and the contexts of a row may raise."""

_FIRST: Final = 10**9  # the priority of the listener that notes what is dispatched


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """How a step came out here: its result, what the tool received, what was told and kept."""

    result: ToolResult
    received: list[dict[str, Any]]
    events: list[dict[str, Any]]
    audit: list[AuditRecord]
    args: Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Stage:
    """A registry, and what it and its tools note while the steps of one row are carried."""

    registry: ToolRegistry
    clock: FakeClock
    limiter: "_Limiter | None"
    received: list[dict[str, Any]]
    events: list[dict[str, Any]]
    tokens: dict[str, Any] = field(default_factory=dict)
    _seen: int = 0

    async def carry(self, step: Step) -> Came:
        """Carry one step out, at its time."""
        self.clock.advance(max(0.0, step.at - self.clock.now()))
        self.received.clear()
        self.events.clear()
        args = {name: self._filled_in(value) for name, value in step.args.items()}
        ctx = context_of(step.ctx)
        result = await self.registry.call(step.name, args, ctx)
        if isinstance(result.data, Mapping) and TOKEN in result.data:
            self.tokens[f"$TOKEN{step.place}"] = result.data[TOKEN]
        return Came(
            result=result,
            received=list(self.received),
            events=list(self.events),
            audit=await self._new_records(),
            args=args,
        )

    def _filled_in(self, value: Any) -> Any:
        return self.tokens.get(value, value) if isinstance(value, str) else value

    async def _new_records(self) -> list[AuditRecord]:
        await self.registry.audit.flush()
        async with self.registry.record.reading() as stored:
            found = await stored.audit.after(self._seen, limit=100)
        self._seen = found[-1][0] if found else self._seen
        return [record for _, record in found]


def stage_of(tools: Mapping[str, Declared], wiring: Mapping[str, Any], steps: list[Step]) -> Stage:
    """Wire a registry as a row says; raises one of `DECLARING` where its parts are impossible."""
    for step in steps:
        context_of(step.ctx)
    clock = FakeClock(NOW)
    received: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    limiter = _limiter(wiring.get("rateLimiter"), steps)
    registry = ToolRegistry(
        Wiring(
            record=memory_record(clock=clock),
            clock=clock,
            policy=_gate(wiring, {str(step.ctx.get("channel", "cli")) for step in steps}),
            limiter=limiter,
            dispatcher=_dispatcher(wiring, events),
        )
    )
    for tool in tools.values():
        stand_in = _recorded_data(tool.name, steps)
        registry.register(
            tool.name,
            str(tool.options.get("description", tool.name)),
            tool.schema,
            callback(tool.body, received, stand_in),
            options_of(tool),
        )
    return Stage(registry=registry, clock=clock, limiter=limiter, received=received, events=events)


def context_of(ctx: Mapping[str, Any]) -> ToolContext:
    """Make the context of a step; on mcp the caller is a model (line 45)."""
    channel = ctx.get("channel", "cli")
    return ToolContext(
        principal=ctx.get("principal"),
        channel=channel,
        scopes=tuple(ctx.get("scopes") or ()),
        request_id=ctx.get("request_id") or "",
        ip=ctx.get("ip"),
        extra=ctx.get("extra") or {},
        mode=ctx.get("mode", "execute"),
        origin="model" if channel == "mcp" else "human",
    )


def options_of(tool: Declared) -> ToolOptions:
    """Make the options of a tool."""
    said = tool.options
    output = said.get("outputSchema")
    return ToolOptions(
        scopes=tuple(said.get("scopes") or ()),
        mutating=tool.mutating,
        confirm=bool(said.get("requiresConfirmation")),
        clamps=said.get("clamps") or {},
        timeout=tool.timeout,
        version=said.get("version"),
        output_schema=as_schema(output) if output else None,
    )


def _recorded_data(name: str, steps: list[Step]) -> Any:
    ran = (step for step in steps if step.name == name and step.recorded.get("callback_received"))
    return next((step.recorded.get("data") for step in ran), None)


def _gate(wiring: Mapping[str, Any], channels: set[str]) -> PolicyGate:
    rule = rule_in(wiring)
    gate = PolicyGate(None if rule is None else _OneRule(rule))
    for channel, changes in (wiring.get("policies") or {}).items():
        gate.set_channel_policy(channel, **changes)
    if "confirm_ttl" in wiring:
        for channel in channels:
            gate.set_channel_policy(channel, confirmation_ttl=float(wiring["confirm_ttl"]))
    return gate


class _OneRule:
    """A provider of one rule."""

    def __init__(self, rule: Mapping[str, Any]) -> None:
        self._rule = rule_of(rule)

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule:
        return self._rule


class _Limiter:
    """Notes what is charged, or what was asked of it where the row's limiter refuses all."""

    def __init__(self, wait: float | None) -> None:
        self.asked: list[tuple[str, float]] = []
        self._wait = wait
        self._even = GcraRateLimiter(LIMIT, PER)

    def take(self, key: str, cost: float, *, now: float) -> float:
        wait = self._even.take(key, cost, now=now) if self._wait is None else self._wait
        if wait == 0:
            self.asked.append((key, cost))
        return wait

    def peek(self, key: str, cost: float, *, now: float) -> float:
        if self._wait is not None:
            self.asked.append((key, cost))
            return self._wait
        return self._even.peek(key, cost, now=now)


def _limiter(kind: Any, steps: list[Step]) -> _Limiter | None:
    if not kind:
        return None
    if "den" not in str(kind):
        return _Limiter(None)
    metas = [step.recorded.get("meta") or {} for step in steps]
    waits = [meta["retry_after_seconds"] for meta in metas if meta.get("retry_after_seconds")]
    return _Limiter(float(waits[0]) if waits else float("inf"))


def _dispatcher(wiring: Mapping[str, Any], events: list[dict[str, Any]]) -> Any:
    told = wiring.get("dispatcher")
    if not told:
        return None
    if isinstance(told, str):
        return _Faulty(told)
    dispatcher = EventDispatcher()
    dispatcher.subscribe("tool.*", lambda event: events.append(_noted(event)), _FIRST)
    for place, hears in enumerate(wiring.get("listeners") or []):
        handler = listener(hears["does"], f"listener_{place}")
        name = hears.get("event", "tool.executing")
        dispatcher.subscribe(name, handler, hears.get("priority", 0))
    return dispatcher


def _noted(event: Any) -> dict[str, Any]:
    noted = {
        "event": event.name,
        "name": event.tool.name,
        "args": dict(event.arguments),
        "principal": event.ctx.principal,
    }
    if event.name == "tool.executed":
        noted |= {"success": event.result.success, "cacheServed": event.cache_served}
    return noted


class _Faulty(EventDispatcher):
    """A dispatcher of the host's own, which raises for the events its prose names."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self._told = told

    def has_listeners(self, name: str) -> bool:
        return True

    async def dispatch(self, event: Any) -> None:
        if event.name in fails_at(self._told):
            raise RuntimeError(f"dispatcher down on {event.name}")
