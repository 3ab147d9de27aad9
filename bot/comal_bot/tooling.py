"""The registry as the host wires it: its policies, its people, its tools."""

from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Final

from comal_runtime.consent.verification import (
    REQUEST_VERIFICATION,
    RESOLVE_VERIFICATION,
    HumanVerifier,
    VerificationTool,
)
from comal_runtime.errors import ToolAlreadyRegisteredError
from comal_runtime.events import EventDispatcher
from comal_runtime.policy import PolicyGate
from comal_runtime.record import Record
from comal_runtime.registry import ToolRegistry, Wiring
from comal_runtime.scanner import tools_of
from comal_runtime.tools import Tool

from .people import PeopleDirectory, Person
from .settings import Settings
from .wiring import RESOLVE_SCOPE

CHAT_CHANNELS: Final = ("telegram", "web", "console", "mcp")
"""Channels on which everything that changes something asks first."""

_OWN: Final = (REQUEST_VERIFICATION, RESOLVE_VERIFICATION)


class ToolNamedTwice(ToolAlreadyRegisteredError):
    """Two tools share a name; the text says where both are."""

    def __init__(self, name: str, places: tuple[str, str]) -> None:
        super().__init__(name)
        one, other = places
        where = f"is twice in {one}" if one == other else f"is in {one} and in {other}"
        self.args = (f"tool {name!r} {where}; give one of the two another name",)


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
    _scan(tools, registry)
    verifier = HumanVerifier(record, wiring.clock, people, dispatcher)
    VerificationTool(verifier, record, resolve_scopes=(RESOLVE_SCOPE,)).register(registry)
    return registry


def offered(registry: ToolRegistry) -> list[Tool]:
    """Return the tools that were brought, without those that are the host's own."""
    return [tool for tool in registry.get_tool_definitions() if tool.name not in _OWN]


def directory(settings: Settings) -> PeopleDirectory:
    """Return the people that the settings name."""
    people = [
        Person(name=one.name, identities=one.identities, roles=frozenset(one.roles))
        for one in settings.people
    ]
    return PeopleDirectory(people, {name: role.scopes for name, role in settings.roles.items()})


def _scan(sources: Sequence[object], registry: ToolRegistry) -> None:
    """Register the tools of each source, remembering where each name comes from."""
    places = dict.fromkeys(_OWN, "the host itself")
    for source in sources:
        found = list(tools_of(source))
        for tool in found:
            place = _place(source, tool)
            if tool.name in places:
                raise ToolNamedTwice(tool.name, (places[tool.name], place))
            places[tool.name] = place
        registry.add_all(found)


def _place(source: object, tool: Tool) -> str:
    """Say where a tool was found: a file, or the function with its module."""
    if isinstance(source, ModuleType):
        return source.__file__ or source.__name__
    function = tool.callback
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{function.__module__}.{name}"


def _policy(settings: Settings) -> PolicyGate:
    gate = PolicyGate()
    for channel in CHAT_CHANNELS:
        gate.set_channel_policy(
            channel,
            require_confirmation_for_mutating=True,
            confirmation_ttl=settings.host.confirmation_ttl,
        )
    return gate
