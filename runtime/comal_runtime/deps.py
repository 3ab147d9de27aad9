"""What the stations work with; wired once, by the registry."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from .audit import MAX_ARGUMENT_BYTES, ToolAuditLogger
from .call import Call, Registered
from .clock import Clock
from .consent.directory import Directory
from .consent.grounds import Grounds
from .consent.route import Routes
from .consent.verification import Verifier
from .events import EventDispatcher
from .policy import PolicyGate
from .progress import Progress
from .rate_limit import Budgets, GcraRateLimiter, Limits
from .record import Record

OnProgress = Callable[[Call, Progress], Awaitable[None]]
"""Takes what a streaming tool tells on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps:
    """The wiring of one registry.

    `instance` names this process in the record, `grace` (seconds) is what a tool gets beyond its
    timeout before its act may be called unknown, `preview_patience` (seconds) what its preview gets
    to foretell what it would change, `late` keeps tasks that outlive their calls: those
    that write how acts ended, and callbacks that could not be stopped.
    """

    tools: Mapping[str, Registered]
    record: Record
    clock: Clock
    policy: PolicyGate
    limiter: Budgets | None
    limits: Limits
    probing: GcraRateLimiter
    dispatcher: EventDispatcher | None
    audit: ToolAuditLogger
    routes: Routes
    directory: Directory
    instance: str
    verifiers: Mapping[str, Verifier] = field(default_factory=dict)
    grace: float = 5.0
    preview_patience: float = 5.0
    max_argument_bytes: int = MAX_ARGUMENT_BYTES
    on_progress: OnProgress | None = None
    late: set[asyncio.Task[object]] = field(default_factory=set)

    @property
    def grounds(self) -> Grounds:
        """What stored questions stand on."""
        return Grounds(self.tools, self.routes)
