"""Alarms: when an open question is recalled, and when others are asked about it as well."""

from .sql import Sql

Due = tuple[str, float]
"""The id of a question, and the time that was noted with it."""

_LIVE = "state = 'open' AND expires_at > :now"


class Alarms:
    """Named queries on the clocks of `questions`. Nothing here looks at questions that wait."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def reminders(self, *, now: float, limit: int) -> list[Due]:
        """Return open questions to recall; one that is to be escalated by now is not."""
        rows = await self._sql.all(
            f"SELECT id, remind_at FROM questions WHERE {_LIVE} AND remind_at IS NOT NULL "
            "AND remind_at <= :now AND (escalate_at IS NULL OR escalate_at > :now) "
            "ORDER BY remind_at LIMIT :limit",
            {"now": now, "limit": limit},
        )
        return [(row[0], float(row[1])) for row in rows]

    async def escalations(self, *, now: float, limit: int) -> list[Due]:
        """Return open questions about which others are to be asked as well."""
        rows = await self._sql.all(
            f"SELECT id, escalate_at FROM questions WHERE {_LIVE} AND escalate_at IS NOT NULL "
            "AND escalate_at <= :now ORDER BY escalate_at LIMIT :limit",
            {"now": now, "limit": limit},
        )
        return [(row[0], float(row[1])) for row in rows]

    async def remind(self, due: Due, *, reminder: str, now: float) -> bool:
        """Let a question be recalled by `reminder`, once; False when that was done already."""
        changed = await self._sql.execute(
            "UPDATE questions SET remind_at = NULL, reminder = :reminder "
            f"WHERE id = :id AND {_LIVE} AND remind_at = :at",
            {"id": due[0], "at": due[1], "reminder": reminder, "now": now},
        )
        return changed == 1

    async def escalate(self, due: Due, *, now: float) -> bool:
        """Note that others are asked as well, once; a reminder that is due goes with it."""
        changed = await self._sql.execute(
            "UPDATE questions SET escalate_at = NULL, escalated_at = :now, "
            "remind_at = CASE WHEN remind_at <= :now THEN NULL ELSE remind_at END "
            f"WHERE id = :id AND {_LIVE} AND escalate_at = :at",
            {"id": due[0], "at": due[1], "now": now},
        )
        return changed == 1

    async def recalled(self, reminder: str, *, now: float) -> list[str]:
        """Return the questions of a reminder that still wait, those that end first at the top."""
        rows = await self._sql.all(
            f"SELECT id FROM questions WHERE reminder = :reminder AND {_LIVE} "
            "ORDER BY expires_at, id",
            {"reminder": reminder, "now": now},
        )
        return [row[0] for row in rows]

    async def verifications(self, *, after: Due, limit: int) -> list[Due]:
        """Return open verifications behind one of them, each with when its time is over."""
        rows = await self._sql.all(
            "SELECT id, expires_at FROM questions WHERE state = 'open' AND kind = 'verification' "
            "AND expires_at >= :at AND (expires_at > :at OR id > :id) "
            "ORDER BY expires_at, id LIMIT :limit",
            {"id": after[0], "at": after[1], "limit": limit},
        )
        return [(row[0], float(row[1])) for row in rows]
