"""Questions: may it? One row each, with its votes and its cards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .sql import Row, Sql


class QuestionKind(StrEnum):
    """Who is asked: the requester, or other people."""

    CONFIRMATION = "confirmation"
    VERIFICATION = "verification"


class QuestionState(StrEnum):
    """How a question stands; all but `open` are final."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A stored question. `args` is canonical JSON, `route` the JSON of the route it was asked by.

    `masked` is a JSON list of pointers into `args` whose values a card hides, `preview` is what
    the tool said beforehand that it would change, `digest` covers all that was asked.

    `tool` is None for a subject-only question, which has no call behind it. `supersedes` is the
    question whose call `edited_by` changed, `repeats` the act of unknown outcome that this does
    again. `remind_at` and `escalate_at` are None once that was done.
    """

    id: str
    kind: QuestionKind
    state: QuestionState
    tool: str | None
    definition_digest: str | None
    args: str = field(repr=False)
    args_digest: str
    subject: str | None
    summary: str = field(repr=False)
    principal: str | None
    channel: str
    conversation: str | None
    origin: str
    request_id: str
    call_key: str | None
    secret_hash: str | None = field(repr=False)
    route: str | None
    idempotency_key: str
    created_at: float
    expires_at: float
    masked: str = "[]"
    preview: str | None = field(default=None, repr=False)
    digest: str | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    edited_by: str | None = None
    repeats: str | None = None
    remind_at: float | None = None
    escalate_at: float | None = None
    escalated_at: float | None = None
    decided_at: float | None = None
    decided_by: str | None = None
    reason: str | None = None


_NAMES = tuple(Question.__slots__)
_COLUMNS = ", ".join(_NAMES)
_VALUES = ", ".join(f":{name}" for name in _NAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One person's answer; `identity` is the principal it came through."""

    question: str
    person: str
    identity: str
    choice: str
    reason: str | None
    at: float


class Questions:
    """Named queries on `questions` and `votes`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def open(self, question: Question) -> bool:
        """Store a new question; False when its id, call key or secret is taken."""
        row = {name: getattr(question, name) for name in _NAMES}
        query = f"INSERT INTO questions ({_COLUMNS}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"
        return await self._sql.execute(query, row) == 1

    async def get(self, question: str) -> Question | None:
        """Return the question with this id."""
        return await self._where("id = :value", question)

    async def beginning(self, prefix: str, *, limit: int) -> list[Question]:
        """Return questions whose id begins so."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM questions WHERE substr(id, 1, :size) = :prefix "
            "ORDER BY id LIMIT :limit",
            {"size": len(prefix), "prefix": prefix, "limit": limit},
        )
        return [_question(row) for row in rows]

    async def by_secret(self, secret_hash: str) -> Question | None:
        """Return the question whose secret has this hash."""
        return await self._where("secret_hash = :value", secret_hash)

    async def by_call(self, call_key: str) -> Question | None:
        """Return the question that this call of a turn asked."""
        return await self._where("call_key = :value", call_key)

    async def _where(self, condition: str, value: str) -> Question | None:
        query = f"SELECT {_COLUMNS} FROM questions WHERE {condition}"
        row = await self._sql.one(query, {"value": value})
        return None if row is None else _question(row)

    async def hold(self, question: str, *, now: float) -> bool:
        """Keep other voters out until this transaction ends; False unless open and unexpired."""
        query = (
            "UPDATE questions SET state = 'open' "
            "WHERE id = :id AND state = 'open' AND expires_at > :now"
        )
        return await self._sql.execute(query, {"id": question, "now": now}) == 1

    async def decide(
        self, question: str, state: QuestionState, *, by: str | None, now: float, reason: str | None
    ) -> bool:
        """End an open, unexpired question; False when it is neither."""
        return await self._end(question, state, by=by, now=now, reason=reason, live=1)

    async def close(
        self, question: str, state: QuestionState, *, now: float, reason: str | None
    ) -> bool:
        """End an open question whether or not its time is over; False when it has ended."""
        return await self._end(question, state, by=None, now=now, reason=reason, live=0)

    async def _end(
        self,
        question: str,
        state: QuestionState,
        *,
        by: str | None,
        now: float,
        reason: str | None,
        live: int,
    ) -> bool:
        changed = await self._sql.execute(
            "UPDATE questions SET state = :state, decided_at = :now, decided_by = :by, "
            "reason = :reason WHERE id = :id AND state = 'open' "
            "AND (:live = 0 OR expires_at > :now)",
            {"id": question, "state": state, "now": now, "by": by, "reason": reason, "live": live},
        )
        return changed == 1

    async def replace(self, question: str, *, by: str, editor: str, now: float) -> bool:
        """End an open, unexpired question whose call another one, `by`, asks in its place.

        The call of a turn that it stood for is the other's from now on; False when it has ended.
        """
        changed = await self._sql.execute(
            "UPDATE questions SET state = 'superseded', superseded_by = :by, call_key = NULL, "
            "decided_at = :now, decided_by = :editor "
            "WHERE id = :id AND state = 'open' AND expires_at > :now",
            {"id": question, "by": by, "editor": editor, "now": now},
        )
        return changed == 1

    async def follow(self, question: str, *, by: str) -> bool:
        """Note that a question that ended was asked anew as `by`; False if it was before."""
        changed = await self._sql.execute(
            "UPDATE questions SET superseded_by = :by "
            "WHERE id = :id AND state <> 'open' AND superseded_by IS NULL",
            {"id": question, "by": by},
        )
        return changed == 1

    async def vote(self, vote: Vote) -> bool:
        """Store one person's answer; False when that person has answered already."""
        params: Mapping[str, Any] = {name: getattr(vote, name) for name in Vote.__slots__}
        changed = await self._sql.execute(
            "INSERT INTO votes (question, person, identity, choice, reason, at) VALUES "
            "(:question, :person, :identity, :choice, :reason, :at) ON CONFLICT DO NOTHING",
            params,
        )
        return changed == 1

    async def votes(self, question: str) -> list[Vote]:
        """Return every vote, oldest first."""
        rows = await self._sql.all(
            "SELECT question, person, identity, choice, reason, at FROM votes "
            "WHERE question = :question ORDER BY at, person",
            {"question": question},
        )
        return [
            Vote(question=q, person=p, identity=i, choice=c, reason=r, at=a)
            for q, p, i, c, r, a in rows
        ]

    async def expired(self, *, now: float, limit: int) -> list[str]:
        """Return ids of open questions whose time is over."""
        rows = await self._sql.all(
            "SELECT id FROM questions WHERE state = 'open' AND expires_at <= :now "
            "ORDER BY expires_at LIMIT :limit",
            {"now": now, "limit": limit},
        )
        return [row[0] for row in rows]

    async def waiting(
        self, kind: QuestionKind, *, channel: str, principal: str | None, now: float
    ) -> tuple[int, float | None]:
        """Return how many questions somebody has open, and when the first of them expires."""
        row = await self._sql.one(
            "SELECT COUNT(*), MIN(expires_at) FROM questions WHERE state = 'open' "
            "AND channel = :channel AND COALESCE(principal, '') = :principal "
            "AND kind = :kind AND expires_at > :now",
            {"kind": kind, "channel": channel, "principal": principal or "", "now": now},
        )
        return (0, None) if row is None else (int(row[0]), row[1])

    async def recent(self, *, state: str | None, limit: int) -> list[Question]:
        """Return the newest questions, of one state or of all."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM questions WHERE :state IS NULL OR state = :state "
            "ORDER BY created_at DESC LIMIT :limit",
            {"state": state, "limit": limit},
        )
        return [_question(row) for row in rows]

    async def repetitions(self, act: str) -> list[Question]:
        """Return the questions that would do an act of unknown outcome again, oldest first."""
        rows = await self._sql.all(
            f"SELECT {_COLUMNS} FROM questions WHERE repeats = :act ORDER BY created_at, id",
            {"act": act},
        )
        return [_question(row) for row in rows]


def _question(row: Row) -> Question:
    values = dict(zip(_NAMES, row, strict=True))
    values["kind"] = QuestionKind(values["kind"])
    values["state"] = QuestionState(values["state"])
    return Question(**values)
