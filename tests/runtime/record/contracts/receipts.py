"""What the repositories of receipts promise: showings, receipts, overrides."""

import asyncio
from typing import Any

from comal_runtime.record import Outgoing, Override, QuestionState, Record, StoredReceipt

from .rows import NOW, card, question, stored_question


def message(card: str | None = "k1", **changes: Any) -> Outgoing:
    """Return a message of a card."""
    fields = {"idempotency": f"card:{card}", "channel": "main", "chat": "5", "body": "{}"}
    return Outgoing(**{**fields, "card": card, **changes})


def receipt(number: int = 1, **changes: Any) -> StoredReceipt:
    """Return a receipt."""
    fields = {"question": "q1", "state": "rejected", "digest": f"d{number}", "body": "{}\n{}"}
    return StoredReceipt(**{**fields, "number": number, "made_at": NOW, **changes})


def override(key: str = "o1", **changes: Any) -> Override:
    """Return an override."""
    fields = {"principal": "break-glass:ana", "reason": "hurry", "did": "x", "conversation": None}
    return Override(**{**fields, "id": key, "at": NOW, **changes})


class ReceiptsContract:
    """Inherit it and give a `record`."""

    async def test_what_a_card_showed_is_told_as_it_was_acknowledged(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.cards.add(card("k1"))
            await tx.showings.note(message(body="first"), "m1", now=NOW)
            await tx.showings.note(message(body="second", edits="m1"), "m1", now=NOW)

        async with record.reading() as stored:
            shown = await stored.showings.of("q1")
        assert [(one.body, one.edited, one.at) for one in shown] == [
            ("first", False, NOW),
            ("second", True, NOW),
        ]

    async def test_how_a_question_ended_is_no_showing_of_it(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.cards.add(card("k1"))
            await tx.questions.close("q1", QuestionState.EXPIRED, now=NOW, reason=None)
            await tx.showings.note(message(body="late"), "m1", now=NOW)
            await tx.showings.note(message(body="outcome", edits="m1"), "m1", now=NOW)

        async with record.reading() as stored:
            assert [one.body for one in await stored.showings.of("q1")] == ["late"]

    async def test_of_a_message_that_is_no_card_nothing_is_kept(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.showings.note(message(card=None), "m1", now=NOW)

        async with record.reading() as stored:
            assert await stored.showings.of("q1") == []

    async def test_what_was_sent_and_not_acknowledged_is_known(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.cards.add(card("k1"))
            await tx.outbox.add(message(body="lost"), now=NOW)
            (claimed,) = await tx.outbox.claim("w", now=NOW, lease_until=NOW + 9, limit=1)
            sending = await tx.showings.unacknowledged("q1")
            await tx.outbox.give_up(claimed.id, "w", "uncertain", error="no answer")
            uncertain = await tx.showings.unacknowledged("q1")

        assert [one.body for one in (*sending, *uncertain)] == ["lost", "lost"]
        assert uncertain[0].at is None

    async def test_of_two_receipts_with_one_number_the_first_is_kept(self, record: Record) -> None:
        async def add(digest: str) -> bool:
            async with record.transaction() as tx:
                return await tx.receipts.add(receipt(digest=digest))

        added = await asyncio.gather(add("one"), add("two"))

        async with record.reading() as stored:
            kept = await stored.receipts.of("q1")
        assert sorted(added) == [False, True]
        assert [one.digest for one in kept] == ["one"]

    async def test_the_newest_receipt_is_that_of_the_highest_number(self, record: Record) -> None:
        async with record.transaction() as tx:
            for number in (2, 1, 10):
                await tx.receipts.add(receipt(number))

        async with record.reading() as stored:
            latest = await stored.receipts.latest("q1")
            numbers = [one.number for one in await stored.receipts.of("q1")]
        assert latest == receipt(10)
        assert numbers == [1, 2, 10]

    async def test_an_override_is_kept_once_as_it_was(self, record: Record) -> None:
        async with record.transaction() as tx:
            added = [await tx.overrides.add(override(reason=why)) for why in ("first", "second")]

        async with record.reading() as stored:
            assert await stored.overrides.get("o1") == override(reason="first")
            assert await stored.overrides.get("o2") is None
        assert added == [True, False]

    async def test_questions_are_found_by_the_beginning_of_their_id(self, record: Record) -> None:
        keys = ("abc_def1", "abc%def2", "abcxdef3")
        async with record.transaction() as tx:
            for key in keys:
                await tx.questions.open(question(key))

        async with record.reading() as stored:
            found = [
                [one.id for one in await stored.questions.beginning(prefix, limit=2)]
                for prefix in ("abc_", "abc%", "abc", "zzz")
            ]
        assert found[:2] == [["abc_def1"], ["abc%def2"]]
        assert [len(one) for one in found[2:]] == [2, 0]
