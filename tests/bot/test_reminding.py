"""Reminders: who may answer now hears once what waits, in one message a chat."""

from pathlib import Path
from typing import Any

import pytest

from comal_bot.channels.channel import Retry
from comal_bot.recovery import Recovery
from comal_bot.reminding import time_left
from comal_bot.settings import HostSettings
from comal_runtime.testing import FakeClock

from .rig import Rig, house_settings, rig
from .wire import ANA, ANDRES, APPROVERS, BRUNO, GROUP, Sent

REFUND = 'call refund {"order": 7}'


def under(*routes: dict[str, Any], **route: Any) -> Any:
    fields = {
        "tool": "refund",
        "approvers": [f"telegram:{ANA}", f"telegram:{ANDRES}"],
        "cards": [f"main:{APPROVERS}"],
        "remind": "2h",
    }
    return house_settings(routes=[*routes, {**fields, **route}])


async def sweep(at: Rig, after: float = 0.0) -> None:
    """Let time go by and sweep, as every second."""
    at.clock.advance(after)
    await Recovery(at.house, at.outbox, lease=10.0)._sweep()
    await at.settle()


def reminders(at: Rig, chat: int = APPROVERS) -> list[Sent]:
    return [one for one in at.wire.sent.values() if one.chat == str(chat) and "⏰" in one.text]


async def test_approvers_are_reminded_once_in_reply_to_the_card_with_the_time_that_is_left(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await sweep(at, 2 * 3600 - 1)
        early = reminders(at)
        await sweep(at, 1)
        await sweep(at, 3600)

        assert early == []
        [reminder] = reminders(at)
        assert reminder.text == "⏰ refund(order=7) still waits for an answer. It ends in 22 h."
        assert reminder.body["reply_to"] == card.message
        assert not reminder.data
        assert reminders(at, BRUNO) == []


@pytest.mark.failure_mode(24)
async def test_a_reminder_is_said_once_over_restarts_and_by_whichever_worker(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with rig(tmp_path, settings=under(), clock=clock) as at:
        await at.say(REFUND, sender=BRUNO)
    clock.advance(3 * 3600)

    async with (
        rig(tmp_path, settings=under(), clock=clock, name="second") as second,
        rig(tmp_path, settings=under(), clock=clock, name="third") as third,
    ):
        for _ in range(3):
            await sweep(second)
            await sweep(third)

        assert len(reminders(second)) + len(reminders(third)) == 1


async def test_a_leap_of_the_clock_leaves_one_message_a_chat_that_names_ten(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under()) as at:
        for order in range(1, 41):
            await at.say(f'call refund {{"order": {order}}}', sender=BRUNO)
            at.clock.advance(30)
        await sweep(at, 5 * 3600)
        await sweep(at, 5)

        [reminder] = reminders(at)
        assert reminder.text.startswith("⏰ 40 questions wait for an answer:\n• refund(order=1) (")
        assert reminder.text.endswith("• refund(order=10) (ends in 18 h 44 min)\n… and 30 more")
        assert "reply_to" not in reminder.body


async def test_what_has_ended_meanwhile_is_not_recalled(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        await at.say('call refund {"order": 8}', sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[0], card, sender=ANA)
        await sweep(at, 3 * 3600)
        await sweep(at, 48 * 3600)

        [reminder] = reminders(at)
        assert "order=7" in reminder.text
        assert "order=8" not in reminder.text


async def test_a_question_whose_time_is_over_is_never_recalled(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        await sweep(at, 100 * 3600)

        assert reminders(at) == []
        assert "Expired" in at.wire.texts(APPROVERS)[0]


async def test_only_those_of_the_stage_at_hand_are_reminded(tmp_path: Path) -> None:
    groups = [
        {"name": "desk", "approvers": [f"telegram:{ANA}"], "cards": [f"main:{APPROVERS}"]},
        {
            "name": "safe",
            "stage": 2,
            "approvers": [f"telegram:{ANDRES}"],
            "cards": [f"main:{GROUP}"],
        },
    ]
    staged = under(approvers=[], groups=groups)
    async with rig(tmp_path, settings=staged) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[0], card, sender=ANA)
        await sweep(at, 2 * 3600)

        assert reminders(at, APPROVERS) == []
        assert len(reminders(at, GROUP)) == 1


async def test_a_reminder_is_in_the_language_of_the_house(tmp_path: Path) -> None:
    spanish = under().model_copy(update={"host": HostSettings(language="es")})
    async with rig(tmp_path, settings=spanish) as at:
        await at.say(REFUND, sender=BRUNO)
        await sweep(at, 2 * 3600)

        [reminder] = reminders(at)
        assert reminder.text == "⏰ refund(order=7) sigue esperando respuesta. Termina en 22 h."


async def test_a_reminder_that_could_not_be_sent_is_sent_later(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        at.wire.troubles.append(Retry("502", after=1))
        await sweep(at, 2 * 3600)
        before = reminders(at)
        await sweep(at, 5)

        assert before == []
        assert len(reminders(at)) == 1


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (3 * 3600 + 61, "3 h 1 min"),
        (2 * 86400 + 5 * 3600 + 60, "2 d 5 h"),
        (86400 + 120, "1 d 2 min"),
    ],
)
def test_the_time_that_is_left_is_told_in_two_units(seconds: float, said: str) -> None:
    assert time_left(seconds) == said
