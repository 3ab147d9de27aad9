"""Routes: which calls other people must approve, and who these people are."""

import ast
import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Protocol

from ..errors import ComalError
from .policies import Policy, Terms, unfit

_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


ONLY_A_RULE: Final = "would never be asked: policy 'auto' leaves it to its rule; name none"


class BadRoute(ComalError):
    """A route cannot be used; the text names it and what is wrong."""


class Directory(Protocol):
    """Who principals are."""

    def person(self, principal: str) -> str:
        """Return one name for everybody this principal is; itself when nothing is known."""
        ...

    def roles(self, principal: str) -> frozenset[str]:
        """Return the roles this principal's person holds."""
        ...


class Strangers:
    """A directory that knows nobody: every principal is a person of its own."""

    def person(self, principal: str) -> str:
        return principal

    def roles(self, principal: str) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Who decides about calls of some tools.

    `tool` is a name pattern, `when` an optional predicate on arguments such as `amount > 100`,
    `approvers` are principals or `role:<name>`, `cards` say where cards hang
    (`<instance>:<chat>[:<thread>]`), `ttl` is in seconds. `policy` is one of `Policy`: `k` people
    for `quorum`, the registered `rule` for `auto`; `reject_threshold` noes end it.
    """

    name: str
    tool: str
    approvers: tuple[str, ...] = ()
    when: str | None = None
    cards: tuple[str, ...] = ()
    policy: str = Policy.SINGLE
    k: int | None = None
    rule: str | None = None
    reject_threshold: int = 1
    ttl: float = 24 * 3600.0

    def __post_init__(self) -> None:
        wrong = unfit(self.policy, self.k, self.rule, self.reject_threshold)
        if wrong is not None:
            raise BadRoute(f"route {self.name!r}: {wrong.field} {wrong.text}")
        if self.approvers and self.policy == Policy.AUTO:
            raise BadRoute(f"route {self.name!r}: approvers {ONLY_A_RULE}")
        if not self.approvers and self.policy != Policy.AUTO:
            raise BadRoute(f"route {self.name!r} names no approvers, so nobody could ever decide")
        if not 0 < self.ttl < math.inf:
            raise BadRoute(f"route {self.name!r}: ttl is {self.ttl!r}; use seconds above 0")
        if self.when is not None:
            _parse(self.name, self.when)

    @property
    def label(self) -> str:
        """The quoted name and, where there is one, the predicate; told once if both say it."""
        when = f" when {self.when}" if self.when is not None else ""
        return f"{self.name.removesuffix(when)!r}{when}"

    @property
    def reads(self) -> frozenset[str]:
        """The arguments that its predicate looks at."""
        tree = _parse(self.name, self.when) if self.when is not None else ast.Constant(None)
        return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))

    def matches(self, tool: str, args: Mapping[str, Any]) -> bool:
        """Tell whether a call falls under this route. A predicate that cannot be told matches."""
        if not fnmatchcase(tool, self.tool):
            return False
        if self.when is None:
            return True
        try:
            return _holds(_parse(self.name, self.when), args)
        except (TypeError, KeyError):
            return True  # what cannot be compared is better asked about

    @property
    def terms(self) -> Terms:
        """Who decides about a call of this route, and how many of them."""
        return Terms(
            policy=Policy(self.policy),
            k=self.k,
            rule=self.rule,
            reject_threshold=self.reject_threshold,
            approvers=self.approvers,
            name=self.name,
            cards=self.cards,
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

    def about(self, tool: str) -> tuple[Route, ...]:
        """Return the routes that calls of a tool may fall under, as far as its name tells.

        A route without a predicate is the last: no call gets past it.
        """
        found: list[Route] = []
        for route in self._routes:
            if fnmatchcase(tool, route.tool):
                found.append(route)
                if route.when is None:
                    break
        return tuple(found)

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


def entitled(route: str | None, voter: str, requester: str | None, directory: Directory) -> bool:
    """Tell whether `voter` may decide under a route snapshot. The requester never may.

    Without a route any other person may, as far as the law let them call at all.
    """
    if requester is not None and directory.person(requester) == directory.person(voter):
        return False
    approvers = Terms.read(route).approvers
    return approvers is None or is_among(approvers, voter, directory)


def is_among(named: Sequence[str], principal: str | None, directory: Directory) -> bool:
    """Tell whether somebody is one of these principals' people, or holds one of these roles."""
    if principal is None:
        return False
    person, roles = directory.person(principal), directory.roles(principal)
    for one in named:
        kind, _, name = one.partition(":")
        if name in roles if kind == "role" else directory.person(one) == person:
            return True
    return False


def _parse(route: str, text: str) -> ast.expr:
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadRoute(f"route {route!r}: cannot read when = {text!r}: {error}") from error
    _check(route, text, tree)
    return tree


def _check(route: str, text: str, node: ast.expr) -> None:
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                _check(route, text, value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            _check(route, text, operand)
        case ast.Compare() if _is_comparison(node):
            pass
        case _:
            raise BadRoute(
                f"route {route!r}: when = {text!r} may hold argument names, numbers, texts, "
                "comparisons, and, or, not"
            )


def _is_comparison(node: ast.Compare) -> bool:
    operands = _is_operand(node.left) and all(map(_is_operand, node.comparators))
    return operands and all(type(op) in _COMPARE for op in node.ops)


def _is_operand(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Name | ast.Constant)


def _holds(node: ast.expr, args: Mapping[str, Any]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_holds(value, args) for value in values)
        case ast.BoolOp(values=values):
            return any(_holds(value, args) for value in values)
        case ast.UnaryOp(operand=operand):
            return not _holds(operand, args)
        case ast.Compare():
            sides = [_value(part, args) for part in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return all(_COMPARE[type(op)](one, two) for op, one, two in pairs)
        case _:
            raise TypeError("not a predicate")


def _value(node: ast.expr, args: Mapping[str, Any]) -> object:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Name(id=name):
            argument: object = args[name]
            if argument != argument:
                raise TypeError("a value that differs from itself cannot be compared")
            return argument
        case _:
            raise TypeError("not an operand")
