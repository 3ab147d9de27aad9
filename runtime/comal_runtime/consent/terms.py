"""Terms: who decides about a question and how; kept with it as JSON, whatever changes later."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import groupby
from typing import Any, Final, Self

from .policies import Policy

REQUESTER: Final = "requester"
"""What stands among approvers for the one who asked; they count nowhere else."""

_ALWAYS: Final = ("name", "approvers", "cards", "policy")
_NO_FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """People of whom `k` must say yes. Groups of one stage all must; stages follow one another.

    `approvers` are principals, `role:<name>` or `requester`; None means anybody else whom the law
    lets answer. Without `cards` the group is asked where its route's cards hang.
    """

    approvers: tuple[str, ...] | None
    k: int = 1
    stage: int = 1
    name: str = ""
    cards: tuple[str, ...] = ()


_AGREES: Final = Group(approvers=(REQUESTER,), name=REQUESTER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalation:
    """Who may answer as well once a question has waited for `after` seconds."""

    after: float
    approvers: tuple[str, ...]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Who decides about a question, and how many of them.

    `k` is for `quorum`, `rule` for `auto`; so many noes as `reject_threshold` end it. `approvers`
    are principals or `role:<name>`; None means anybody else whom the law lets answer. `groups`,
    where there are any, take the place of `approvers` and `policy`. `reason` tells that an answer
    needs one; `editable` maps the arguments an approver may change to JSON schemas of what they
    may become; `remind` is in seconds after the question was asked. `requester_agrees` tells
    that an approver changed the call, so that the one who asked must agree at the end as well.
    """

    policy: Policy = Policy.SINGLE
    k: int | None = None
    rule: str | None = None
    reject_threshold: int = 1
    approvers: tuple[str, ...] | None = None
    name: str | None = None
    cards: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    reason: bool = False
    editable: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: _NO_FIELDS)
    remind: float | None = None
    escalation: Escalation | None = None
    requester_agrees: bool = False

    @property
    def needed(self) -> int | None:
        """How many people must say yes; None where only a rule can."""
        if self.policy is Policy.AUTO:
            return None
        return sum(group.k for groups in self.stages for group in groups)

    @property
    def stages(self) -> tuple[tuple[Group, ...], ...]:
        """The groups that must agree, stage by stage; none where only a rule decides."""
        if self.policy is Policy.AUTO:
            return ()
        one = Group(approvers=self.approvers, k=self.policy.people(self.k))
        ordered = sorted(self.groups or (one,), key=_stage)
        stages = tuple(tuple(groups) for _, groups in groupby(ordered, key=_stage))
        return (*stages, (_AGREES,)) if self.requester_agrees else stages

    def cards_of(self, groups: Iterable[Group]) -> tuple[str, ...]:
        """Return where the cards of some of its groups hang, each place once."""
        places = (place for group in groups for place in group.cards or self.cards)
        return tuple(dict.fromkeys(places))

    @property
    def names_people(self) -> bool:
        """Whether it says who may answer, so that nobody needs a right besides."""
        return bool(self.groups) or self.approvers is not None

    def to_json(self) -> str:
        """Return these terms as JSON, to be kept with a question."""
        return json.dumps(self._kept(), ensure_ascii=False)

    def deciding(self) -> Mapping[str, Any]:
        """Return, JSON-shaped, all of them that says who decides; where cards hang does not."""
        kept = self._kept()
        for group in (*kept.get("groups", ()), kept.get("escalation", {}), kept):
            group.pop("cards", None)
        kept.pop("remind", None)
        kept.pop("requester_agrees", None)
        return kept

    def _kept(self) -> dict[str, Any]:
        """Return what differs from the defaults; who decides by which policy always."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in _ALWAYS}
        said = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in kept}
        said["groups"] = [_fields(group) for group in self.groups]
        said["escalation"] = None if self.escalation is None else _fields(self.escalation)
        said["editable"] = {name: dict(bounds) for name, bounds in self.editable.items()}
        if self.reject_threshold == 1:
            del said["reject_threshold"]
        return kept | {name: value for name, value in said.items() if value}

    @classmethod
    def read(cls, kept: str | None) -> Self:
        """Return what `to_json` wrote; one person's yes, whoever it is, where nothing is kept."""
        if kept is None:
            return cls()
        found: dict[str, Any] = json.loads(kept)
        escalation = found.get("escalation")
        return cls(
            policy=Policy(found.get("policy", Policy.SINGLE)),
            k=found.get("k"),
            rule=found.get("rule"),
            reject_threshold=found.get("reject_threshold", 1),
            approvers=_texts(found.get("approvers")),
            name=found.get("name"),
            cards=_texts(found.get("cards")) or (),
            groups=tuple(Group(**_read(group)) for group in found.get("groups", ())),
            reason=bool(found.get("reason")),
            editable=found.get("editable", _NO_FIELDS),
            remind=found.get("remind"),
            escalation=None if escalation is None else Escalation(**_read(escalation)),
            requester_agrees=bool(found.get("requester_agrees")),
        )


def _stage(group: Group) -> int:
    return group.stage


def _fields(of: Group | Escalation) -> dict[str, Any]:
    return {name: getattr(of, name) for name in type(of).__slots__}


def _read(kept: Mapping[str, Any]) -> dict[str, Any]:
    lists = {name: _texts(kept.get(name)) for name in ("approvers", "cards")}
    return {**kept, "approvers": lists["approvers"], "cards": lists["cards"] or ()}


def _texts(kept: Any) -> tuple[str, ...] | None:
    return None if kept is None else tuple(map(str, kept))
