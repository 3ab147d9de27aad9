"""How many people it takes: the policy of a route, kept with each question it is asked by."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Who decides about a question, and how many of them.

    `k` is for `quorum`, `rule` for `auto`; so many noes as `reject_threshold` end it. `approvers`
    are principals or `role:<name>`; None means anybody else whom the law lets answer.
    """

    policy: Policy = Policy.SINGLE
    k: int | None = None
    rule: str | None = None
    reject_threshold: int = 1
    approvers: tuple[str, ...] | None = None
    name: str | None = None
    cards: tuple[str, ...] = ()

    @property
    def needed(self) -> int | None:
        """How many people must say yes; None where only a rule can."""
        return None if self.policy is Policy.AUTO else self.policy.people(self.k)

    def to_json(self) -> str:
        """Return these terms as JSON, to be kept with a question."""
        kept: dict[str, Any] = {"name": self.name, "approvers": self.approvers}
        kept |= {"cards": self.cards, "policy": self.policy}
        if self.k is not None:
            kept["k"] = self.k
        if self.rule is not None:
            kept["rule"] = self.rule
        if self.reject_threshold != 1:
            kept["reject_threshold"] = self.reject_threshold
        return json.dumps(kept, ensure_ascii=False)

    @classmethod
    def read(cls, kept: str | None) -> Self:
        """Return what `to_json` wrote; one person's yes, whoever it is, where nothing is kept."""
        if kept is None:
            return cls()
        found: Mapping[str, Any] = json.loads(kept)
        approvers = found.get("approvers")
        return cls(
            policy=Policy(found.get("policy", Policy.SINGLE)),
            k=found.get("k"),
            rule=found.get("rule"),
            reject_threshold=found.get("reject_threshold", 1),
            approvers=None if approvers is None else tuple(map(str, approvers)),
            name=found.get("name"),
            cards=tuple(map(str, found.get("cards", ()))),
        )


@dataclass(frozen=True, slots=True)
class Unfit:
    """What is wrong with a policy: the field it stands in, and words that follow its name."""

    field: str
    text: str


def unfit(policy: str, k: int | None, rule: str | None, reject_threshold: int) -> Unfit | None:
    """Return what makes a policy unusable, or None."""
    if policy not in list(Policy):
        known = ", ".join(repr(str(one)) for one in Policy)
        return Unfit("policy", f"is {policy!r}, which is unknown; use {known}")
    if not _is_count(reject_threshold):
        return Unfit("reject_threshold", f"is {reject_threshold!r}; use a whole number, 1 or more")
    return _count_unfit(policy, k) or _rule_unfit(policy, rule)


def _count_unfit(policy: str, k: int | None) -> Unfit | None:
    if policy == Policy.QUORUM and k is None:
        return Unfit("k", "is not set; policy 'quorum' needs to know how many people must say yes")
    if policy != Policy.QUORUM and k is not None:
        return Unfit("k", f"is {k}, which only policy 'quorum' reads; policy is {policy!r}")
    if k is not None and not _is_count(k):
        return Unfit("k", f"is {k!r}; use a whole number, 1 or more")
    return None


def _is_count(number: object) -> bool:
    return type(number) is int and number >= 1


def _rule_unfit(policy: str, rule: str | None) -> Unfit | None:
    if policy == Policy.AUTO and not rule:
        return Unfit("rule", "is not set; policy 'auto' needs the name of a registered rule")
    if policy != Policy.AUTO and rule:
        return Unfit("rule", f"is {rule!r}, which only policy 'auto' reads; policy is {policy!r}")
    return None
