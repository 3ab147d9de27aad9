"""One hash chain: every record's MAC covers the one before it, and a new chain the old heads.

What a MAC covers is the JSON list of a label, the chain, the place, the MAC before and every field
of the record but `args`, whose text is covered through its digests: `args_digest` over the true
arguments, `shown_digest` over the text as it was written. So the text can be taken out later
without breaking the chain, but not be replaced by another.
"""

import hmac
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final

from ..clock import Clock
from ..consent.question import digest, new_id
from ..record import AuditRecord, Chain, Link, Transaction
from .keys import key_id

log = logging.getLogger(__name__)

_RECORD: Final = "comal audit record 1"
_HEAD: Final = "comal audit head 1"
_MEND: Final = "somebody took records away; `comal audit verify` says which"
_MAC_LENGTH: Final = 64  # characters
_LONGEST_TOLD: Final = 200  # characters of a start that is none
_COVERED: Final = tuple(name for name in AuditRecord.__slots__ if name != "args")
_covered = attrgetter(*_COVERED)
_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Head:
    """How far a chain had come at some moment; written as `CHAIN:PLACE:MAC`."""

    chain: str
    place: int
    mac: str

    def __str__(self) -> str:
        return f"{self.chain}:{self.place}:{self.mac}"

    @classmethod
    def read(cls, text: str) -> "Head":
        """Read `CHAIN:PLACE:MAC`.

        Raises:
            ValueError: It is something else.
        """
        chain, place, mac = text.strip().split(":")
        if not chain or len(mac) != _MAC_LENGTH or int(place) < 0:
            raise ValueError(f"{text!r} is no head")
        return cls(chain, int(place), mac.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a chain begins with: its key's name, the heads before it, the records without chain.

    `before` is (how many, the last one's sequence number); only the first chain has it.
    """

    key: str
    heads: tuple[Head, ...]
    before: tuple[int, int] | None

    def text(self) -> str:
        """Return the start as it is stored; its digest is the first record's `previous`."""
        heads = [[head.chain, head.place, head.mac] for head in self.heads]
        return _encode({"key": self.key, "heads": heads, "before": self.before})

    @classmethod
    def read(cls, text: str) -> "Start":
        """Read a stored start.

        Raises:
            ValueError: It is something else.
        """
        try:
            found: Any = json.loads(text)
            heads = tuple(Head(str(c), int(p), str(m)) for c, p, m in found["heads"])
            before = found["before"]
            return cls(
                key=str(found["key"]),
                heads=heads,
                before=None if before is None else (int(before[0]), int(before[1])),
            )
        except (KeyError, TypeError, OverflowError, RecursionError) as error:
            raise ValueError(f"{text[:_LONGEST_TOLD]!r} is no start of a chain") from error


def mac_of(key: bytes, record: AuditRecord, chain: str, place: int, previous: str) -> str:
    """Return the MAC of a record at its place."""
    covered = _encode((_RECORD, chain, place, previous, *_covered(record)))
    return hmac.digest(key, covered.encode(), "sha256").hex()


def seal_of(key: bytes, chain: Chain) -> str:
    """Return the MAC over a chain's head and first place."""
    covered = _encode((_HEAD, chain.id, chain.first, chain.last, chain.mac))
    return hmac.digest(key, covered.encode(), "sha256").hex()


class ChainWriter:
    """Hangs records on one chain, in the transaction that stores them.

    Where the chain stands is read from the record each time, so whatever is undone with its
    transaction leaves no gap. A chain whose stored head fell behind what was known to be stored,
    or is gone, is left, and the next one takes down how far it had come.
    """

    __slots__ = ("_clock", "_id", "_keep", "_key", "_known")

    def __init__(self, key: bytes, clock: Clock, *, keep: int | None) -> None:
        self._key = key
        self._clock = clock
        self._keep = keep
        self._id: str | None = None
        self._known: Head | None = None

    async def add(self, tx: Transaction, records: Sequence[AuditRecord]) -> list[Link]:
        """Store records as the next of the chain."""
        at = None if self._id is None else await tx.audit.chain(self._id)
        if at is None or self._was_cut(at):
            at = await self._begin(tx)
        links = self._links(at, records)
        await tx.audit.add(records, links)
        await self._advance(tx, at, links)
        return links

    def stored(self, links: Sequence[Link]) -> None:
        """Take note that a transaction with these links is stored."""
        if not links:
            return
        last, known = links[-1], self._known
        if known is None or known.chain != last.chain or known.place < last.place:
            self._known = Head(last.chain, last.place, last.mac)

    def renew(self) -> None:
        """Begin another chain with the next record: this one cannot be written to."""
        self._id = None

    def _was_cut(self, at: Chain) -> bool:
        known = self._known
        if known is None or known.chain != at.id or known.place <= at.last:
            return False
        log.critical(
            "audit.chain_cut",
            extra={"chain": at.id, "place": at.last, "known": known.place, "mend": _MEND},
        )
        return True

    def _links(self, at: Chain, records: Sequence[AuditRecord]) -> list[Link]:
        links, previous = [], at.mac
        for place, record in enumerate(records, at.last + 1):
            mac = mac_of(self._key, record, at.id, place, previous)
            links.append(Link(at.id, place, previous, mac))
            previous = mac
        return links

    async def _advance(self, tx: Transaction, at: Chain, links: Sequence[Link]) -> None:
        last, first = links[-1], at.first
        if self._keep is not None and last.place + 1 - first > self._keep:
            first = last.place + 1 - self._keep
            await tx.audit.drop_before(at.id, first)
        moved = replace(at, first=first, last=last.place, mac=last.mac)
        await tx.audit.advance(replace(moved, seal=seal_of(self._key, moved)))

    async def _begin(self, tx: Transaction) -> Chain:
        before = await tx.audit.unfollowed()
        heads = {one.id: Head(one.id, one.last, one.mac) for one in before}
        if self._known is not None:
            heads[self._known.chain] = self._known
        first_ever = not before and not await tx.audit.chains()
        start = Start(
            key=key_id(self._key),
            heads=tuple(heads.values()),
            before=await tx.audit.unchained() if first_ever else None,
        ).text()
        self._id = new_id()
        chain = Chain(
            id=self._id,
            began_at=self._clock.now(),
            start=start,
            first=0,
            last=-1,
            mac=digest(start),
            seal="",
        )
        await tx.audit.begin(chain, follows=before)
        return chain
