"""`comal limits`: what callers of a real record have spent, and a budget made full again."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from comal_runtime.clock import SystemClock
from comal_runtime.rate_limit import Charge, Limit, RecordRateLimiter
from comal_runtime.record import SqliteRecord

from .conftest import Comal

SETTINGS = '[limits]\ndefault = "100/1h"\nprincipal = "200/1h"\n[limits.tools]\n"pay*" = "10/1h"\n'


async def _spent(path: Path, charges: tuple[Charge, ...]) -> None:
    record = SqliteRecord(path, hosted=False)
    try:
        assert await RecordRateLimiter(record).charge(charges, SystemClock()) is None
    finally:
        await record.aclose()


@pytest.fixture
def spend(folder: Path) -> Callable[..., None]:
    (folder / "comal.toml").write_text(SETTINGS)

    def run(**spent: float) -> None:
        by_key = {key.replace("__", ":"): cost for key, cost in spent.items()}
        charges = tuple(
            Charge(
                key=key,
                cost=cost,
                limit=Limit(amount=10 if key.endswith("pay") else 100, per=3600),
            )
            for key, cost in by_key.items()
        )
        asyncio.run(_spent(folder / "comal.db", charges))

    return run


def test_what_is_spent_is_told_by_the_limits_that_hold_now(comal: Comal, spend) -> None:
    spend(web__ana__pay=5, web__ana__notes=5)

    shown = json.loads(comal("limits", "list", "--json").stdout)

    assert [(one["key"], one["amount"], one["perSeconds"]) for one in shown] == [
        ("web:ana:pay", 10, 3600),
        ("web:ana:notes", 100, 3600),
    ]
    assert [one["spent"] for one in shown] == pytest.approx([5, 5], abs=0.5)
    assert [one["fullInSeconds"] for one in shown] == pytest.approx([1800, 180], abs=30)


def test_people_read_a_line_for_each_budget(comal: Comal, spend) -> None:
    spend(web__ana__pay=5)

    [head, line] = comal("limits", "list").stdout.splitlines()

    assert head.split() == ["budget", "spent", "full", "in"]
    assert line.startswith("web:ana:pay")
    assert "of 10 per 3600 s" in line


def test_where_nothing_is_spent_that_is_said(comal: Comal, spend) -> None:
    spend()

    result = comal("limits", "list")

    assert result.stdout == ""
    assert "every budget is full" in result.stderr


def test_a_reset_fills_the_one_budget_it_names(comal: Comal, spend) -> None:
    spend(web__ana__pay=5, web__bo__pay=5)

    done = comal("limits", "reset", "web:ana:pay")

    left = json.loads(comal("limits", "list", "--json").stdout)
    assert done.exit_code == 0
    assert "web:ana:pay is full again" in done.stdout
    assert [one["key"] for one in left] == ["web:bo:pay"]


def test_a_misspelt_budget_is_told_with_the_near_one_and_changes_nothing(
    comal: Comal, spend
) -> None:
    spend(web__ana__pay=5)

    result = comal("limits", "reset", "web:ana:pya")

    assert result.exit_code == 1
    assert "did you mean 'web:ana:pay'?" in result.stderr
    assert len(json.loads(comal("limits", "list", "--json").stdout)) == 1


def test_without_a_record_the_command_says_where_it_looked(comal: Comal, folder: Path) -> None:
    result = comal("limits", "list")

    assert result.exit_code == 1
    assert f"there is no record at {folder / 'comal.db'}" in result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_who_may_not_write_the_record_may_not_reset(comal: Comal, spend, folder: Path) -> None:
    spend(web__ana__pay=5)
    (folder / "comal.db").chmod(0o400)

    result = comal("limits", "reset", "web:ana:pay")

    assert result.exit_code == 1
    assert "cannot be changed" in result.stderr
