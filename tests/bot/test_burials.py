"""Work that was given up: who waits for it is told, and what it had begun ends."""

from pathlib import Path

from comal_bot.burials import Burials
from comal_bot.inbox import Intake
from comal_bot.wiring import HOST_EVENT, MESSAGE
from comal_runtime.consent import SHOW_QUESTION
from comal_runtime.record import Job

from .rig import Rig, rig
from .wire import ROSA, written


def job(kind: str, key: str) -> Job:
    return Job(kind=kind, lane="x", key=key)


async def unread(at: Rig) -> str:
    """Take one message in that nobody works on; its number."""
    await Intake(at.record, at.clock, at.wire)([written(1, "say hello")])
    at.write("DELETE FROM jobs")
    return str(at.one("SELECT id FROM inbox"))


async def test_who_wrote_a_message_that_is_given_up_is_told_its_number_once(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        number = await unread(at)
        for _ in range(2):
            await Burials(at.house).tell(job(MESSAGE, number))
        await at.settle()

        (said,) = at.wire.texts(ROSA)
        assert said == f"Something went wrong inside the host; quote request {number}"
        assert at.one("SELECT state FROM inbox") == "failed"


async def test_a_turn_whose_job_is_given_up_ends(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("say hello")
        event = at.one("SELECT origin_event FROM turns")
        at.write("UPDATE turns SET state = 'running', origin_event = 'event:q|done'")
        await Burials(at.house).tell(job(HOST_EVENT, "q|done"))

        assert event.startswith("update:")
        assert at.rows("SELECT state, reason FROM turns") == [("ended", "failed")]


async def test_a_message_of_a_channel_that_is_gone_is_given_up_quietly(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        number = await unread(at)
        at.write("UPDATE inbox SET channel = 'former'")
        await Burials(at.house).tell(job(MESSAGE, number))
        await at.settle()

        assert at.wire.texts(ROSA) == []
        assert at.one("SELECT state FROM inbox") == "failed"


async def test_whoever_asked_hears_once_that_a_card_could_not_be_shown(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say('call delete_note {"note": 2}')
        key = at.one("SELECT id FROM questions")
        for _ in range(2):
            await Burials(at.house).tell(job(SHOW_QUESTION, key))
        await at.settle()

        assert sum("could not be shown" in text for text in at.wire.texts(ROSA)) == 1
