"""What the remarks repository promises: words and presses that wait for words."""

from typing import Any

from comal_runtime.record import Intent, Record, Remark

from .rows import NOW, card, outgoing, stored_question


def remark(text: str, **changes: Any) -> Remark:
    fields: dict[str, Any] = {
        "question": "q1",
        "person": "Ana",
        "identity": "telegram:1",
        "at": NOW,
        **changes,
    }
    return Remark(text=text, **fields)


def intent(choice: str, **changes: Any) -> Intent:
    fields: dict[str, Any] = {
        "identity": "telegram:1",
        "question": "q1",
        "card": "card1",
        "at": NOW,
        **changes,
    }
    return Intent(choice=choice, **fields)


class RemarksContract:
    """Inherit it and give a `record`."""

    async def test_the_newest_remark_of_a_person_takes_the_place_of_the_last(
        self, record: Record
    ) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.remarks.keep(remark("first"))
            await tx.remarks.keep(remark("of Bo", person="Bo"))
            await tx.remarks.keep(remark("second", identity="telegram:9", at=NOW + 1))

        async with record.reading() as stored:
            kept = await stored.remarks.of("q1", "Ana")
            nobody = await stored.remarks.of("q2", "Ana")
        assert kept == remark("second", identity="telegram:9", at=NOW + 1)
        assert nobody is None

    async def test_what_somebody_pressed_last_is_all_that_waits_for_words(
        self, record: Record
    ) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.remarks.intend(intent("n"))
            await tx.remarks.intend(intent("c", card="card2", at=NOW + 1))
            await tx.remarks.intend(intent("y", identity="telegram:2"))

        async with record.reading() as stored:
            waits = await stored.remarks.intent("telegram:1")
        assert waits == intent("c", card="card2", at=NOW + 1)

    async def test_a_dropped_intent_waits_no_more(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.remarks.intend(intent("n"))
            dropped = [await tx.remarks.drop("telegram:1") for _ in range(2)]

        async with record.reading() as stored:
            assert await stored.remarks.intent("telegram:1") is None
        assert dropped == [True, False]

    async def test_words_and_card_ids_are_in_no_text_of_these(self) -> None:
        assert "rumour" not in repr(remark("rumour"))
        assert "card-secret" not in repr(intent("n", card="card-secret"))

    async def test_a_card_is_found_by_each_message_that_shows_it(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.cards.add(card())
            await tx.cards.adopt("card1", "78")
            await tx.outbox.add(outgoing("part", card="card1"), now=NOW)
            await tx.outbox.add(outgoing("prose", chat="6"), now=NOW)
            for one in await tx.outbox.claim("me", now=NOW, lease_until=NOW + 9, limit=2):
                await tx.outbox.sent(one.id, "me", message="77")

        async with record.reading() as stored:
            places = [("main", "5", "78"), ("main", "5", "77"), ("main", "6", "77")]
            places += [("other", "5", "78"), ("main", "5", "79")]
            found = [await stored.cards.at(*place) for place in places]
        assert [one and one.id for one in found] == ["card1", "card1", None, None, None]
