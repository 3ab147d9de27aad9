"""What the smaller repositories promise: inbox, people, cards, leases."""

import asyncio

from comal_runtime.record import Place, QuestionState, Record

from .rows import NOW, card, stored_question

HERE = Place(channel="main", chat="5")


class InboxContract:
    """Inherit it and give a `record`."""

    async def test_an_update_delivered_twenty_times_at_once_is_stored_once(
        self, record: Record
    ) -> None:
        async def delivered() -> int | None:
            async with record.transaction() as tx:
                return await tx.inbox.add("main", "7", "digest", "{}", now=NOW)

        ids = await asyncio.gather(*(delivered() for _ in range(20)))

        assert sum(one is not None for one in ids) == 1

    async def test_the_same_event_with_another_payload_is_another_update(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            first = await tx.inbox.add("main", "7", "d1", "{}", now=NOW)
            second = await tx.inbox.add("main", "7", "d2", "{}", now=NOW)
            third = await tx.inbox.add("other", "7", "d1", "{}", now=NOW)

        assert len({first, second, third} - {None}) == 3

    async def test_handled_updates_are_forgotten_and_broken_ones_kept(self, record: Record) -> None:
        async with record.transaction() as tx:
            for event, state in (("1", "done"), ("2", "broken"), ("3", "new")):
                update = await tx.inbox.add("main", event, "d", "{}", now=NOW)
                assert update is not None
                if state != "new":
                    await tx.inbox.settle(update, state, error="why")
            forgotten = await tx.inbox.forget(before=NOW + 1)

        async with record.reading() as stored:
            counts = [await stored.inbox.count(state) for state in ("done", "broken", "new")]
        assert forgotten == 1
        assert counts == [0, 1, 1]


class PeopleContract:
    """Inherit it and give a `record`."""

    async def test_a_place_has_one_conversation_whoever_comes_first(self, record: Record) -> None:
        async def settled(name: str) -> str:
            async with record.transaction() as tx:
                return await tx.people.settle(HERE, name, private=True, now=NOW)

        found = await asyncio.gather(*(settled(f"c{n}") for n in range(9)))

        assert len(set(found)) == 1

    async def test_a_moved_chat_keeps_its_conversation(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.people.settle(HERE, "c1", private=False, now=NOW)
            moved = await tx.people.move("main", "5", "-100")

        async with record.reading() as stored:
            here = await stored.people.conversation(HERE)
            there = await stored.people.conversation(Place(channel="main", chat="-100"))
            private = await stored.people.is_private("c1")
        assert (moved, here, there, private) == (1, None, "c1", False)

    async def test_a_place_is_found_where_its_chat_went_and_circles_end(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            await tx.people.move("main", "5", "-100")
            await tx.people.move("main", "-100", "-200")
            topic = await tx.people.current(Place(channel="main", chat="5", thread="7"))
            other = await tx.people.current(Place(channel="other", chat="5"))
            await tx.people.move("main", "-200", "5")
            circle = await tx.people.current(Place(channel="main", chat="5"))

        assert topic == Place(channel="main", chat="-200", thread="7")
        assert other == Place(channel="other", chat="5")
        assert circle.chat in ("5", "-100", "-200")

    async def test_a_name_is_the_last_one_seen(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.people.see("telegram:1", "Ana", now=NOW)
            await tx.people.see("telegram:1", "Anna", now=NOW + 1)

        async with record.reading() as stored:
            assert await stored.people.name("telegram:1") == "Anna"
            assert await stored.people.name("telegram:2") is None


class CardsContract:
    """Inherit it and give a `record`."""

    async def test_a_card_adopts_one_message(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.cards.add(card())
            first = await tx.cards.adopt("card1", "77")
            second = await tx.cards.adopt("card1", "78")

        async with record.reading() as stored:
            kept = await stored.cards.get("card1")
        assert (first, second) == (True, False)
        assert kept == card(message="77")

    async def test_showing_what_it_shows_already_changes_nothing(self, record: Record) -> None:
        await stored_question(record)
        async with record.transaction() as tx:
            await tx.cards.add(card())
            shown = [await tx.cards.show("card1", what) for what in ("open", "open", "done")]

        assert shown == [True, False, True]

    async def test_the_cards_of_a_question_are_its_own(self, record: Record) -> None:
        await stored_question(record, "q1")
        await stored_question(record, "q2")
        async with record.transaction() as tx:
            await tx.cards.add(card("a", created_at=NOW + 1))
            await tx.cards.add(card("b"))
            await tx.cards.add(card("c", question="q2"))

        async with record.reading() as stored:
            assert [one.id for one in await stored.cards.of("q1")] == ["b", "a"]

    async def test_a_chat_holds_cards_of_open_questions_and_those_that_nobody_saw(
        self, record: Record
    ) -> None:
        await stored_question(record, "q1")
        await stored_question(record, "q2")
        async with record.transaction() as tx:
            await tx.cards.add(card("open"))
            await tx.cards.add(card("elsewhere", chat="6"))
            await tx.cards.add(card("ended", question="q2", shown="rejected"))
            await tx.cards.add(card("unseen", question="q2", shown="part|nowhere"))
            await tx.questions.close("q2", QuestionState.REJECTED, now=NOW, reason=None)

        async with record.reading() as stored:
            hung = await stored.cards.hung("main", "5", unseen="nowhere")
        assert [one.id for one in hung] == ["open", "unseen"]

    async def test_the_id_that_buttons_carry_is_not_in_a_cards_text(self) -> None:
        assert "card-secret" not in repr(card("card-secret"))


class LeasesContract:
    """Inherit it and give a `record`."""

    async def test_of_many_who_want_a_lease_one_holds_it(self, record: Record) -> None:
        async def held(owner: str) -> bool:
            async with record.transaction() as tx:
                return await tx.leases.hold("poller", owner, now=NOW, until=NOW + 10)

        won = await asyncio.gather(*(held(f"w{n}") for n in range(20)))

        assert won.count(True) == 1

    async def test_a_lease_is_renewed_by_its_holder_and_taken_when_it_ended(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            answers = [
                await tx.leases.hold("poller", "a", now=NOW, until=NOW + 10),
                await tx.leases.hold("poller", "a", now=NOW + 5, until=NOW + 15),
                await tx.leases.hold("poller", "b", now=NOW + 15, until=NOW + 25),
                await tx.leases.hold("poller", "b", now=NOW + 15.1, until=NOW + 25),
            ]

        assert answers == [True, True, False, True]

    async def test_a_lease_given_up_is_free_at_once_and_only_its_holder_gives_it_up(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            await tx.leases.hold("poller", "a", now=NOW, until=NOW + 10)
            await tx.leases.drop("poller", "b")
            kept = not await tx.leases.hold("poller", "b", now=NOW, until=NOW + 10)
            await tx.leases.drop("poller", "a")
            free = await tx.leases.hold("poller", "b", now=NOW, until=NOW + 10)

        assert (kept, free) == (True, True)
