"""Predicates: what a route's `when` may say about the arguments of a call."""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

MAY_HOLD: Final = (
    "may hold argument names (also inside others: order.total), len(name), numbers, texts, "
    "comparisons, in [...], and, or, not"
)


class BadPredicate(Exception):
    """A predicate cannot be used; its text says why, and follows the predicate."""


@dataclass(frozen=True, slots=True)
class Literal:
    """What the route says itself."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the call, or what lies inside one; `counted` means how long it is."""

    path: tuple[str, ...]
    counted: bool = False


Operand = Literal | Argument


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands and what is said of them: `==`, `!=`, `<`, `<=`, `>` or `>=`."""

    left: Operand
    sign: str
    right: Operand


@dataclass(frozen=True, slots=True)
class Every:
    """All of its parts."""

    parts: tuple["Predicate", ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One of its parts at least."""

    parts: tuple["Predicate", ...]


Predicate = Comparison | Every | Some

_SIGNS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def read(text: str) -> Predicate:
    """Read a predicate.

    Raises:
        BadPredicate: It is more than comparisons, or compares nothing of the call.
    """
    try:
        return _read(ast.parse(text, mode="eval").body, said=True)
    except SyntaxError as error:
        raise BadPredicate(f"cannot be read: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise BadPredicate(f"cannot be read: {error}") from error


def _read(node: ast.expr, *, said: bool) -> Predicate:
    """Read a node, or its opposite where it is not `said`: in the end nothing is negated."""
    match node:
        case ast.BoolOp(op=op, values=values):
            kind = Every if isinstance(op, ast.And) is said else Some
            return kind(tuple(_read(value, said=said) for value in values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _read(operand, said=not said)
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = (left, *others)
            links = zip(sides, ops, others, strict=False)
            parts = tuple(_link(*link, said=said) for link in links)
            kind = Every if said else Some
            return parts[0] if len(parts) == 1 else kind(parts)
        case _:
            raise BadPredicate(MAY_HOLD)


def _link(left: ast.expr, op: ast.cmpop, right: ast.expr, *, said: bool) -> Predicate:
    if isinstance(op, ast.In | ast.NotIn):
        return _among(left, right, said=isinstance(op, ast.In) is said)
    sign = _SIGNS.get(type(op))
    if sign is None:
        raise BadPredicate(MAY_HOLD)
    return _comparison(left, sign if said else _OPPOSITE[sign], right)


def _among(left: ast.expr, listed: ast.expr, *, said: bool) -> Predicate:
    """Read `in` as what it is short for: equal to one of those listed."""
    if not isinstance(listed, ast.List | ast.Tuple | ast.Set) or not listed.elts:
        raise BadPredicate(f"{MAY_HOLD}; what follows `in` is a list of numbers or texts")
    if not all(isinstance(_operand(one), Literal) for one in listed.elts):
        raise BadPredicate(f"{MAY_HOLD}; a list after `in` holds numbers or texts only")
    parts = tuple(_comparison(left, "==" if said else "!=", one) for one in listed.elts)
    return Some(parts) if said else Every(parts)


def _comparison(left: ast.expr, sign: str, right: ast.expr) -> Comparison:
    one, other = _operand(left), _operand(right)
    if isinstance(one, Literal) and isinstance(other, Literal):
        raise BadPredicate("compares nothing of the call; argument names stand without quotes")
    return Comparison(one, sign, other)


def _operand(node: ast.expr) -> Operand:
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return Literal(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Literal(-value)
        case ast.Call(func=ast.Name(id="len"), args=[counted], keywords=[]):
            return Argument(_path(counted), counted=True)
        case _:
            return Argument(_path(node))


def _path(node: ast.expr) -> tuple[str, ...]:
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=holder, attr=name) if not name.startswith("__"):
            return (*_path(holder), name)
        case _:
            raise BadPredicate(MAY_HOLD)


def comparisons(predicate: Predicate) -> Iterator[Comparison]:
    """Yield every comparison of a predicate."""
    if isinstance(predicate, Comparison):
        yield predicate
        return
    for part in predicate.parts:
        yield from comparisons(part)


def arguments(predicate: Predicate) -> frozenset[str]:
    """Return the names of the arguments that a predicate looks at."""
    sides = (side for one in comparisons(predicate) for side in (one.left, one.right))
    return frozenset(side.path[0] for side in sides if isinstance(side, Argument))


def holds(predicate: Predicate, args: Mapping[str, Any]) -> bool | None:
    """Tell whether a predicate holds; None where what the call says does not tell."""
    if isinstance(predicate, Comparison):
        return _compared(predicate, args)
    decisive = isinstance(predicate, Some)
    told = [holds(part, args) for part in predicate.parts]
    if decisive in told:
        return decisive
    return None if None in told else not decisive


def _compared(said: Comparison, args: Mapping[str, Any]) -> bool | None:
    try:
        left, right = _value(said.left, args), _value(said.right, args)
    except (KeyError, TypeError):
        return None
    kinds = {_kind(left), _kind(right)}
    if kinds & {"unequal to itself"} or kinds == {"number", "switch"}:
        return None
    if said.sign in ("==", "!="):
        return bool(left == right) is (said.sign == "==")
    ordered = kinds in ({"number"}, {"text"})
    return bool(_ORDERS[said.sign](left, right)) if ordered else None


def _kind(value: object) -> str:
    if value != value:
        return "unequal to itself"
    if isinstance(value, bool):
        return "switch"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else "other"


def _value(operand: Operand, args: Mapping[str, Any]) -> object:
    if isinstance(operand, Literal):
        return operand.value
    found: Any = args
    for name in operand.path:
        if not isinstance(found, Mapping):
            raise TypeError("nothing lies inside it")
        found = found[name]
    if not operand.counted:
        return found
    if not isinstance(found, str | list | tuple | Mapping):
        raise TypeError("it has no length")
    return len(found)
