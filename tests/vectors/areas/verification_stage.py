"""A registry with the two verification tools, wired as a row says, and what listeners hear."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from comal_runtime import (
    Consent,
    EventDispatcher,
    HumanVerifier,
    PolicyGate,
    ToolContext,
    ToolRegistry,
    ToolResult,
    VerificationTool,
    Wiring,
)
from comal_runtime.consent import Strangers
from comal_runtime.consent.question import digest_of
from comal_runtime.record import memory_record
from comal_runtime.testing import FakeClock
from tests.vectors.areas.gate_rules import by_comal
from tests.vectors.areas.recorded_calls import NOW, TOKEN, Step
from tests.vectors.areas.verification_model import RESOLVE, World, use_of


@dataclass(slots=True, kw_only=True)
class Stage:
    """A registry with the two tools, a model beside it, and what listeners hear."""

    registry: ToolRegistry
    world: World
    events: list[Any]
    failing: bool
    tokens: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def wired(cls, wiring: Mapping[str, Any]) -> "Stage":
        """Wire what a row says."""
        clock, events = FakeClock(NOW), list[Any]()
        record = memory_record(clock=clock)
        dispatcher = _dispatcher(wiring, events)
        verifier = HumanVerifier(record, clock, Strangers(), dispatcher)
        gate = PolicyGate()
        for channel, changes in (wiring.get("policies") or {}).items():
            gate.set_channel_policy(channel, **changes)
        registry = ToolRegistry(Wiring(record=record, clock=clock, policy=gate))
        scopes = tuple(wiring.get("resolveScopes") or ())
        VerificationTool(verifier, record, resolve_scopes=scopes).register(registry)
        world = World(wiring=wiring, told=dispatcher is not None)
        failing = dispatcher is not None and "throw" in str(wiring.get("listeners"))
        return cls(registry=registry, world=world, events=events, failing=failing)

    def filled_in(self, step: Step) -> Step:
        """Put the tokens and ids that earlier steps were given into a step."""
        args = {name: self.tokens.get(str(value), value) for name, value in step.args.items()}
        return replace(step, args=args)

    async def carry(self, step: Step) -> ToolResult:
        """Carry one step out and keep what it was given."""
        self.events.clear()
        ctx = ToolContext(
            principal=step.ctx.get("principal"),
            channel=step.ctx.get("channel", "cli"),
            scopes=tuple(step.ctx.get("scopes") or ()),
            origin="service" if step.ctx.get("channel") == "mcp" else "human",
            mode=step.ctx.get("mode", "execute"),
            consent=_consent(step, self.world.wiring),
            request_id=step.ctx.get("request_id") or f"req-{step.place}",
        )
        result = await self.registry.call(step.name, step.args, ctx)
        data = result.data if isinstance(result.data, Mapping) else {}
        if TOKEN in data:
            self.tokens[f"$TOKEN{step.place}"] = data[TOKEN]
        elif result.type == "pending":
            self.tokens[f"$REQ{step.place}"] = data["request_id"]
            self.world.learn(step, data["request_id"])
        return result


def _consent(step: Step, wiring: Mapping[str, Any]) -> Consent | None:
    """Make what the host makes of an approver's tap, so that nobody is asked twice (line 42)."""
    asks = by_comal(use_of(step, wiring)).asks
    if step.name != RESOLVE or not asks or step.has_token or step.plans:
        return None
    answered = {name: step.args.get(name) for name in ("request_id", "decision")}
    return Consent(
        question_id=str(step.args.get("request_id")),
        tool=RESOLVE,
        args_digest=digest_of(answered),
        principal=str(step.ctx.get("principal")),
    )


def _dispatcher(wiring: Mapping[str, Any], events: list[Any]) -> EventDispatcher | None:
    said = wiring.get("dispatcher")
    if not said or said == "none":
        return None
    dispatcher = EventDispatcher()
    dispatcher.subscribe("verification.*", events.append, 10**9)
    if "throw" in str(wiring.get("listeners")):
        dispatcher.subscribe("verification.requested", _fail)
    return dispatcher


def _fail(event: Any) -> None:
    raise RuntimeError("nobody was told")
