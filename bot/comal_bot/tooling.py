"""The registry as the host wires it: its policies, its people, its tools."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from comal_runtime.consent.verification import HumanVerifier, VerificationTool
from comal_runtime.events import EventDispatcher
from comal_runtime.policy import PolicyGate
from comal_runtime.record import Record
from comal_runtime.registry import ToolRegistry, Wiring
from comal_runtime.scanner import ToolScanner

from .people import PeopleDirectory, Person
from .settings import Settings
from .wiring import RESOLVE_SCOPE

CHAT_CHANNELS: Final = ("telegram", "web", "console", "mcp")
"""Channels on which everything that changes something asks first."""


def host_registry(
    settings: Settings, tools: Sequence[object], wiring: Wiring, record: Record
) -> ToolRegistry:
    """Return a registry over `record` with the host's policies and every tool in it.

    Args:
        wiring: What the caller decides; policy, routes, people and dispatcher are the host's.

    Raises:
        ComalError: A tool cannot be registered; the text names it.
    """
    people, dispatcher = directory(settings), EventDispatcher()
    registry = ToolRegistry(
        replace(
            wiring,
            record=record,
            policy=_policy(settings),
            dispatcher=dispatcher,
            routes=settings.routing(),
            directory=people,
        )
    )
    for source in tools:
        ToolScanner(registry).scan(source)
    verifier = HumanVerifier(record, wiring.clock, people, dispatcher)
    VerificationTool(verifier, record, resolve_scopes=(RESOLVE_SCOPE,)).register(registry)
    return registry


def directory(settings: Settings) -> PeopleDirectory:
    """Return the people that the settings name."""
    people = [
        Person(name=one.name, identities=one.identities, roles=frozenset(one.roles))
        for one in settings.people
    ]
    return PeopleDirectory(people, {name: role.scopes for name, role in settings.roles.items()})


def _policy(settings: Settings) -> PolicyGate:
    gate = PolicyGate()
    for channel in CHAT_CHANNELS:
        gate.set_channel_policy(
            channel,
            require_confirmation_for_mutating=True,
            confirmation_ttl=settings.host.confirmation_ttl,
        )
    return gate
