"""Standings: how the newest questions stand at a glance, for who watches them."""

from dataclasses import dataclass, field

from .sql import Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one question stands: its state, how many have voted, and the state of its act."""

    id: str
    state: str
    votes: int
    act: str | None
    summary: str = field(repr=False)


class Standings:
    """Named queries over `questions`, `votes` and `acts` together."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def newest(self, *, limit: int) -> list[Standing]:
        """Return how the newest questions stand, oldest of them first."""
        rows = await self._sql.all(
            "SELECT q.id, q.state, (SELECT COUNT(*) FROM votes v WHERE v.question = q.id), "
            "a.state, q.summary FROM questions q LEFT JOIN acts a ON a.key = q.id "
            "ORDER BY q.created_at DESC, q.id LIMIT :limit",
            {"limit": limit},
        )
        return [
            Standing(id=key, state=state, votes=int(votes), act=act, summary=summary)
            for key, state, votes, act, summary in reversed(rows)
        ]
