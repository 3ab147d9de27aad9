"""The code for the first owner: on a terminal, while there is none, and in no log."""

import logging
import sys
from collections.abc import AsyncIterator

import pytest

from comal_bot.cli.first_owner import show_owner_code
from comal_runtime.record import SqliteRecord, memory_record

from ..rig import house_settings


@pytest.fixture
async def record() -> AsyncIterator[SqliteRecord]:
    record = memory_record()
    yield record
    await record.aclose()


@pytest.mark.parametrize("is_terminal", [True, False])
async def test_the_code_is_shown_on_a_terminal_alone_and_never_logged(
    record: SqliteRecord,
    is_terminal: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    await show_owner_code(house_settings(), record)
    shown = capsys.readouterr()

    assert shown.out == ""
    assert ("no owner yet: send `/owner " in shown.err) is is_terminal
    assert "/owner" not in caplog.text
    assert [one.message for one in caplog.records if one.levelname == "WARNING"] == [
        "host.no_owner"
    ]


async def test_a_house_with_an_owner_of_the_record_shows_none(
    record: SqliteRecord, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    async with record.transaction() as tx:
        await tx.identities.add("telegram:5", by="test", now=1.0)
        await tx.identities.give("telegram:5", "owner", by="test", now=1.0)
    await show_owner_code(house_settings(), record)

    assert capsys.readouterr().err == ""
