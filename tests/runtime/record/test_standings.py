"""How the newest questions stand, read again and again by whoever watches them."""

import sqlite3
from pathlib import Path

from comal_runtime.record import SqliteRecord
from comal_runtime.record.sqlite import SqliteSql
from comal_runtime.record.standings import Standings


async def test_watching_does_not_read_every_question_there_ever_was(tmp_path: Path) -> None:
    record = SqliteRecord(tmp_path / "comal.db")
    await record.aclose()
    connection = sqlite3.connect(tmp_path / "comal.db")
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    await Standings(SqliteSql(connection)).newest(limit=9)
    connection.set_trace_callback(None)

    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {asked[0]}")]
    connection.close()

    assert "SCAN q USING INDEX questions_created" in plan
    assert "USE TEMP B-TREE FOR ORDER BY" not in plan
