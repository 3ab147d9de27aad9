"""Routes: which calls other people must approve, and who these people are."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

from ..errors import ComalError
from ..globs import narrower
from ..tools import Tool
from .covering import implies
from .fitness import clocks_unfit, terms_unfit
from .policies import Policy, Unfit, unfit
from .predicate import BadPredicate, Predicate, arguments, holds, read
from .terms import Escalation, Group, Terms

REQUEST_VERIFICATION: Final = "request_verification"
"""The tool that asks people about a subject, which has no call behind it."""

DAY: Final = 24 * 3600.0
"""Seconds a question stays open where neither its route nor its tool says."""


class BadRoute(ComalError):
    """A route cannot be used; the text names it and what is wrong, `faults` where."""

    def __init__(self, text: str, faults: Sequence[Unfit] = ()) -> None:
        super().__init__(text)
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Who decides about calls of some tools, or about subjects.

    `tool` is a name pattern, `when` an optional predicate on arguments such as `amount > 100`;
    `subject` is a pattern of what `request_verification` is asked about. `approvers` are principals
    or `role:<name>`, `cards` say where cards hang (`<instance>:<chat>[:<thread>]`), `ttl` is in
    seconds. `policy` is one of `Policy` (`single` if nothing is said): `k` people for `quorum`, the
    registered `rule` for `auto`; `reject_threshold` noes end it. `editable` maps arguments that an
    approver may change to JSON schemas; `remind` is in seconds. The rest is what `Terms` says.
    """

    name: str
    tool: str = ""
    subject: str | None = None
    approvers: tuple[str, ...] = ()
    when: str | None = None
    cards: tuple[str, ...] = ()
    policy: str | None = None
    k: int | None = None
    rule: str | None = None
    reject_threshold: int = 1
    groups: tuple[Group, ...] = ()
    reason: bool = False
    editable: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    remind: float | None = None
    escalation: Escalation | None = None
    ttl: float | None = None
    _predicate: Predicate | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.subject is not None and not self.tool:
            put(self, "tool", REQUEST_VERIFICATION)
        faults = [*self._unfit()]
        if self.when is not None:
            try:
                put(self, "_predicate", read(self.when))
            except BadPredicate as error:
                faults.append(Unfit(("when",), f"is {self.when!r}; it {error}"))
        if faults:
            told = "; ".join(f"{one.field} {one.text}" for one in faults)
            raise BadRoute(f"route {self.name!r}: {told}", faults)

    def _unfit(self) -> Iterator[Unfit]:
        if not self.tool:
            yield Unfit(("tool",), "is not set and neither is subject, so it is about nothing")
        elif self.subject is not None and self.tool != REQUEST_VERIFICATION:
            text = f"is {self.tool!r}; only {REQUEST_VERIFICATION!r} has a subject"
            yield Unfit(("tool",), text)
        if self.subject is not None and not self.subject.strip():
            yield Unfit(("subject",), "is blank; '*' means every subject")
        yield from self._terms_unfit()

    @property
    def _policy(self) -> str:
        return Policy.SINGLE if self.policy is None else self.policy

    def _terms_unfit(self) -> Iterator[Unfit]:
        if self.groups and self.policy not in (None, Policy.AUTO):
            text = f"is {self.policy!r} beside groups, each of which has a k of its own; leave out"
            yield Unfit(("policy",), f"{text} one of the two")
            return
        wrong = unfit(self._policy, self.k, self.rule, self.reject_threshold)
        if wrong is not None:
            yield wrong
        if wrong is None or wrong.path != ("policy",):
            yield from terms_unfit(self.terms)
            yield from clocks_unfit(self.terms, self.ttl)

    @property
    def label(self) -> str:
        """The quoted name and, where there is one, the predicate; told once if both say it."""
        when = f" when {self.when}" if self.when is not None else ""
        return f"{self.name.removesuffix(when)!r}{when}"

    @property
    def reads(self) -> frozenset[str]:
        """The arguments that its predicate looks at."""
        return frozenset() if self._predicate is None else arguments(self._predicate)

    @property
    def takes_all(self) -> bool:
        """Whether no call of a tool that it is about gets past it."""
        return self.when is None and self.subject is None

    def lasts(self, within: float | None = None) -> float:
        """Return for how many seconds its questions stay open; `within` is what the tool says."""
        return self.ttl or within or DAY

    def matches(self, tool: str, args: Mapping[str, Any]) -> bool:
        """Tell whether a call falls under this route; what cannot be told does, to be asked."""
        if not fnmatchcase(tool, self.tool) or not self._is_about(args.get("subject")):
            return False
        return self._predicate is None or holds(self._predicate, args) is not False

    def _is_about(self, subject: object) -> bool:
        if self.subject is None or not isinstance(subject, str):
            return True
        return fnmatchcase(_plain(subject), _plain(self.subject))

    def covers(self, other: "Route") -> bool:
        """Tell whether every call that falls under `other` surely falls under this one."""
        if not narrower(other.tool, self.tool):
            return False
        if self.subject is not None:
            inner = "*" if other.subject is None else _plain(other.subject)
            if not narrower(inner, _plain(self.subject)):
                return False
        if self._predicate is None:
            return True
        return other._predicate is not None and implies(other._predicate, self._predicate)

    @property
    def terms(self) -> Terms:
        """Who decides about a call of this route, and how many of them."""
        return Terms(
            policy=Policy(self._policy),
            k=self.k,
            rule=self.rule,
            reject_threshold=self.reject_threshold,
            approvers=self.approvers,
            name=self.name,
            cards=self.cards,
            groups=self.groups,
            reason=self.reason,
            editable=self.editable,
            remind=self.remind,
            escalation=self.escalation,
        )

    def snapshot(self) -> str:
        """Return this route as JSON, to be kept with a question."""
        return self.terms.to_json()


class Routes:
    """The routes in force, in order; the first that matches a call is its route."""

    def __init__(self, routes: Sequence[Route] = ()) -> None:
        self._routes = tuple(routes)

    def __bool__(self) -> bool:
        return bool(self._routes)

    def __iter__(self) -> Iterator[Route]:
        return iter(self._routes)

    def for_call(self, tool: str, args: Mapping[str, Any]) -> Route | None:
        """Return the route of a call, if other people must approve it."""
        for route in self._routes:
            if route.matches(tool, args):
                return route
        return None

    def of(self, tool: Tool, args: Mapping[str, Any]) -> Route | None:
        """Return the route of a call: the first that matches, else the one its tool names.

        None for a tool that asks people itself: its route says who answers what it asks, not
        whether it may.
        """
        if tool.options.consent_only:
            return None
        found = self.for_call(tool.name, args)
        named = tool.options.approval
        return found if found is not None or named is None else self.named(named)

    def about(self, tool: str) -> tuple[Route, ...]:
        """Return the routes that calls of a tool may fall under, as far as its name tells.

        One that takes all is the last: no call gets past it.
        """
        found: list[Route] = []
        for route in self._routes:
            if fnmatchcase(tool, route.tool):
                found.append(route)
                if route.takes_all:
                    break
        return tuple(found)

    def shadowed(self) -> Iterator[tuple[Route, Route]]:
        """Yield each route that no call reaches, and the one above it that takes its calls."""
        for place, route in enumerate(self._routes):
            above = next((one for one in self._routes[:place] if one.covers(route)), None)
            if above is not None:
                yield route, above

    def check_rules(self, known: Collection[str]) -> None:
        """Refuse a route whose rule nobody registered.

        Raises:
            BadRoute: Its text names the route, the rule and those that are known.
        """
        for route in self._routes:
            if route.rule is not None and route.rule not in known:
                names = ", ".join(map(repr, sorted(known))) or "none"
                raise BadRoute(
                    f"route {route.name!r} names the rule {route.rule!r}, which is not registered; "
                    f"registered: {names}"
                )

    def named(self, name: str) -> Route | None:
        """Return the route with this name."""
        return next((route for route in self._routes if route.name == name), None)


def _plain(subject: str) -> str:
    """Return a subject as it reads: models choose it, and must not slip past by how it is spelt."""
    shown = (sign for sign in unicodedata.normalize("NFKC", subject) if not _is_hidden(sign))
    return " ".join("".join(shown).casefold().split())


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cf", "Mn")
