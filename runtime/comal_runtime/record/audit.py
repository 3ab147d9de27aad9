"""The audit trail: one record a call, whatever ended it, and the chains the records hang on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from .sql import Row, Sql

ARGS_REMOVED: Final = '{"(removed)":true}'
"""The text of arguments that were taken out of a record later; the chain still holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """How one call went. `args` is redacted canonical JSON, `args_digest` covers the true ones.

    `decision` names the path that ended it; `took_ms` is milliseconds, `output_bytes` UTF-8.
    `shown_digest` covers `args` as it was written; None where that is `args_digest` itself.
    """

    at: float
    request_id: str
    ip: str | None
    channel: str
    principal: str | None
    conversation: str | None
    origin: str
    tool: str
    decision: str
    code: str | None
    took_ms: float
    output_bytes: int
    args: str = field(repr=False)
    args_digest: str
    question: str | None
    shown_digest: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Where a record hangs: its chain, its place from 0, the MAC before it and its own."""

    chain: str
    place: int
    previous: str
    mac: str


@dataclass(frozen=True, slots=True)
class Filed:
    """A stored record; `seq` is its number in the record, where that is known.

    `link` is None for records older than the chains.
    """

    seq: int | None
    record: AuditRecord
    link: Link | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """One chain: what it started from, the first and last place it holds, its head's MAC.

    `seal` is a MAC over the head, so that cutting records off shows.
    """

    id: str
    began_at: float
    start: str
    first: int
    last: int
    mac: str
    seal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Which records to read; `*` stands for anything in a name, times are epoch seconds."""

    tool: str | None = None
    principal: str | None = None
    decision: str | None = None
    since: float | None = None
    until: float | None = None


_NAMES: Final = tuple(AuditRecord.__slots__)
_LINK: Final = tuple(Link.__slots__)
_COLUMNS: Final = ", ".join(_NAMES)
_ALL: Final = (*_NAMES, *_LINK)
_FILED: Final = f"seq, {', '.join(_ALL)}"
_CHAIN: Final = tuple(Chain.__slots__)
_facts = attrgetter(*_NAMES)
_linked = attrgetter(*_LINK)


class Audit:
    """Named queries on `audit` and `audit_chains`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def add(self, records: Sequence[AuditRecord], links: Sequence[Link] = ()) -> None:
        """Append records in the order given, each with its link; without links they hang free."""
        if links:
            rows = [_facts(r) + _linked(k) for r, k in zip(records, links, strict=True)]
            await self._sql.insert("audit", _ALL, rows)
        else:
            await self._sql.insert("audit", _NAMES, [_facts(record) for record in records])

    async def after(self, seq: int, *, limit: int) -> list[tuple[int, AuditRecord]]:
        """Return records past a sequence number, oldest first."""
        rows = await self._sql.all(
            f"SELECT seq, {_COLUMNS} FROM audit WHERE seq > :seq ORDER BY seq LIMIT :limit",
            {"seq": seq, "limit": limit},
        )
        return [(row[0], _record(row[1:])) for row in rows]

    async def page(self, sought: Sought, *, after: int | None, limit: int) -> list[Filed]:
        """Return the records sought past a sequence number, or from the first; oldest first."""
        where, params = _conditions(sought)
        if after is not None:
            where.append("seq > :after")
        query = f"SELECT {_FILED} FROM audit{_where(where)} ORDER BY seq LIMIT :limit"
        rows = await self._sql.all(query, {**params, "after": after, "limit": limit})
        return [_filed(row) for row in rows]

    async def newest(self, sought: Sought, *, limit: int) -> list[Filed]:
        """Return the newest of the records sought, oldest of them first."""
        where, params = _conditions(sought)
        query = f"SELECT {_FILED} FROM audit{_where(where)} ORDER BY seq DESC LIMIT :limit"
        rows = await self._sql.all(query, {**params, "limit": limit})
        return [_filed(row) for row in reversed(rows)]

    async def count(self, sought: Sought) -> int:
        """Return how many records are sought."""
        where, params = _conditions(sought)
        row = await self._sql.one(f"SELECT COUNT(*) FROM audit{_where(where)}", params)
        return 0 if row is None else int(row[0])

    async def last_seq(self) -> int:
        """Return the newest record's sequence number; 0 while there is none."""
        row = await self._sql.one("SELECT COALESCE(MAX(seq), 0) FROM audit", {})
        return 0 if row is None else int(row[0])

    async def unchained(self) -> tuple[int, int]:
        """Return how many records hang on no chain, and the last one's sequence number."""
        row = await self._sql.one(
            "SELECT COUNT(*), COALESCE(MAX(seq), 0) FROM audit WHERE chain IS NULL", {}
        )
        return (0, 0) if row is None else (int(row[0]), int(row[1]))

    async def holds(self, link: Link) -> bool:
        """Tell whether the record of this very link is stored."""
        row = await self._sql.one(
            "SELECT mac FROM audit WHERE chain = :chain AND place = :place",
            {"chain": link.chain, "place": link.place},
        )
        return row is not None and row[0] == link.mac

    async def remove_args(self, seq: int) -> bool:
        """Take the arguments' text out of a record, for good; its place in the chain stays."""
        query = "UPDATE audit SET args = :gone WHERE seq = :seq"
        return bool(await self._sql.execute(query, {"gone": ARGS_REMOVED, "seq": seq}))

    async def drop_before(self, chain: str, place: int) -> None:
        """Drop the records of a chain below a place: for records that live in memory only."""
        await self._sql.execute(
            "DELETE FROM audit WHERE chain = :chain AND place < :place",
            {"chain": chain, "place": place},
        )

    async def chain(self, chain: str) -> Chain | None:
        """Return a chain as it stands."""
        query = f"SELECT {', '.join(_CHAIN)} FROM audit_chains WHERE id = :id"
        row = await self._sql.one(query, {"id": chain})
        return None if row is None else _chain(row)

    async def chains(self) -> list[Chain]:
        """Return every chain, oldest first."""
        query = f"SELECT {', '.join(_CHAIN)} FROM audit_chains ORDER BY began_at, id"
        return [_chain(row) for row in await self._sql.all(query, {})]

    async def unfollowed(self) -> list[Chain]:
        """Return the chains whose head no later chain has taken down."""
        rows = await self._sql.all(
            f"SELECT {', '.join(_CHAIN)} FROM audit_chains "
            "WHERE followed_to IS NULL OR followed_to < last ORDER BY began_at, id",
            {},
        )
        return [_chain(row) for row in rows]

    async def begin(self, chain: Chain, *, follows: Iterable[Chain] = ()) -> None:
        """Begin a chain, noting that it has taken down the heads of those it follows."""
        await self._sql.insert("audit_chains", _CHAIN, [attrgetter(*_CHAIN)(chain)])
        for one in follows:
            await self._sql.execute(
                "UPDATE audit_chains SET followed_to = :last WHERE id = :id",
                {"id": one.id, "last": one.last},
            )

    async def advance(self, chain: Chain) -> None:
        """Store where a chain stands now."""
        await self._sql.execute(
            "UPDATE audit_chains SET first = :first, last = :last, mac = :mac, seal = :seal "
            "WHERE id = :id",
            {
                "id": chain.id,
                "first": chain.first,
                "last": chain.last,
                "mac": chain.mac,
                "seal": chain.seal,
            },
        )


def _record(row: Row) -> AuditRecord:
    return AuditRecord(**dict(zip(_NAMES, row, strict=True)))


def _filed(row: Row) -> Filed:
    facts, link = row[1 : 1 + len(_NAMES)], row[1 + len(_NAMES) :]
    return Filed(row[0], _record(facts), None if link[0] is None else Link(*link))


def _chain(row: Row) -> Chain:
    return Chain(**dict(zip(_CHAIN, row, strict=True)))


def _conditions(sought: Sought) -> tuple[list[str], dict[str, object]]:
    where: list[str] = []
    params: dict[str, object] = {}
    for name in ("tool", "principal", "decision"):
        wanted = getattr(sought, name)
        if wanted is not None:
            where.append(f"{name} LIKE :{name} ESCAPE '!'")
            params[name] = _like(wanted)
    for name, sign in (("since", ">="), ("until", "<")):
        if getattr(sought, name) is not None:
            where.append(f"at {sign} :{name}")
            params[name] = getattr(sought, name)
    return where, params


def _where(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _like(pattern: str) -> str:
    for special in "!%_":
        pattern = pattern.replace(special, f"!{special}")
    return pattern.replace("*", "%")
