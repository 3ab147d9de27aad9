"""What a station is: a function of the law, its role, and what inspection says about it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from ..call import Call, Request
from ..consent.route import Routes
from ..context import ToolContext
from ..deps import Deps
from ..policy import PolicyGate
from ..rate_limit import Limits
from ..result import ToolResult
from ..tools import Tool

Step = Request | Call
"""What a station receives: `resolve` a request, all others a call."""

Answer = Call | ToolResult
"""What a station gives: the call, to let it go on, or a result, to end it."""


class Role(StrEnum):
    """What a station is for."""

    GUARD = "Guard"
    TRANSFORM = "Transform"
    BRANCH = "Branch"
    HOOK = "Hook"
    EXECUTION = "Execution"
    BOUNDARY = "Boundary"
    OUTCOME = "Outcome"


class Presence(StrEnum):
    """Whether a station does anything for a call."""

    ACTIVE = "Active"
    CONDITIONAL = "Conditional"
    DORMANT = "Dormant"
    SKIPPED = "Skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryWiring:
    """What a registry has, as inspection sees it.

    `limits` is None where the limiter goes by a limit of its own, which nobody else knows.
    """

    has_rate_limiter: bool
    has_dispatcher: bool
    routes: Routes
    gate: PolicyGate
    limits: Limits | None = None

    @property
    def has_routes(self) -> bool:
        """Tell whether any call may have to be approved by other people."""
        return bool(self.routes)


@dataclass(frozen=True, slots=True)
class Seen:
    """What inspection says of one station; `ends` when the call would certainly end there."""

    presence: Presence
    source: str
    ends: bool = False


Inspect = Callable[[Tool, ToolContext, RegistryWiring], Seen]
Run = Callable[[Call, Deps], Answer | Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """One station.

    Args:
        voids: Refusing a redeemed question here closes it with a void act.
        asks: It blocks where it asks people, and nowhere else.
        mutates: A tool that changes something does so here.
        wraps: The station whose failures it meets.
    """

    name: str
    role: Role
    inspect: Inspect
    run: Run | None = None
    voids: bool = False
    asks: bool = False
    mutates: bool = False
    wraps: str | None = None
