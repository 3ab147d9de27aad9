"""Confirm tokens are the secret of a question; looking never consumes."""

from dataclasses import replace

import pytest

from comal_runtime.consent.confirmation import ConfirmationTokenStore, TokenFault
from comal_runtime.consent.question import digest
from comal_runtime.record import QuestionState, memory_record
from comal_runtime.testing import FakeClock

from ..record.contracts.rows import stored_question
from ..stations.arranging import by_ana


@pytest.mark.runtime_line("22a", 27)
@pytest.mark.parametrize(
    ("changes", "tool", "expected"),
    [
        ({}, "wipe", None),
        ({}, "other", TokenFault.WRONG_TOOL),
        ({"principal": "telegram:2"}, "wipe", TokenFault.FOREIGN),
        ({"principal": None}, "wipe", TokenFault.FOREIGN),
        ({"conversation": None}, "wipe", TokenFault.FOREIGN),
        ({"state": QuestionState.APPROVED}, "wipe", TokenFault.USED),
        ({"state": QuestionState.CANCELLED}, "wipe", TokenFault.USED),
        ({"state": QuestionState.EXPIRED}, "wipe", TokenFault.EXPIRED),
        ({"expires_at": 1_796_040_000.0}, "wipe", TokenFault.EXPIRED),
        ({"secret_hash": "another"}, "wipe", TokenFault.UNKNOWN),
    ],
)
async def test_a_token_finds_its_open_question_or_why_not(
    changes: dict, tool: str, expected: TokenFault | None
) -> None:
    clock = FakeClock()
    record = memory_record(clock=clock)
    fields = {"secret_hash": digest("token"), "conversation": "telegram:1", **changes}
    stored = await stored_question(record, **fields)
    store = ConfirmationTokenStore(record, clock)

    first = await store.find("token", tool, by_ana())
    second = await store.find("token", tool, by_ana())

    assert first == second == (expected or stored)


async def test_the_record_holds_no_token() -> None:
    record = memory_record()
    await stored_question(record, secret_hash=digest("token"))

    async with record.reading() as stored:
        rows = await stored.questions._sql.all("SELECT * FROM questions", {})

    assert "token" not in str(rows)


def test_a_context_says_nothing_of_its_consent_in_its_text() -> None:
    assert "consent" not in repr(replace(by_ana(), consent=None))
