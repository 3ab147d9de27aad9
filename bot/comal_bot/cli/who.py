"""`comal approvals who`: which people together can approve a call, before it is made."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from comal_bot.approvers import Stages, asked_by, everybody, sets, without
from comal_bot.people import PeopleDirectory
from comal_bot.settings import BadSettings, load_settings
from comal_bot.settings.problems import hint
from comal_runtime.consent import Route, Routes
from comal_runtime.consent.verification import REQUEST_VERIFICATION
from comal_runtime.context import ToolContext
from comal_runtime.registry import ToolRegistry, defaults_of
from comal_runtime.tools import Tool

from .codes import FAILED
from .knowing import known_people
from .printing import print_json, print_text
from .routes import spoken, staged
from .tools import no_such_tool, wired_registry

_MOST_SHOWN: Final = 20  # sets that a person reads
_MOST_LOOKS: Final = 20_000  # at sets, found before or not; some routes have more than atoms
_INDENT: Final = 2
_CONFIRMS: Final = "no route is about it: the requester alone confirms it, and nobody else is asked"
_FREE: Final = "no route is about it, and neither tool nor channel asks: it runs without a yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Who can approve a call. Of `sets` only some are kept, `more` tells how many are not.

    `more` is at least so many where not `counted`. `why` says why nobody is asked, or why those
    who are cannot be enough; `after_escalation` are the stages once others are asked as well.
    """

    tool: str
    args: Mapping[str, Any]
    route: Route | None = None
    requester: str | None = None
    stages: Stages = ()
    sets: tuple[frozenset[str], ...] = ()
    more: int = 0
    counted: bool = True
    cannot: tuple[str, ...] = ()
    why: str | None = None
    after_escalation: Stages = ()
    names: PeopleDirectory = field(repr=False)

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON-shaped data, people by name."""
        escalation = None if self.route is None else self.route.escalation
        return {
            "tool": self.tool,
            "args": dict(self.args),
            "requester": self.requester,
            "route": None if self.route is None else self.route.name,
            "rule": None if self.route is None else self.route.rule,
            "stages": staged(self.stages, self.names),
            "sets": [self.named(some) for some in self.sets],
            "moreSets": self.more,
            "allSetsCounted": self.counted,
            "cannot": list(self.cannot),
            "why": self.why,
            "escalatesAfterSeconds": None if escalation is None else escalation.after,
            "stagesAfterEscalation": staged(self.after_escalation, self.names),
        }

    def named(self, some: frozenset[str]) -> list[str]:
        """Return people's names; a stranger is called by its id."""
        return sorted(self.names.name(one) or one for one in some)


def show_who(
    tool: str,
    args: Sequence[str],
    requester: str | None,
    sources: tuple[Path | None, Sequence[str]],
    *,
    as_json: bool,
) -> int:
    """Print who can approve a call; return 1 if people are asked and never are enough.

    It only looks: whoever may read the settings may ask it.

    Raises:
        BadSettings: There is no such tool or person, or the arguments cannot be read.
    """
    config, tools = sources
    settings = load_settings(config, tools=tools)
    registry, people = wired_registry(settings, config), known_people(settings)
    found = registry.get(tool)
    if found is None:
        raise BadSettings((no_such_tool(tool, registry),))
    who = _who(registry, found, _read(args), _principal(requester, people), people)
    if as_json:
        print_json(who.to_dict())
    else:
        _print(who)
    return FAILED if who.stages and not who.sets and not who.after_escalation else 0


def _who(
    registry: ToolRegistry,
    tool: Tool,
    args: Mapping[str, Any],
    requester: str | None,
    people: PeopleDirectory,
) -> Who:
    whole = {**defaults_of(tool), **args}
    route = _route(registry.wiring().routes, tool, whole)
    shown = Who(tool=tool.name, args=whole, route=route, requester=requester, names=people)
    if route is None:
        return replace(shown, why=_unasked(registry, tool, requester))
    if route.terms.needed is None:
        return replace(shown, why=f"rule {route.rule!r} decides alone, and asks nobody")
    return _counted(shown, route, people)


def _route(routes: Routes, tool: Tool, args: Mapping[str, Any]) -> Route | None:
    if tool.name == REQUEST_VERIFICATION:
        return routes.for_call(tool.name, args)
    return routes.of(tool, args)


def _unasked(registry: ToolRegistry, tool: Tool, requester: str | None) -> str:
    """Say why no other people are asked."""
    if tool.options.approval is not None:
        return f"refused: it needs route {tool.options.approval!r}, which is not configured"
    if tool.name == REQUEST_VERIFICATION:
        return "no route is about this subject: any one other person decides"
    ctx = ToolContext(principal=requester, channel="telegram")
    asks = registry.wiring().gate.requires_confirmation(ctx, tool)
    return _CONFIRMS if asks else _FREE


def _counted(shown: Who, route: Route, people: PeopleDirectory) -> Who:
    """Add who is asked, and which of them are enough."""
    barred = set() if shown.requester is None else {people.person(shown.requester)}
    asked = asked_by(route.terms, people)
    stages = without(asked, barred)
    later: Stages = ()
    if route.escalation is not None:
        later = without(asked_by(route.terms, people, escalated=True), barred)
    some, more, counted = _first(sets(stages))
    cannot = tuple(
        f"{people.name(one) or one} asks for it, and nobody approves their own call"
        for one in sorted(barred & everybody(asked))
    )
    too_few = f"too few: {route.terms.needed} must say yes, each of them in one group"
    return replace(
        shown,
        stages=stages,
        sets=some,
        more=more,
        counted=counted,
        cannot=cannot,
        why=None if some else too_few,
        after_escalation=later if next((one for one in sets(later) if one), None) else (),
    )


def _first(
    found: Iterator[frozenset[str] | None],
) -> tuple[tuple[frozenset[str], ...], int, bool]:
    """Return the sets to show, how many more there are, and whether all were looked at."""
    looks = [*islice(found, _MOST_LOOKS)]
    new = [one for one in looks if one is not None]
    return tuple(new[:_MOST_SHOWN]), max(0, len(new) - _MOST_SHOWN), len(looks) < _MOST_LOOKS


def _read(args: Sequence[str]) -> dict[str, Any]:
    """Read arguments: one JSON object, or `name=value` each, whose value is JSON or else a text.

    Raises:
        BadSettings: They are neither.
    """
    if len(args) == 1 and args[0].lstrip().startswith("{"):
        try:
            found: object = json.loads(args[0])
        except ValueError as error:
            raise BadSettings((f"the arguments are no JSON object: {error}",)) from error
        return dict(found) if isinstance(found, dict) else {}
    read: dict[str, Any] = {}
    for one in args:
        name, sign, text = one.partition("=")
        if not sign or not name:
            raise BadSettings((f"argument {one!r} is neither name=value nor a JSON object",))
        read[name] = _value(text)
    return read


def _value(text: str) -> object:
    try:
        found: object = json.loads(text)
    except ValueError:
        return text
    return found


def _principal(wanted: str | None, people: PeopleDirectory) -> str | None:
    """Return the principal meant by a person's name or by one of their identities.

    Raises:
        BadSettings: There is nobody so called.
    """
    if wanted is None or ":" in wanted:
        return wanted
    known = {one.name: one.identities[0] for one in people.known() if one.identities}
    if wanted not in known:
        raise BadSettings((f"--as is {wanted!r}, who is not known; {hint(wanted, (*known,))}",))
    return known[wanted]


def _print(who: Who) -> None:
    call = ", ".join(f"{name}={json.dumps(value)}" for name, value in who.args.items())
    asker = "" if who.requester is None else f" asked by {_name(who, who.requester)}"
    print_text(f"{who.tool}({call}){asker}")
    if who.route is not None:
        print_text(f"route {who.route.label}", indent=_INDENT)
    if who.stages:
        print_text(f"asks {spoken(who.stages, who.names)}", indent=_INDENT)
    for some in who.sets:
        print_text(f"enough: {', '.join(who.named(some))}", indent=_INDENT)
    if who.more:
        least = "" if who.counted else "at least "
        print_text(f"and {least}{who.more} more sets", indent=_INDENT)
    for told in (*who.cannot, *((who.why,) if who.why is not None else ())):
        print_text(told, indent=_INDENT)
    escalation = None if who.route is None else who.route.escalation
    if escalation is not None and who.after_escalation:
        later = spoken(who.after_escalation, who.names)
        print_text(f"after {escalation.after:g} seconds it asks {later}", indent=_INDENT)


def _name(who: Who, principal: str) -> str:
    return who.names.name(principal) or principal
