"""What the outbox repository promises."""

import asyncio
from typing import Any

from comal_runtime.record import ClaimedMessage, Record

from .rows import NOW, outgoing


async def queued(record: Record, idempotency: str, **changes: Any) -> bool:
    async with record.transaction() as tx:
        return await tx.outbox.add(outgoing(idempotency, **changes), now=NOW)


async def claimed(record: Record, owner: str = "w", *, now: float = NOW) -> list[ClaimedMessage]:
    async with record.transaction() as tx:
        return await tx.outbox.claim(owner, now=now, lease_until=now + 10, limit=9)


def names(messages: list[ClaimedMessage]) -> list[str]:
    return [one.message.idempotency for one in messages]


class OutboxContract:
    """Inherit it and give a `record`."""

    async def test_one_answer_is_queued_once(self, record: Record) -> None:
        first, second = await queued(record, "m1"), await queued(record, "m1", body='"other"')

        [only] = await claimed(record)
        assert (first, second) == (True, False)
        assert only.message == outgoing("m1")

    async def test_of_many_senders_one_gets_a_message(self, record: Record) -> None:
        await queued(record, "m1")

        got = await asyncio.gather(*(claimed(record, f"w{n}") for n in range(20)))

        assert sum(len(one) for one in got) == 1

    async def test_a_chat_gets_one_message_at_a_time_and_decisions_first(
        self, record: Record
    ) -> None:
        await queued(record, "late", priority=5)
        await queued(record, "decision", priority=1)
        await queued(record, "elsewhere", chat="6")

        first = await claimed(record)
        meanwhile = await claimed(record)
        async with record.transaction() as tx:
            await tx.outbox.sent(first[0].id, "w", message="77")
        then = await claimed(record)

        assert names(first) == ["decision", "elsewhere"]
        assert meanwhile == []
        assert names(then) == ["late"]

    async def test_only_its_sender_settles_a_message_and_once(self, record: Record) -> None:
        await queued(record, "m1")
        [one] = await claimed(record, "w")

        async with record.transaction() as tx:
            foreign = await tx.outbox.sent(one.id, "other", message="1")
            own = await tx.outbox.sent(one.id, "w", message="2")
            again = await tx.outbox.sent(one.id, "w", message="3")

        assert (foreign, own, again) == (False, True, False)

    async def test_a_message_that_was_not_sent_is_claimed_again_when_it_may(
        self, record: Record
    ) -> None:
        await queued(record, "m1")
        [one] = await claimed(record)
        async with record.transaction() as tx:
            await tx.outbox.retry(one.id, "w", not_before=NOW + 5, error="429")

        assert await claimed(record, now=NOW + 4) == []
        assert [one.attempts for one in await claimed(record, now=NOW + 5)] == [2]

    async def test_an_uncertain_message_is_never_sent_again_by_itself(self, record: Record) -> None:
        await queued(record, "m1")
        [one] = await claimed(record)
        async with record.transaction() as tx:
            await tx.outbox.give_up(one.id, "w", "uncertain", error="connection lost")

        assert await claimed(record, now=NOW + 9999) == []
        async with record.reading() as stored:
            assert await stored.outbox.unsettled() == 0

    async def test_a_message_whose_sender_died_is_told_and_not_resent(self, record: Record) -> None:
        await queued(record, "m1")
        await claimed(record, "dead")

        async with record.reading() as stored:
            early = await stored.outbox.abandoned(now=NOW + 10)
            late = await stored.outbox.abandoned(now=NOW + 11)

        assert early == []
        assert [(one.message.idempotency, owner) for one, owner in late] == [("m1", "dead")]
        assert await claimed(record, now=NOW + 11) == []

    async def test_a_cooled_chat_waits_and_a_shorter_wait_does_not_shorten_it(
        self, record: Record
    ) -> None:
        await queued(record, "m1")
        await queued(record, "m2", chat="6")
        async with record.transaction() as tx:
            await tx.outbox.cool("main", "5", until=NOW + 30)
            await tx.outbox.cool("main", "5", until=NOW + 10)
            due = await tx.outbox.next_due()

        now, later = await claimed(record), await claimed(record, now=NOW + 30)

        assert due == 0
        assert (names(now), names(later)) == (["m2"], ["m1"])

    async def test_a_chat_is_gone_from_its_refusal_until_it_revives(self, record: Record) -> None:
        async with record.transaction() as tx:
            before = await tx.outbox.is_gone("main", "5")
            await tx.outbox.mark_gone("main", "5")
            marked = await tx.outbox.is_gone("main", "5")
            another = await tx.outbox.is_gone("main", "6")
            await tx.outbox.revive("main", "5")
            after = await tx.outbox.is_gone("main", "5")

        assert (before, marked, another, after) == (False, True, False, False)

    async def test_held_messages_of_a_card_follow_one_by_one_in_order(self, record: Record) -> None:
        async with record.transaction() as tx:
            for name in ("m1", "m2"):
                await tx.outbox.add(outgoing(name, card="c"), now=NOW, state="held")

        before = await claimed(record)
        async with record.transaction() as tx:
            released = await tx.outbox.follow("c")
        first = await claimed(record)
        async with record.transaction() as tx:
            held = await tx.outbox.held("c")
            foreign = await tx.outbox.follow("d")

        assert (before, names(first)) == ([], ["m1"])
        assert (released, held, foreign) == (True, 1, False)

    async def test_held_messages_that_are_dropped_never_follow(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.outbox.add(outgoing("m1", card="c"), now=NOW, state="held")
            dropped = await tx.outbox.drop_held("c")
            released = await tx.outbox.follow("c")

        assert (dropped, released) == (1, False)
        assert await claimed(record) == []

    async def test_only_one_gives_a_message_up(self, record: Record) -> None:
        await queued(record, "m1")
        (one,) = await claimed(record)
        async with record.transaction() as tx:
            ended = [await tx.outbox.give_up(one.id, "w", "uncertain", error="?") for _ in range(2)]

        assert ended == [True, False]

    async def test_a_newer_edit_of_a_card_takes_the_place_of_one_that_waits(
        self, record: Record
    ) -> None:
        await queued(record, "send", card="c", chat="6")
        await queued(record, "edit 1", card="c", edits="77")
        async with record.transaction() as tx:
            await tx.outbox.supersede("c")
            await tx.outbox.add(outgoing("edit 2", card="c", edits="77"), now=NOW)

        assert sorted(names(await claimed(record))) == ["edit 2", "send"]

    async def test_a_message_that_is_put_back_was_not_tried(self, record: Record) -> None:
        await queued(record, "m1")
        [first] = await claimed(record)
        async with record.transaction() as tx:
            await tx.outbox.put_back(first.id, "w", not_before=NOW + 5, why="pace")

        early = await claimed(record)
        [again] = await claimed(record, now=NOW + 5)
        assert early == []
        assert (first.attempts, again.attempts) == (1, 1)

    async def test_only_what_is_as_urgent_as_asked_for_goes(self, record: Record) -> None:
        await queued(record, "answer", priority=5)
        await queued(record, "decision", chat="6", priority=0)
        async with record.transaction() as tx:
            urgent = await tx.outbox.claim("w", now=NOW, lease_until=NOW + 9, limit=9, lowest=0)

        assert names(urgent) == ["decision"]
        assert names(await claimed(record)) == ["answer"]

    async def test_the_messages_of_a_card_are_told_in_their_order_without_edits(
        self, record: Record
    ) -> None:
        for key in ("m1", "m2"):
            await queued(record, key, card="c", body=key)
        await queued(record, "edit", card="c", body="edit", edits="77")
        await queued(record, "other", card="d")

        async with record.reading() as stored:
            assert await stored.outbox.pieces("c") == ["m1", "m2"]

    async def test_a_chat_goes_once_and_comes_back_once(self, record: Record) -> None:
        async with record.transaction() as tx:
            gone = [await tx.outbox.mark_gone("main", "5") for _ in range(2)]
            back = [await tx.outbox.revive("main", "5") for _ in range(2)]

        assert (gone, back) == ([True, False], [True, False])
