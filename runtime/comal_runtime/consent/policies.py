"""Policies: how many people it takes, and what makes one unusable."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Policy(StrEnum):
    """Who must say yes: one person, two, `k` of those entitled, or a rule of the host."""

    SINGLE = "single"
    DUAL = "dual"
    QUORUM = "quorum"
    AUTO = "auto"

    def people(self, k: int | None) -> int:
        """Return how many people must say yes; none under `auto`."""
        return (k or 0) if self is Policy.QUORUM else _PEOPLE[self]


_PEOPLE: Final[Mapping[Policy, int]] = {Policy.SINGLE: 1, Policy.DUAL: 2, Policy.AUTO: 0}
_MOST_PEOPLE: Final = 100


@dataclass(frozen=True, slots=True)
class Unfit:
    """What is wrong with a route: where (a field, or keys and places in it), and what follows."""

    path: tuple[str | int, ...]
    text: str

    @property
    def field(self) -> str:
        """The path in words: `groups #1 k`."""
        return " ".join(f"#{one + 1}" if isinstance(one, int) else one for one in self.path)


def unfit(policy: str, k: int | None, rule: str | None, reject_threshold: int) -> Unfit | None:
    """Return what makes a policy unusable, or None."""
    if policy not in list(Policy):
        known = ", ".join(repr(str(one)) for one in Policy)
        return Unfit(("policy",), f"is {policy!r}, which is unknown; use {known}")
    return (
        count_unfit(("reject_threshold",), reject_threshold)
        or _k_unfit(policy, k)
        or _rule_unfit(policy, rule)
    )


def count_unfit(path: tuple[str | int, ...], number: object) -> Unfit | None:
    """Return what is wrong with a number of people, or None."""
    if type(number) is int and 1 <= number <= _MOST_PEOPLE:
        return None
    return Unfit(path, f"is {number!r}; use a whole number, 1 to {_MOST_PEOPLE}")


def _k_unfit(policy: str, k: int | None) -> Unfit | None:
    if policy == Policy.QUORUM and k is None:
        return Unfit(
            ("k",), "is not set; policy 'quorum' needs to know how many people must say yes"
        )
    if policy != Policy.QUORUM and k is not None:
        return Unfit(("k",), f"is {k}, which only policy 'quorum' reads; policy is {policy!r}")
    return None if k is None else count_unfit(("k",), k)


def _rule_unfit(policy: str, rule: str | None) -> Unfit | None:
    if policy == Policy.AUTO and not rule:
        return Unfit(("rule",), "is not set; policy 'auto' needs the name of a registered rule")
    if policy != Policy.AUTO and rule:
        return Unfit(
            ("rule",), f"is {rule!r}, which only policy 'auto' reads; policy is {policy!r}"
        )
    return None
