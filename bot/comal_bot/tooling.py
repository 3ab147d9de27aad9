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
from comal_runtime.rate_limit import RecordRateLimiter
from comal_runtime.record import Record
from comal_runtime.registry import ToolRegistry
from comal_runtime.scanner import tools_of
from comal_runtime.tools import Tool
from comal_runtime.wiring import Wiring

from .entrance import Entrance, Strangers
from .people import PeopleDirectory, Person
from .routing import rules_in
from .settings import Settings
from .settings.admission import deciding_in
from .wiring import RESOLVE_SCOPE

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
        tools: Modules, objects or functions. What they hold of rules is registered too, and
            a module's `register_listeners(dispatcher)` is called.
        wiring: What the caller decides; policy, limits and routes are the host's, and so are the
            people unless it brings a `PeopleDirectory`.

    Raises:
        ComalError: A tool or a route cannot be used; the text names it.
    """
    given, dispatcher = wiring.directory, wiring.dispatcher or EventDispatcher()
    people = given if isinstance(given, PeopleDirectory) else directory(settings)
    verifiers, routes = rules_in(tools, wiring.verifiers), settings.routing()
    registry = ToolRegistry(
        replace(
            wiring,
            record=record,
            policy=settings.gate(people),
            limiter=RecordRateLimiter(record),
            limits=settings.limits.budgets(),
            probing=settings.limits.probing,
            dispatcher=dispatcher,
            routes=routes,
            directory=people,
            verifiers=verifiers,
        )
    )
    _scan(tools, registry)
    verifier = HumanVerifier(
        record,
        wiring.clock,
        people,
        dispatcher,
        verifiers=verifiers,
        changed=registry.grounds.changed,
    )
    VerificationTool(verifier, record, resolve_scopes=(RESOLVE_SCOPE,), routes=routes).register(
        registry
    )
    _listen(tools, dispatcher)
    return registry


def offered(registry: ToolRegistry) -> list[Tool]:
    """Return the tools that were brought, without those that are the host's own."""
    return [tool for tool in registry.get_tool_definitions() if tool.name not in _OWN]


def directory(settings: Settings) -> PeopleDirectory:
    """Return the people that the settings name; `refresh` adds what the record knows."""
    people = [
        Person(name=one.name, identities=one.identities, roles=frozenset(one.roles))
        for one in settings.people
    ]
    scopes = {name: role.scopes for name, role in settings.roles.items()}
    return PeopleDirectory(people, scopes, deciding_in(settings))


def entrance(settings: Settings) -> Entrance:
    """Return how strangers come in, as the settings say."""
    said = settings.pairing
    return Entrance(strangers=Strangers(said.strangers), roles=said.roles)


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


def _listen(sources: Sequence[object], dispatcher: EventDispatcher) -> None:
    """Let each module of tools subscribe what listens to calls."""
    for source in sources:
        register = getattr(source, "register_listeners", None)
        if isinstance(source, ModuleType) and callable(register):
            register(dispatcher)


def _place(source: object, tool: Tool) -> str:
    """Say where a tool was found: a file, or the function with its module."""
    if isinstance(source, ModuleType):
        return source.__file__ or source.__name__
    function = tool.callback
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{function.__module__}.{name}"
