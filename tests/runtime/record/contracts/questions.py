"""What the questions repository promises."""

import asyncio

import pytest

from comal_runtime.record import QuestionState, Record

from .rows import NOW, question, stored_question, vote

FINAL = [state for state in QuestionState if state is not QuestionState.OPEN]


async def decided(record: Record, state: QuestionState, *, by: str, now: float = NOW) -> bool:
    async with record.transaction() as tx:
        return await tx.questions.decide("q1", state, by=by, now=now, reason=f"{by} said")


class QuestionsContract:
    """Inherit it and give a `record`."""

    async def test_a_question_is_read_as_it_was_stored(self, record: Record) -> None:
        row = await stored_question(record, call_key="t/1/0", route='{"name":"r"}')

        async with record.reading() as stored:
            assert await stored.questions.get("q1") == row
            assert await stored.questions.by_secret("hash of q1") == row
            assert await stored.questions.by_call("t/1/0") == row
            assert await stored.questions.get("q2") is None

    @pytest.mark.parametrize("taken", ["id", "call_key", "secret_hash"])
    async def test_a_second_question_with_what_is_unique_is_not_stored(
        self, record: Record, taken: str
    ) -> None:
        await stored_question(record, call_key="t/1/0")
        changes = {"key": "q2", "call_key": "t/1/1", "secret_hash": "other"}
        changes |= {"id": {"key": "q1"}}.get(taken, {})
        changes |= {"call_key": {"call_key": "t/1/0"}}.get(taken, {})
        changes |= {"secret_hash": {"secret_hash": "hash of q1"}}.get(taken, {})

        async with record.transaction() as tx:
            won = await tx.questions.open(question(**changes))

        async with record.reading() as stored:
            assert len(await stored.questions.recent(state=None, limit=9)) == 1
        assert not won

    async def test_of_many_deciders_at_once_one_wins_and_the_row_is_its(
        self, record: Record
    ) -> None:
        await stored_question(record)
        states = (QuestionState.APPROVED, QuestionState.REJECTED, QuestionState.CANCELLED)

        won = await asyncio.gather(*(decided(record, states[n % 3], by=f"p{n}") for n in range(30)))

        async with record.reading() as stored:
            row = await stored.questions.get("q1")
        assert won.count(True) == 1
        winner = won.index(True)
        assert row is not None
        assert (row.state, row.decided_by) == (states[winner % 3], f"p{winner}")
        assert (row.reason, row.decided_at) == (f"p{winner} said", NOW)

    @pytest.mark.parametrize("ended", FINAL)
    async def test_what_has_ended_is_never_decided_or_closed_again(
        self, record: Record, ended: QuestionState
    ) -> None:
        await stored_question(record, state=ended)

        again = await decided(record, QuestionState.APPROVED, by="p")
        async with record.transaction() as tx:
            closed = await tx.questions.close("q1", QuestionState.EXPIRED, now=NOW, reason=None)

        async with record.reading() as stored:
            row = await stored.questions.get("q1")
        assert (again, closed) == (False, False)
        assert row is not None
        assert row.state is ended

    async def test_a_question_is_not_decided_from_the_moment_it_expires(
        self, record: Record
    ) -> None:
        await stored_question(record, expires_at=NOW + 60)

        at_the_end = await decided(record, QuestionState.APPROVED, by="p", now=NOW + 60)
        before = await decided(record, QuestionState.APPROVED, by="p", now=NOW + 59.9)

        assert (at_the_end, before) == (False, True)

    async def test_an_expired_question_can_still_be_closed(self, record: Record) -> None:
        await stored_question(record, expires_at=NOW - 1)

        async with record.transaction() as tx:
            closed = await tx.questions.close("q1", QuestionState.EXPIRED, now=NOW, reason=None)

        assert closed

    async def test_only_open_questions_whose_time_is_over_are_listed_as_expired(
        self, record: Record
    ) -> None:
        await stored_question(record, "over", expires_at=NOW)
        await stored_question(record, "alive", expires_at=NOW + 1)
        await stored_question(record, "ended", expires_at=NOW, state=QuestionState.APPROVED)

        async with record.reading() as stored:
            assert await stored.questions.expired(now=NOW, limit=9) == ["over"]

    async def test_a_person_votes_once_through_whichever_identity(self, record: Record) -> None:
        await stored_question(record)

        async with record.transaction() as tx:
            first = await tx.questions.vote(vote("Ana", identity="telegram:1", choice="no"))
            second = await tx.questions.vote(vote("Ana", identity="web:ana", choice="yes"))
            other = await tx.questions.vote(vote("Bo", at=NOW + 1))

        async with record.reading() as stored:
            votes = await stored.questions.votes("q1")
        assert (first, second, other) == (True, False, True)
        assert [(one.person, one.choice) for one in votes] == [("Ana", "no"), ("Bo", "yes")]

    async def test_recent_questions_come_newest_first_and_by_state(self, record: Record) -> None:
        await stored_question(record, "old", created_at=NOW)
        await stored_question(record, "new", created_at=NOW + 1)
        await stored_question(record, "over", created_at=NOW + 2, state=QuestionState.EXPIRED)

        async with record.reading() as stored:
            every = await stored.questions.recent(state=None, limit=9)
            still = await stored.questions.recent(state="open", limit=9)

        assert [one.id for one in every] == ["over", "new", "old"]
        assert [one.id for one in still] == ["new", "old"]

    async def test_neither_secret_nor_arguments_are_in_the_text_of_a_question(self) -> None:
        text = repr(question(secret_hash="s3cr3t", args='{"pin":"1234"}', summary="pin 1234"))

        assert "s3cr3t" not in text
        assert "1234" not in text

    async def test_only_an_open_unexpired_question_is_held_and_stays_as_it_is(
        self, record: Record
    ) -> None:
        row = await stored_question(record)

        async with record.transaction() as tx:
            held = [
                await tx.questions.hold("q1", now=NOW),
                await tx.questions.hold("q1", now=row.expires_at),
                await tx.questions.hold("q2", now=NOW),
            ]
            await tx.questions.decide("q1", QuestionState.APPROVED, by="p", now=NOW, reason=None)
            held.append(await tx.questions.hold("q1", now=NOW))

        assert held == [True, False, False, False]

    async def test_who_waits_for_how_many_answers_and_until_when(self, record: Record) -> None:
        first = await stored_question(record)
        asker = {"channel": first.channel, "principal": first.principal}

        async with record.reading() as stored:
            mine = await stored.questions.waiting(first.kind, now=NOW, **asker)
            later = await stored.questions.waiting(first.kind, now=first.expires_at, **asker)
            others = await stored.questions.waiting(
                first.kind, now=NOW, channel=first.channel, principal=None
            )

        assert mine == (1, first.expires_at)
        assert later == others == (0, None)

    async def test_a_replaced_question_hands_its_call_over_and_is_replaced_once(
        self, record: Record
    ) -> None:
        await stored_question(record, call_key="t/1/0")
        again = {"by": "q3", "editor": "telegram:2", "now": NOW}

        async with record.transaction() as tx:
            late = await tx.questions.replace("q1", **{**again, "now": NOW + 60})
            won = await tx.questions.replace("q1", **{**again, "by": "q2"})
            lost = await tx.questions.replace("q1", **again)
            opened = await tx.questions.open(question("q2", call_key="t/1/0", supersedes="q1"))

        async with record.reading() as stored:
            old, new = await stored.questions.get("q1"), await stored.questions.by_call("t/1/0")
        assert (late, won, lost, opened) == (False, True, False, True)
        assert old is not None
        assert new is not None
        assert (old.state, old.superseded_by, old.decided_by) == ("superseded", "q2", "telegram:2")
        assert (new.id, new.state) == ("q2", QuestionState.OPEN)

    async def test_only_a_question_that_ended_is_followed_and_by_one_alone(
        self, record: Record
    ) -> None:
        await stored_question(record)

        async with record.transaction() as tx:
            followed = [await tx.questions.follow("q1", by="q2")]
            await tx.questions.close("q1", QuestionState.EXPIRED, now=NOW + 60, reason=None)
            followed += [await tx.questions.follow("q1", by=by) for by in ("q2", "q3")]

        async with record.reading() as stored:
            old = await stored.questions.get("q1")
        assert followed == [False, True, False]
        assert old is not None
        assert (old.state, old.superseded_by) == (QuestionState.EXPIRED, "q2")
