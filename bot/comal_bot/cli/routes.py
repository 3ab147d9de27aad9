"""`comal routes`: who decides about what, and which routes could not do what they are for."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from comal_bot.approvers import Stages, asked_by
from comal_bot.cautions import cautions
from comal_bot.people import PeopleDirectory
from comal_bot.routing import route_faults
from comal_bot.settings import Settings, load_settings
from comal_bot.tooling import directory
from comal_runtime.consent import Route
from comal_runtime.tools import Tool

from .codes import FAILED
from .complaints import complain
from .knowing import known_people
from .printing import print_json, print_table, print_text
from .tools import wired_registry


def show_routes(config: Path | None, tools: Sequence[str], *, as_json: bool) -> None:
    """Print every route: what it is about, who decides, where cards hang, which tools it fits."""
    settings = load_settings(config, tools=tools)
    people, found = known_people(settings), _tools(settings, config)
    routes = [*settings.routing()]
    if as_json:
        print_json([_described(route, people, found) for route in routes])
    elif routes:
        rows = [_row(route, people, found) for route in routes]
        print_table(("route", "about", "who says yes", "cards", "tools it fits"), rows)
    else:
        complain("there are no routes; a [[routes]] entry says which calls other people approve")


def check_routes(config: Path | None, tools: Sequence[str], *, as_json: bool) -> int:
    """Print which routes `comal run` refuses to serve with; return 1 if there are any.

    Raises:
        BadSettings: Settings, tools or a route cannot be read.
    """
    settings = load_settings(config, tools=tools)
    routes, found = settings.routing(), _tools(settings, config)
    faults = [*route_faults(routes, found, known_people(settings))]
    if as_json:
        print_json(
            [
                {"route": one.route, "kind": one.kind, "tool": one.tool or None, "what": one.text}
                for one in faults
            ]
        )
    else:
        for one in faults:
            print_text(f"{one.kind}: {one}")
        number = len([*routes])
        print_text(f"{number} {'route' if number == 1 else 'routes'}: {len(faults)} to mend")
    complain(*_doubtful(settings, found))
    return FAILED if faults else 0


def spoken(stages: Stages, people: PeopleDirectory) -> str:
    """Say who must agree: groups of one stage with `and`, stages with `then`."""
    told = []
    for stage in stages:
        groups = []
        for one in stage:
            names = ", ".join(sorted(people.name(who) or who for who in one.people)) or "nobody"
            name = f"{one.group.name}: " if one.group.name else ""
            groups.append(f"{name}{one.group.k} of {names}")
        told.append(" and ".join(groups))
    return "; then ".join(told)


def _doubtful(settings: Settings, tools: Sequence[Tool]) -> Iterator[str]:
    """Say which routes the host serves with, but that a misspelling may have made useless."""
    for one in cautions(settings, tools, directory(settings)):
        if one.event.startswith("route."):
            said = one.about
            unknown = f", argument {said['argument']!r}" if "argument" in said else ""
            near = f"; did you mean {said['near']!r}?" if "near" in said else ""
            yield f"route {said['route']}{unknown}: {one.effect}{near}"


def _tools(settings: Settings, config: Path | None) -> list[Tool]:
    return wired_registry(settings, config).get_tool_definitions()


def _fitting(route: Route, tools: Sequence[Tool]) -> list[str]:
    return [
        tool.name
        for tool in tools
        if (not tool.options.consent_only and fnmatchcase(tool.name, route.tool))
        or tool.options.approval == route.name
    ]


def _about(route: Route) -> str:
    what = route.tool if route.subject is None else f"subject {route.subject!r}"
    return what if route.when is None else f"{what} when {route.when}"


def _row(route: Route, people: PeopleDirectory, tools: Sequence[Tool]) -> tuple[str, ...]:
    terms = route.terms
    who = f"rule {route.rule!r}" if terms.needed is None else ""
    who = who or spoken(asked_by(terms, people), people)
    cards = terms.cards_of(group for stage in terms.stages for group in stage)
    where = ", ".join(cards) or ("-" if terms.needed is None else "the requester's chat")
    return route.name, _about(route), who, where, ", ".join(_fitting(route, tools)) or "-"


def _described(route: Route, people: PeopleDirectory, tools: Sequence[Tool]) -> dict[str, object]:
    terms = route.terms
    escalation = terms.escalation
    return {
        "name": route.name,
        "tool": route.tool,
        "subject": route.subject,
        "when": route.when,
        "rule": route.rule,
        "stages": staged(asked_by(terms, people), people),
        "needed": terms.needed,
        "rejectThreshold": route.reject_threshold,
        "reason": route.reason,
        "editable": sorted(route.editable),
        "cards": list(terms.cards_of(group for stage in terms.stages for group in stage)),
        "remindSeconds": route.remind,
        "escalatesAfterSeconds": None if escalation is None else escalation.after,
        "escalatesTo": [] if escalation is None else list(escalation.approvers),
        "expiresSeconds": route.ttl,
        "tools": _fitting(route, tools),
    }


def staged(stages: Stages, people: PeopleDirectory) -> list[list[dict[str, object]]]:
    """Return stages as JSON-shaped data, people by name."""
    return [
        [
            {
                "name": one.group.name or None,
                "k": one.group.k,
                "approvers": list(one.group.approvers or ()),
                "people": sorted(people.name(who) or who for who in one.people),
            }
            for one in stage
        ]
        for stage in stages
    ]
