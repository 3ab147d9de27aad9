"""Routes at start-up: the rules they name, and whether anybody could answer what they ask."""

from collections.abc import Iterator, Mapping, Sequence

from comal_runtime.consent import BadRoute
from comal_runtime.consent.verification import Verifier, rules_of
from comal_runtime.tools import Tool

from .settings import RouteSettings, Settings
from .settings.checks import approvers_of


def rules_in(sources: Sequence[object], given: Mapping[str, Verifier]) -> dict[str, Verifier]:
    """Return the rules that were given and those that the tools' sources hold.

    Raises:
        BadRoute: Two rules share a name.
    """
    rules = dict(given)
    for source in sources:
        for name, rule in rules_of(source).items():
            if name in rules:
                raise BadRoute(f"rule {name!r} is there twice; give one of the two another name")
            rules[name] = rule
    return rules


def refuse_unanswerable(settings: Settings, tools: Sequence[Tool]) -> None:
    """Refuse a route whose every possible requester would have to approve their own call.

    Raises:
        BadRoute: Its text names the route, the tool and who may ask.
    """
    for tool in tools:
        for route in _about(settings, tool):
            requesters = _requesters(settings, tool)
            approvers = approvers_of(settings, route)
            needed = route.needed
            if requesters and all(len(approvers - {one}) < needed for one in requesters):
                who = ", ".join(sorted(requesters))
                raise BadRoute(
                    f"route {route.title!r} can never be answered for {tool.name!r}: only {who} "
                    f"may ask for it, nobody approves their own call, and {needed} must say yes; "
                    "name more approvers, or give more people a scope it needs"
                )


def _about(settings: Settings, tool: Tool) -> Iterator[RouteSettings]:
    named = tool.options.approval
    routing = settings.routing()
    matching = {route.name for route in routing.about(tool.name)} | {named}
    return (one for one in settings.routes if one.title in matching)


def _requesters(settings: Settings, tool: Tool) -> frozenset[str]:
    """Return who alone may call a tool; nobody in particular when it needs no scope."""
    wanted = {*tool.options.scopes, "*"}
    if not tool.options.scopes:
        return frozenset()
    granting = {name for name, role in settings.roles.items() if wanted & set(role.scopes)}
    return frozenset(one.name for one in settings.people if granting & set(one.roles))
