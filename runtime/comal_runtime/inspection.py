"""Explaining a call before it is made, from the same tuple that carries it out."""

from dataclasses import dataclass
from typing import Any, Final

from .context import ToolContext
from .pipeline import STATIONS
from .stations.station import Presence, RegistryWiring, Role, Seen, Station
from .tools import Tool

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationStep:
    """What one station would do. `source` says from where that is known."""

    kind: str
    role: Role
    presence: Presence
    blocking: bool
    mutates: bool
    wraps: str | None
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Return the step as JSON-shaped data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationPlan:
    """The eleven steps of a call; `ends_at` names the station where it would certainly end."""

    operation: str
    channel: str
    principal: str | None
    scopes: tuple[str, ...]
    mode: str
    assumptions: tuple[str, ...]
    wiring: dict[str, bool]
    steps: tuple[InvocationStep, ...]
    ends_at: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON-shaped data."""
        return {
            "schemaVersion": SCHEMA_VERSION,
            "operation": self.operation,
            "channel": self.channel,
            "context": {
                "principal": self.principal,
                "scopes": list(self.scopes),
                "mode": self.mode,
            },
            "assumptions": list(self.assumptions),
            "wiring": dict(self.wiring),
            "endsAt": self.ends_at,
            "steps": [step.to_dict() for step in self.steps],
        }


class InvocationPlanBuilder:
    """Builds plans; executes nothing and makes no caller up."""

    def build(self, tool: Tool, ctx: ToolContext, wiring: RegistryWiring) -> InvocationPlan:
        """Say what each station would do with a call of this tool."""
        steps: list[InvocationStep] = []
        ends_at: str | None = None
        for station in STATIONS:
            seen = station.inspect(tool, ctx, wiring)
            if ends_at is not None and station.role not in (Role.BOUNDARY, Role.OUTCOME):
                seen = Seen(Presence.SKIPPED, f"the call ends at {ends_at}")
            elif seen.ends:
                ends_at = station.name
            steps.append(_step(station, seen, tool))
        return InvocationPlan(
            operation=tool.name,
            channel=ctx.channel,
            principal=ctx.principal,
            scopes=ctx.scopes,
            mode=ctx.mode,
            assumptions=("the arguments fit the schema", "no token is given"),
            wiring={
                "rate_limiter": wiring.has_rate_limiter,
                "dispatcher": wiring.has_dispatcher,
                "rule_provider": wiring.gate.has_rule_provider(),
                "routes": wiring.has_routes,
            },
            steps=tuple(steps),
            ends_at=ends_at,
        )


def _step(station: Station, seen: Seen, tool: Tool) -> InvocationStep:
    asks = station.asks and seen.presence in (Presence.ACTIVE, Presence.CONDITIONAL)
    return InvocationStep(
        kind=station.name,
        role=station.role,
        presence=seen.presence,
        blocking=asks or station.role in (Role.GUARD, Role.HOOK, Role.EXECUTION),
        mutates=station.mutates and tool.options.mutating,
        wraps=station.wraps,
        source=seen.source,
    )
