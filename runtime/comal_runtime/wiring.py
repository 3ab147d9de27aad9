"""Wiring: what a registry works with, given by its user or made in memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Final

from .audit import MAX_ARGUMENT_BYTES, ToolAuditLogger
from .call import Registered
from .clock import Clock, SystemClock
from .consent import Directory, Routes, Strangers
from .consent.question import new_id
from .consent.verification import Verifier
from .deps import Deps, OnProgress
from .errors import check_kind
from .events import EventDispatcher
from .policy import PolicyGate
from .rate_limit import (
    PROBING_LIMIT,
    Budgets,
    GcraRateLimiter,
    Limit,
    Limits,
    RateLimiter,
    budgets_of,
)
from .record import Record, memory_record

_KINDS: Final = {
    "policy": PolicyGate,
    "limits": Limits | NoneType,
    "probing": Limit,
    "routes": Routes,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """What a registry works with; whatever is not given is made, in memory.

    Calls are limited once there is a `limiter` or there are `limits`; `probing` limits what one
    caller may have refused. `verifiers` are what routes of policy `auto` name. `instance` names
    this process in the record; `grace` is in seconds, as is `preview_patience`, what a preview gets
    to tell its effect; arguments of more than `max_argument_bytes` of JSON are refused before
    anything looks into them.
    """

    record: Record | None = None
    clock: Clock = field(default_factory=SystemClock)
    policy: PolicyGate = field(default_factory=PolicyGate)
    limiter: RateLimiter | Budgets | None = None
    limits: Limits | None = None
    probing: Limit = PROBING_LIMIT
    dispatcher: EventDispatcher | None = None
    audit: ToolAuditLogger | None = None
    routes: Routes = field(default_factory=Routes)
    directory: Directory = field(default_factory=Strangers)
    verifiers: Mapping[str, Verifier] = field(default_factory=dict)
    on_progress: OnProgress | None = None
    instance: str = field(default_factory=new_id)
    grace: float = 5.0
    preview_patience: float = 5.0
    max_argument_bytes: int = MAX_ARGUMENT_BYTES

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            check_kind(f"Wiring.{name}", getattr(self, name), kind)

    def deps(self, tools: Mapping[str, Registered]) -> Deps:
        """Return what the stations work with, over a registry's tools."""
        record = self.record or memory_record(clock=self.clock)
        return Deps(
            tools=tools,
            record=record,
            clock=self.clock,
            policy=self.policy,
            limiter=budgets_of(self.limiter, self.limits),
            limits=self.limits or Limits(),
            probing=GcraRateLimiter(self.probing.amount, self.probing.per),
            dispatcher=self.dispatcher,
            audit=self.audit
            or ToolAuditLogger(
                record,
                self.clock,
                keep=None if self.record else 10_000,
                max_argument_bytes=self.max_argument_bytes,
            ),
            routes=self.routes,
            directory=self.directory,
            verifiers=self.verifiers,
            instance=self.instance,
            grace=self.grace,
            preview_patience=self.preview_patience,
            max_argument_bytes=self.max_argument_bytes,
            on_progress=self.on_progress,
        )
