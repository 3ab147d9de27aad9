"""Routes at start-up: the rules they name, and whether anybody could answer what they ask."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comal_runtime.consent import BadRoute, Route, Routes
from comal_runtime.consent.masking import masked_pointers
from comal_runtime.consent.policies import Policy
from comal_runtime.consent.verification import Verifier, rules_of
from comal_runtime.tools import Tool

from .approvers import Stages, are_enough, asked_by, everybody, without
from .people import PeopleDirectory

OWNER: Final = "role:owner"


class Kind(StrEnum):
    """What is wrong with a route that can be read."""

    UNSATISFIABLE = "unsatisfiable"
    SELF_SATISFIABLE = "self-satisfiable"
    SHADOWED = "shadowed"
    EDITABLE = "editable"


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteFault:
    """A route that cannot do what it is for. `text` follows its name; `tool` where it is of one."""

    route: str
    kind: Kind
    text: str
    tool: str = ""

    def __str__(self) -> str:
        return f"route {self.route!r} {self.text}"


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


def route_faults(
    routes: Routes, tools: Sequence[Tool], people: PeopleDirectory
) -> Iterator[RouteFault]:
    """Yield the routes that nobody could satisfy, or one person alone, or that no call reaches."""
    named = {tool.options.approval for tool in tools}
    for route, above in routes.shadowed():
        if route.name not in named:
            text = (
                f"is never reached: route {above.name!r} stands above it and takes every call it "
                "is about; put it above that one, or take it out"
            )
            yield RouteFault(route=route.name, kind=Kind.SHADOWED, text=text)
    for route in routes:
        about = [tool for tool in tools if route in _met_by(tool, routes)]
        if route.policy != Policy.AUTO:
            yield from _unanswerable(route, about, people)
        yield from _not_editable(route, about)


def refuse_faulty(routes: Routes, tools: Sequence[Tool], people: PeopleDirectory) -> None:
    """Refuse to serve with a route that cannot do what it is for.

    Raises:
        BadRoute: Its text names every such route and what is wrong, a line each.
    """
    found = [str(one) for one in route_faults(routes, tools, people)]
    if found:
        raise BadRoute("\n".join(found))


def _met_by(tool: Tool, routes: Routes) -> list[Route]:
    named = None if tool.options.approval is None else routes.named(tool.options.approval)
    return [*routes.about(tool.name), *([named] if named is not None else [])]


def _unanswerable(
    route: Route, tools: Sequence[Tool], people: PeopleDirectory
) -> Iterator[RouteFault]:
    stages = _with_a_first_owner(asked_by(route.terms, people, escalated=True), people)
    asked = everybody(stages)
    needs = f"needs {route.terms.needed} to say yes"
    if not are_enough(stages):
        said = f"{needs}, and {_only(asked, people)} may{_in_which_groups(stages)}"
        kind, more = Kind.UNSATISFIABLE, "; name more people"
        aliases = _aliases(route, people)
        if aliases:
            kind, more = Kind.SELF_SATISFIABLE, f": {aliases}, who counts once; name others"
        yield RouteFault(route=route.name, kind=kind, text=said + more)
        return
    if len(asked) < route.reject_threshold:
        text = (
            f"ends after {route.reject_threshold} noes, and {_only(asked, people)} may say no; "
            "lower reject_threshold, or name more people"
        )
        yield RouteFault(route=route.name, kind=Kind.UNSATISFIABLE, text=text)
    for tool in tools:
        requesters = _requesters(tool, people)
        if requesters and not any(are_enough(without(stages, [one])) for one in requesters):
            text = (
                f"can never be answered for {tool.name!r}: only {_names(requesters, people)} may "
                f"ask for it, nobody approves their own call, and it {needs}; name more "
                "approvers, or give more people a scope it needs"
            )
            kind = Kind.SELF_SATISFIABLE
            yield RouteFault(route=route.name, kind=kind, text=text, tool=tool.name)


def _with_a_first_owner(stages: Stages, people: PeopleDirectory) -> Stages:
    """Count on one owner where there is none yet: the first comes while the host serves."""
    if any("owner" in person.roles for person in people.known()):
        return stages
    return tuple(
        tuple(
            type(one)(group=one.group, people=one.people | {OWNER})
            if OWNER in (one.group.approvers or ())
            else one
            for one in stage
        )
        for stage in stages
    )


def _in_which_groups(stages: Stages) -> str:
    """Say of several groups which has too few people by itself, or that they share them."""
    groups = [one for stage in stages for one in stage]
    if len(groups) == 1:
        return ""
    few = [one.group for one in groups if len(one.people) < one.group.k]
    if not few:
        return ", each of them in one group only"
    names = ", ".join(repr(group.name or f"of stage {group.stage}") for group in few)
    return f"; too few are in the group {names}"


def _aliases(route: Route, people: PeopleDirectory) -> str:
    """Name principals among the approvers that are one person."""
    groups = (group.approvers or () for stage in route.terms.stages for group in stage)
    named = {one for approvers in groups for one in approvers if not one.startswith("role:")}
    for person in people.known():
        mine = sorted(named & set(person.identities))
        if len(mine) > 1:
            return f"{' and '.join(map(repr, mine))} are {person.name}"
    return ""


def _requesters(tool: Tool, people: PeopleDirectory) -> frozenset[str]:
    """Return who alone may call a tool; nobody in particular when it needs no scope."""
    wanted = {*tool.options.scopes, "*"}
    if not tool.options.scopes:
        return frozenset()
    return frozenset(
        people.person(person.identities[0])
        for person in people.known()
        if person.identities and wanted & set(people.scopes(person.identities[0]))
    )


def _not_editable(route: Route, tools: Sequence[Tool]) -> Iterator[RouteFault]:
    """Yield the arguments that approvers may edit, and that no tool has or that are secret."""
    shapes = [tool.input_schema.get("properties", {}) for tool in tools]
    for name in route.editable if tools else ():
        having = [tool for tool, shape in zip(tools, shapes, strict=True) if name in shape]
        secret = [tool for tool in having if masked_pointers(tool.input_schema, {name: ""})]
        fixed = [tool for tool in having if _is_fixed(tool.input_schema["properties"][name])]
        text = ""
        if not having:
            known = ", ".join(sorted({one for shape in shapes for one in shape})) or "(none)"
            text = f"lets approvers edit {name!r}, which no tool it is about has; they have {known}"
        elif secret:
            text = f"lets approvers edit {name!r}, which is secret in {secret[0].name!r}"
        elif fixed:
            text = f"lets approvers edit {name!r}, which has one value only in {fixed[0].name!r}"
        if text:
            yield RouteFault(route=route.name, kind=Kind.EDITABLE, text=f"{text}; leave it out")


def _is_fixed(shape: object) -> bool:
    return isinstance(shape, Mapping) and ("const" in shape or len(shape.get("enum", "ab")) == 1)


def _only(asked: frozenset[str], people: PeopleDirectory) -> str:
    return f"only {_names(asked, people)}" if asked else "nobody"


def _names(persons: frozenset[str], people: PeopleDirectory) -> str:
    return ", ".join(sorted(people.name(one) or one for one in persons))
