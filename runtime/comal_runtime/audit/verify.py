"""Verifying chains: every record is read once, in order, and what does not fit is named."""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ..consent.question import digest
from ..record import Chain, Filed, Link
from ..record.audit import ARGS_REMOVED
from .chain import Head, Start, mac_of, seal_of
from .keys import key_id

_MOST_TOLD: Final = 100  # problems that are kept; more are counted


class Breach(StrEnum):
    """What was done to the records."""

    CHANGED = "changed"
    REMOVED = "removed"
    INSERTED = "inserted"
    REORDERED = "reordered"
    TRUNCATED = "truncated"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that does not fit. `seq` is the record's number, `chain` and `place` its place."""

    breach: Breach
    text: str
    chain: str | None = None
    place: int | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What verifying found. `before` counts records older than the chains, `args_removed` those
    whose arguments were taken out later, `more` problems that are not among `problems`.
    """

    records: int
    chains: int
    before: int
    args_removed: int
    heads: tuple[Head, ...]
    problems: tuple[Problem, ...]
    more: int

    @property
    def whole(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.problems


@dataclass(slots=True)
class _Walk:
    """How far one chain was read; `wanted` are MACs that were taken down for some of its places."""

    chain: Chain
    key: bytes | None
    next: int
    previous: str | None
    wanted: dict[int, set[str]] = field(default_factory=dict)
    missing: set[int] = field(default_factory=set)


class Verifier:
    """Checks records as they are taken, oldest first, then `finish` says what was found.

    Args:
        keys: The keys that chains may have been written with.
        chains: The chains that are stored.
        heads: Heads that were taken down elsewhere, such as those posted to the owner's chat.
    """

    def __init__(
        self, keys: Sequence[bytes], chains: Sequence[Chain], heads: Iterable[Head] = ()
    ) -> None:
        self._keys = {key_id(key): key for key in keys}
        self._walks: dict[str, _Walk] = {}
        self._problems: list[Problem] = []
        self._more = 0
        self._records = 0
        self._before = 0
        self._args_removed = 0
        self._allowed: tuple[int, int] = (0, 0)
        wanted = list(heads)
        for chain in chains:
            wanted += self._begin(chain)
        for head in wanted:
            self._want(head)

    def take(self, filed: Filed) -> None:
        """Check the next record."""
        self._records += 1
        if filed.link is None:
            self._take_unchained(filed)
            return
        try:
            self._take_chained(filed, filed.link)
        except (TypeError, ValueError, AttributeError):
            self._tell(Breach.CHANGED, "holds values of another kind than were recorded", filed)

    def _take_chained(self, filed: Filed, link: Link) -> None:
        walk = self._walks.get(link.chain)
        if walk is None:
            self._tell(Breach.INSERTED, "hangs on a chain that is not stored", filed)
            return
        self._check_place(walk, filed, link)
        self._check_args(filed)
        self._check_mac(walk, filed, link)

    def finish(self) -> Report:
        """Return what was found, once every record was taken."""
        for walk in self._walks.values():
            self._finish(walk)
        count, _ = self._allowed
        if self._before < count:
            text = f"{count - self._before} of the {count} records before the first chain are gone"
            self._add(Problem(breach=Breach.REMOVED, text=text))
        return Report(
            records=self._records,
            chains=len(self._walks),
            before=self._before,
            args_removed=self._args_removed,
            heads=tuple(
                Head(one.chain.id, one.chain.last, one.chain.mac) for one in self._walks.values()
            ),
            problems=tuple(self._problems),
            more=self._more,
        )

    def _begin(self, chain: Chain) -> tuple[Head, ...]:
        """Begin a chain's walk; returns the heads it took down."""
        texts = (chain.id, chain.start, chain.mac, chain.seal)
        numbers = (chain.first, chain.last)
        if not (_all_are(str, texts) and _all_are(int, numbers)):
            text = "is stored with values of another kind"
            self._add(Problem(breach=Breach.CHANGED, text=text, chain=str(chain.id)))
            return ()
        try:
            start = Start.read(chain.start)
        except ValueError:
            start = Start(key="", heads=(), before=None)
        key = self._keys.get(start.key)
        previous = digest(str(chain.start)) if chain.first == 0 else None
        self._walks[chain.id] = _Walk(chain, key, chain.first, previous)
        if start.before is not None:
            self._allowed = start.before
        if key is None:
            text = f"was written with another key, named {start.key or '(unreadable)'!r}"
            self._add(Problem(breach=Breach.UNVERIFIABLE, text=text, chain=chain.id))
        elif not _same(seal_of(key, chain), chain.seal):
            text = "the head that is stored for it was changed"
            self._add(Problem(breach=Breach.CHANGED, text=text, chain=chain.id, place=chain.last))
        return start.heads

    def _want(self, head: Head) -> None:
        walk = self._walks.get(head.chain)
        if walk is None:
            text = f"is gone; it had come to place {head.place}"
            self._add(Problem(breach=Breach.REMOVED, text=text, chain=head.chain, place=head.place))
        elif head.place >= walk.chain.first:
            walk.wanted.setdefault(head.place, set()).add(head.mac)

    def _take_unchained(self, filed: Filed) -> None:
        count, last = self._allowed
        if self._before >= count or filed.seq is None or filed.seq > last:
            self._tell(Breach.INSERTED, "hangs on no chain although chains had begun", filed)
        else:
            self._before += 1

    def _check_place(self, walk: _Walk, filed: Filed, link: Link) -> None:
        if link.place in walk.missing:
            walk.missing.discard(link.place)
            self._tell(Breach.REORDERED, "comes after records that followed it", filed)
            return
        if link.place < walk.next:
            self._tell(Breach.INSERTED, "is a second record of its place", filed)
            return
        if link.place > walk.next:
            walk.missing.update(range(walk.next, min(link.place, walk.next + _MOST_TOLD)))
            self._tell(Breach.REMOVED, f"is not the next: {_gap(walk.next, link.place)}", filed)
        elif walk.previous is not None and link.previous != walk.previous:
            self._tell(Breach.CHANGED, "does not follow the record before it", filed)
        if link.place > walk.chain.last:
            self._tell(Breach.INSERTED, "stands past the chain's head", filed)
        walk.next, walk.previous = link.place + 1, link.mac

    def _check_args(self, filed: Filed) -> None:
        record = filed.record
        if digest(record.args) == (record.shown_digest or record.args_digest):
            return
        if record.args == ARGS_REMOVED:
            self._args_removed += 1
        else:
            self._tell(Breach.CHANGED, "has other arguments than were recorded", filed)

    def _check_mac(self, walk: _Walk, filed: Filed, link: Link) -> None:
        if walk.key is not None:
            mac = mac_of(walk.key, filed.record, link.chain, link.place, link.previous)
            if not _same(mac, link.mac):
                self._tell(Breach.CHANGED, "is not what was recorded: its MAC does not fit", filed)
        if walk.wanted.pop(link.place, {link.mac}) != {link.mac}:
            self._tell(Breach.CHANGED, "is not the one whose head was taken down", filed)

    def _finish(self, walk: _Walk) -> None:
        chain, held = walk.chain, walk.next - 1
        reached = max([chain.last, *walk.wanted], default=chain.last)
        if held < reached:
            text = f"its end is gone: {_gap(walk.next, reached + 1)}"
            self._add(Problem(breach=Breach.TRUNCATED, text=text, chain=chain.id, place=walk.next))
        elif walk.wanted and not walk.missing.issuperset(walk.wanted):
            lost = min(walk.wanted)
            text = "a record whose head was taken down is gone"
            self._add(Problem(breach=Breach.REMOVED, text=text, chain=chain.id, place=lost))

    def _tell(self, breach: Breach, text: str, filed: Filed) -> None:
        link = filed.link
        chain, place = (None, None) if link is None else (link.chain, link.place)
        self._add(Problem(breach=breach, text=text, chain=chain, place=place, seq=filed.seq))

    def _add(self, problem: Problem) -> None:
        if len(self._problems) < _MOST_TOLD:
            self._problems.append(problem)
        else:
            self._more += 1


def _all_are(kind: type, values: Iterable[object]) -> bool:
    return all(isinstance(value, kind) for value in values)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _gap(begin: int, end: int) -> str:
    """Say which places [begin, end) are missing."""
    if end - begin == 1:
        return f"place {begin} is missing"
    return f"places {begin} to {end - 1} are missing"
