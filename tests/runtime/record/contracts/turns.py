"""What the turns repository promises."""

import asyncio

from comal_runtime.record import Entry, Record, Turn

from .rows import NOW, entry, turn


async def opened(record: Record, row: Turn) -> bool:
    async with record.transaction() as tx:
        return await tx.turns.open(row)


async def taken(record: Record, key: str = "t1") -> int | None:
    async with record.transaction() as tx:
        return await tx.turns.take(key)


async def written(record: Record, line: Entry, epoch: int) -> bool:
    async with record.transaction() as tx:
        return await tx.turns.write(line, epoch=epoch, now=NOW)


class TurnsContract:
    """Inherit it and give a `record`."""

    async def test_an_event_begins_one_turn(self, record: Record) -> None:
        first = await opened(record, turn("t1", origin_event="update 1"))
        second = await opened(record, turn("t2", origin_event="update 1"))

        async with record.reading() as stored:
            found = await stored.turns.by_event("update 1")
        assert (first, second) == (True, False)
        assert found == turn("t1", origin_event="update 1")

    async def test_takers_get_epochs_that_differ(self, record: Record) -> None:
        await opened(record, turn())

        epochs = await asyncio.gather(*(taken(record) for _ in range(9)))

        assert sorted(filter(None, epochs)) == list(range(1, 10))

    async def test_a_writer_of_an_older_epoch_adds_nothing(self, record: Record) -> None:
        await opened(record, turn())
        zombie, alive = await taken(record), await taken(record)
        assert zombie is not None
        assert alive is not None

        late = await written(record, entry(body='"zombie"'), zombie)
        good = await written(record, entry(body='"alive"'), alive)

        async with record.reading() as stored:
            history = await stored.turns.history("c1")
        assert (late, good) == (False, True)
        assert [one.body for one in history] == ['"alive"']

    async def test_a_step_stored_twice_is_there_once_as_it_was_first(self, record: Record) -> None:
        await opened(record, turn())
        epoch = await taken(record)
        assert epoch is not None

        await written(record, entry(1, 0, '"first"'), epoch)
        again = await written(record, entry(1, 0, '"second"'), epoch)

        async with record.reading() as stored:
            history = await stored.turns.history("c1")
        assert again
        assert [one.body for one in history] == ['"first"']

    async def test_a_turn_that_ended_is_neither_taken_nor_written_nor_ended_again(
        self, record: Record
    ) -> None:
        await opened(record, turn())
        epoch = await taken(record)
        assert epoch is not None
        async with record.transaction() as tx:
            stale = await tx.turns.end("t1", epoch=epoch - 1, reason="no", now=NOW)
            ended = await tx.turns.end("t1", epoch=epoch, reason="answered", now=NOW)
            again = await tx.turns.end("t1", epoch=epoch, reason="again", now=NOW)

        assert (stale, ended, again) == (False, True, False)
        assert await taken(record) is None
        assert not await written(record, entry(), epoch)

    async def test_history_is_the_newest_lines_oldest_first(self, record: Record) -> None:
        await opened(record, turn())
        epoch = await taken(record)
        assert epoch is not None
        for step in range(5):
            await written(record, entry(step, 0, str(step)), epoch)

        async with record.reading() as stored:
            history = await stored.turns.history("c1", limit=3)

        assert [one.body for one in history] == ["2", "3", "4"]

    async def test_a_stop_reaches_the_running_turns_of_its_conversation_only(
        self, record: Record
    ) -> None:
        await opened(record, turn("t1"))
        await opened(record, turn("t2", conversation="c2"))
        await opened(record, turn("t3", state="ended"))

        async with record.transaction() as tx:
            stopped = await tx.turns.ask_stop("c1")

        async with record.reading() as stored:
            asked = [await stored.turns.stop_asked(key) for key in ("t1", "t2", "t3")]
        assert stopped == 1
        assert asked == [True, False, False]
