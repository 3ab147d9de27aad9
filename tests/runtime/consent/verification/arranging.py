"""Ana asks that something be verified, and listeners hear of it."""

from typing import Any

from comal_runtime.consent import Routes
from comal_runtime.consent.verification import (
    HumanVerifier,
    VerificationTool,
)
from comal_runtime.context import ToolContext
from comal_runtime.events import EventDispatcher
from comal_runtime.record import Question
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock

from ...stations.arranging import registry_with
from ..people import household


async def requested(
    clock: FakeClock | None = None, *, routes: Routes | None = None, **options: Any
) -> tuple[ToolRegistry, list[Any], str]:
    """Ana has asked, on a channel that confirms nothing, that the invoice be verified."""
    clock, dispatcher = clock or FakeClock(), EventDispatcher()
    heard: list[Any] = []
    dispatcher.subscribe("verification.*", heard.append)
    registry = registry_with(clock=clock, directory=household(), dispatcher=dispatcher)
    verifier = HumanVerifier(registry.record, clock, household(), dispatcher)
    VerificationTool(verifier, registry.record, routes=routes or Routes(), **options).register(
        registry
    )
    web = ToolContext.web("web:ana", ())
    asked = await registry.call("request_verification", {"subject": "the invoice"}, web)
    assert asked.type == "pending"
    return registry, heard, asked.data["request_id"]


async def questions(registry: ToolRegistry) -> list[Question]:
    async with registry.record.reading() as stored:
        return await stored.questions.recent(state=None, limit=9)


def by_web(who: str) -> ToolContext:
    return ToolContext.web(f"web:{who}", ())
