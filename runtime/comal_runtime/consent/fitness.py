"""Fitness: what makes the terms of a route unusable, each with the field it stands in."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..errors import BadToolSchema
from ..schema import CompiledSchema
from .policies import Policy, Unfit, count_unfit
from .terms import REQUESTER, Escalation, Group, Terms

ONLY_A_RULE: Final = "would never be asked: policy 'auto' leaves it to its rule; name none"

_APPROVER: Final = re.compile(r"[^\s:]+:\S+")
_ROLE: Final = re.compile(r"role:[^\s:]+")
_CARD: Final = re.compile(r"[^\s:]+:[^\s:]+(?::[^\s:]+)?")
_NOT_THE_REQUESTER: Final = "is the one who asks, who never approves their own call; name others"

Path = tuple[str | int, ...]


def terms_unfit(terms: Terms) -> Iterator[Unfit]:
    """Yield what is wrong with terms whose policy is usable."""
    if terms.policy is Policy.AUTO:
        yield from _people_beside_a_rule(terms)
    elif terms.groups:
        yield from _groups_unfit(terms)
    else:
        yield from approvers_unfit(("approvers",), terms.approvers or ())
    yield from _cards_unfit(("cards",), terms.cards)
    yield from _editable_unfit(terms.editable)
    if terms.escalation is not None:
        yield from _escalation_unfit(terms.escalation)


def _people_beside_a_rule(terms: Terms) -> Iterator[Unfit]:
    for field in ("approvers", "groups"):
        if getattr(terms, field):
            yield Unfit((field,), ONLY_A_RULE)
    for field in ("reason", "editable", "remind", "escalation"):
        if getattr(terms, field):
            yield Unfit((field,), "says nothing: policy 'auto' asks nobody; leave it out")


def _groups_unfit(terms: Terms) -> Iterator[Unfit]:
    if terms.approvers:
        yield Unfit(("approvers",), "are there beside groups; put everybody into a group")
    for place, group in enumerate(terms.groups):
        yield from _group_unfit(("groups", place), group)
    named = [group.name for group in terms.groups if group.name]
    for place, group in enumerate(terms.groups):
        if group.name and group.name in named[: place - len(terms.groups)]:
            text = f"{group.name!r} is another group's already; give one of them another name"
            yield Unfit(("groups", place, "name"), text)


def _group_unfit(path: Path, group: Group) -> Iterator[Unfit]:
    for field in ("k", "stage"):
        wrong = count_unfit((*path, field), getattr(group, field))
        if wrong is not None:
            yield wrong
    yield from approvers_unfit((*path, "approvers"), group.approvers or ())
    yield from _cards_unfit((*path, "cards"), group.cards)


def approvers_unfit(path: Path, approvers: Sequence[str]) -> Iterator[Unfit]:
    """Yield what is wrong with a list of those who approve."""
    if isinstance(approvers, str):
        yield Unfit(path, f"is the text {approvers!r}; use a list")
        return
    if not approvers:
        yield Unfit(path, "is empty, so nobody could ever decide; name people or roles")
        return
    for place, one in enumerate(approvers):
        if one == REQUESTER:
            yield Unfit((*path, place), f"{one!r} {_NOT_THE_REQUESTER}")
        elif not _is_approver(one):
            text = f"is {one!r}; allowed: 'role:<name>' or '<channel>:<id>'"
            yield Unfit((*path, place), text)


def _is_approver(one: object) -> bool:
    if not isinstance(one, str) or one.startswith("person:"):
        return False
    return bool((_ROLE if one.startswith("role:") else _APPROVER).fullmatch(one))


def _cards_unfit(path: Path, cards: Sequence[str]) -> Iterator[Unfit]:
    for place, card in enumerate(cards):
        if not _CARD.fullmatch(card):
            text = f"is {card!r}; allowed: '<channel>:<chat>' or with ':<thread>' after"
            yield Unfit((*path, place), text)


def _editable_unfit(editable: Mapping[str, Mapping[str, Any]]) -> Iterator[Unfit]:
    for name, bounds in editable.items():
        if not isinstance(bounds, Mapping):
            yield Unfit(("editable", name), "must be a table: a JSON schema of what it may become")
            continue
        try:
            CompiledSchema(bounds)
        except BadToolSchema as error:
            yield Unfit(
                ("editable", name),
                f"is no JSON schema: {error.reason}, at {error.pointer or 'its root'}",
            )


def _escalation_unfit(escalation: Escalation) -> Iterator[Unfit]:
    yield from seconds_unfit(("escalation", "after"), escalation.after)
    yield from approvers_unfit(("escalation", "approvers"), escalation.approvers)
    yield from _cards_unfit(("escalation", "cards"), escalation.cards)


def clocks_unfit(terms: Terms, ttl: float | None) -> Iterator[Unfit]:
    """Yield what is wrong with how long a question stays open, and what happens meanwhile."""
    if ttl is not None:
        yield from seconds_unfit(("ttl",), ttl)
    if terms.remind is not None:
        yield from seconds_unfit(("remind",), terms.remind)
    for path, moment in _moments(terms):
        if ttl is not None and moment >= ttl:
            yield Unfit(path, f"is {moment:g} seconds, when its questions have ended after {ttl:g}")


def _moments(terms: Terms) -> Iterator[tuple[Path, float]]:
    if terms.remind is not None:
        yield ("remind",), terms.remind
    if terms.escalation is not None:
        yield ("escalation", "after"), terms.escalation.after


def seconds_unfit(path: Path, seconds: float) -> Iterator[Unfit]:
    """Yield what is wrong with a duration."""
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not (number and 0 < seconds < math.inf):
        yield Unfit(path, f"is {seconds!r}; use seconds above 0")
