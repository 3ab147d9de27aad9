"""Ana asks, Bo decides: the people and calls of the verification tests."""

from collections.abc import Mapping
from typing import Any

from comal_runtime.consent.question import digest_of
from comal_runtime.context import Consent, ToolContext
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from ..stations.arranging import (
    Household,
    Ran,
    made,
    registry_with,
    route,
    routes,
    verifying,
)

PEOPLE = {"telegram:1": "Ana", "web:ana": "Ana", "telegram:2": "Bo", "web:bo": "Bo"}


def household() -> Household:
    return Household(PEOPLE, {"Bo": frozenset({"finance"})})


def arranged(clock: FakeClock, directory: Household, **wiring: Any) -> tuple[ToolRegistry, Ran]:
    ran = Ran()
    wiring.setdefault("routes", routes(route(approvers=("role:finance",))))
    registry = registry_with(made(ran, mutating=True), clock=clock, directory=directory, **wiring)
    verifying(registry, clock, directory)
    return registry, ran


def as_bo(**changes: Any) -> ToolContext:
    return ToolContext(principal="web:bo", channel="web", scopes=(), **changes)


def resolving(asked: str, **changes: object) -> Mapping[str, object]:
    return {"request_id": asked, "decision": "grant", "principal": "web:bo", **changes}


def consent_for(request_id: str, principal: str, decision: str = "grant") -> Consent:
    return Consent(
        question_id=request_id,
        tool="resolve_verification",
        args_digest=digest_of({"request_id": request_id, "decision": decision}),
        principal=principal,
    )
