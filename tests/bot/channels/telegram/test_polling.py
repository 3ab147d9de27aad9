"""Polling confirms what was stored, survives what fails, and says why."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from comal_bot.channels.channel import Raw
from comal_bot.channels.telegram import Polling

from .scripted_http import LOST, UNSENT, ScriptedHttp, answer, channel, refusal

WEBHOOK = "Conflict: can't use getUpdates method while webhook is active"
OTHER = "Conflict: terminated by other getUpdates request"


class Story:
    """One poller's run: the batches stored and the pauses taken, until the script ends."""

    def __init__(self, *answers: object, failing: int = 0, **options: Any) -> None:
        self.http = ScriptedHttp(getUpdates=[*answers, asyncio.CancelledError()])
        self.stored: list[list[Raw]] = []
        self.offsets_when_stored: list[int] = []
        self.pauses: list[float] = []
        self.failing = failing
        self.options = options

    async def sink(self, batch: Sequence[Raw]) -> None:
        if self.failing:
            self.failing -= 1
            raise OSError("the disk is full")
        self.offsets_when_stored.append(len(self.http.asked("getUpdates")))
        self.stored.append(list(batch))

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def run(self) -> "Story":
        telegram = channel(self.http, sleep=self.sleep, chance=lambda: 0.0, **self.options)
        with pytest.raises(asyncio.CancelledError):
            await telegram.listen(self.sink)
        return self

    @property
    def offsets(self) -> list[int | None]:
        return [params.get("offset") for params in self.http.asked("getUpdates")]


def update(number: int) -> dict[str, Any]:
    return {"update_id": number, "message": {"text": "x"}}


async def test_every_poll_says_which_updates_it_wants_and_for_how_long():
    story = await Story([], polling=Polling(timeout=7, limit=3)).run()

    expected = {
        "timeout": 7,
        "limit": 3,
        "allowed_updates": ["message", "channel_post", "callback_query"],
    }
    assert story.http.asked("getUpdates") == [expected, expected]
    assert all(timeout > 7 for timeout in story.http.timeouts)


async def test_the_offset_moves_past_the_highest_update_only_after_it_was_stored():
    story = await Story([update(101), update(100)], [], [update(102)]).run()

    assert story.stored == [[update(101), update(100)], [update(102)]]
    assert story.offsets == [None, 102, 102, 103]
    assert story.offsets_when_stored == [1, 3]
    assert story.pauses == []


async def test_a_batch_that_was_not_stored_is_asked_for_again(caplog: pytest.LogCaptureFixture):
    batch = [update(100)]

    story = await Story(batch, batch, batch, failing=2).run()

    assert story.offsets == [None, None, None, 101]
    assert story.stored == [batch]
    assert story.pauses == [1.0, 2.0]
    assert [r.message for r in caplog.records] == ["batch.unstored"] * 2


async def test_broken_elements_are_kept_and_block_nothing():
    batch = [update(100), {"message": "no id"}, 42, {"update_id": 101, "message": 7}]

    story = await Story(batch).run()

    assert story.stored == [[batch[0], batch[1], {"malformed": 42}, batch[3]]]
    assert story.offsets == [None, 102]


async def test_a_batch_without_any_id_is_kept_and_not_asked_for_at_full_speed():
    story = await Story([{"x": 1}], [{"x": 1}]).run()

    assert len(story.stored) == 2
    assert story.pauses == [1.0, 2.0]


@pytest.mark.parametrize(
    ("description", "cause"), [(OTHER, "another program"), (WEBHOOK, "webhook is set")]
)
async def test_a_conflict_waits_three_seconds_or_more_and_names_its_cause(
    description: str, cause: str, caplog: pytest.LogCaptureFixture
):
    conflict = refusal(409, description)

    story = await Story(conflict, conflict, conflict, [update(5)]).run()

    assert story.pauses == [3.0, 3.0, 4.0]
    assert story.stored == [[update(5)]]
    assert [r.levelno for r in caplog.records] == [logging.WARNING] * 3
    assert all(cause in str(vars(r)["cause"]) for r in caplog.records)


async def test_failures_back_off_up_to_thirty_seconds_and_success_starts_afresh():
    failures = [LOST, UNSENT, refusal(502, "Bad Gateway"), answer(b"<html>"), {"not": "a list"}]

    story = await Story(*failures, *[LOST] * 3, [], LOST).run()

    assert story.pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 1.0]


async def test_chance_shortens_a_pause_by_less_than_half():
    http = ScriptedHttp(getUpdates=[LOST, LOST, asyncio.CancelledError()])
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def sink(_: Sequence[Raw]) -> None: ...

    with pytest.raises(asyncio.CancelledError):
        await channel(http, sleep=sleep, chance=lambda: 0.5).listen(sink)

    assert pauses == [0.75, 1.5]


async def test_a_flood_refusal_is_waited_out():
    story = await Story(refusal(429, "Too Many Requests", retry_after=33)).run()

    assert story.pauses == [33.0]


async def test_a_revoked_token_names_the_setting(caplog: pytest.LogCaptureFixture):
    await Story(refusal(401, "Unauthorized")).run()

    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert "COMAL_CHANNELS__MAIN__TOKEN" in str(vars(record)["cause"])


async def test_a_cancelled_sink_ends_listening():
    http = ScriptedHttp(getUpdates=[[update(1)]])

    async def sink(_: Sequence[Raw]) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await channel(http).listen(sink)

    assert len(http.asked("getUpdates")) == 1
