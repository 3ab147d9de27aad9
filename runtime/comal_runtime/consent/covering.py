"""What one route surely takes from another; only what can be proved counts."""

from typing import Final

from .predicate import Argument, Comparison, Every, Literal, Predicate, Some, holds

_MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_UPWARDS: Final = frozenset({">", ">="})
_DOWNWARDS: Final = frozenset({"<", "<="})


def implies(narrow: Predicate, wide: Predicate) -> bool:
    """Tell whether every call that may fit `narrow` surely may fit `wide` as well."""
    if repr(narrow) == repr(wide):  # unlike ==, it tells True from 1
        return True
    if isinstance(narrow, Some):
        return all(implies(part, wide) for part in narrow.parts)
    if isinstance(wide, Every):
        return all(implies(narrow, part) for part in wide.parts)
    if isinstance(narrow, Every) and any(implies(part, wide) for part in narrow.parts):
        return True
    if isinstance(wide, Some):
        return any(implies(narrow, part) for part in wide.parts)
    if isinstance(narrow, Comparison) and isinstance(wide, Comparison):
        return _within(_turned(narrow), _turned(wide))
    return False


def _turned(said: Comparison) -> Comparison:
    """Put what is read from the call on the left."""
    if isinstance(said.left, Argument):
        return said
    return Comparison(said.right, _MIRRORED[said.sign], said.left)


def _within(narrow: Comparison, wide: Comparison) -> bool:
    bound, other = narrow.right, wide.right
    if narrow.left != wide.left or not isinstance(bound, Literal) or not isinstance(other, Literal):
        return False
    if narrow.sign == "==":
        return _told(bound, wide) is True
    if wide.sign == "!=":
        return narrow.sign != "!=" and _told(other, narrow) is False
    one_way = {narrow.sign, wide.sign}
    if not (one_way <= _UPWARDS or one_way <= _DOWNWARDS):
        return False
    is_open = narrow.sign in ("<", ">")  # then its own bound need not lie within the other
    least = Comparison(wide.left, wide.sign[0] + "=", other) if is_open else wide
    return _told(bound, least) is True


def _told(value: Literal, said: Comparison) -> bool | None:
    return holds(Comparison(value, said.sign, said.right), {})
