"""Two hosts on one database: one hears, both work, nothing happens twice."""

from contextlib import AsyncExitStack

from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, eventually, has_buttons, says

from .conftest import Shop


def answers(at: Stage, text: str) -> int:
    return len([v for v in at.rosa.transcript(at.private) if says(text)(v)])


async def test_two_hosts_on_one_database_do_nothing_twice(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """TD-01: every update, tap, act and message is one worker's."""
    rosa, chat = set_stage.rosa, set_stage.private
    async with (
        set_stage.hosting([shop], model) as one,
        set_stage.hosting([shop], model) as two,
    ):
        rosa.send(chat, "delete note 2")
        card = await rosa.wait_for(chat, has_buttons)
        presses = [rosa.press(chat, card.id, "Confirm") for _ in range(3)]
        told = sorted([(await press.answered()).text for press in presses])
        await rosa.wait_for(chat, says("I heard: done"))
        await one.until_idle()
        await two.until_idle()

    assert [one.partition(":")[0] for one in told[:2]] == ["Already decided"] * 2
    assert told[2] == "Recorded."
    assert shop.ran == [("delete_note", 2)]
    assert answers(set_stage, "I heard: done") == 1
    assert answers(set_stage, "Delete note") == 1
    assert set_stage.rows("SELECT state FROM acts") == [("done",)]


async def test_messages_of_one_chat_keep_their_order_between_two_hosts(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """TD-07."""
    rosa, chat = set_stage.rosa, set_stage.private
    async with (
        set_stage.hosting([shop], model) as one,
        set_stage.hosting([shop], model),
    ):
        for number in range(5):
            rosa.send(chat, f"list, for the {number}. time")
        await eventually(lambda: answers(set_stage, "milk") == 5)
        await one.until_idle()

    history = set_stage.rows("SELECT body FROM history WHERE role = 'user' ORDER BY id")
    times = [body.split("for the ")[1][0] for (body,) in history]
    assert times == ["0", "1", "2", "3", "4"]
    assert set_stage.rows("SELECT COUNT(*) FROM turns") == [(5,)]


async def test_the_second_host_hears_when_the_first_ends(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    changes = {"host": {"lease": 0.6, "grace": 0.5}}
    async with AsyncExitStack() as first:
        await first.enter_async_context(set_stage.hosting([shop], model, **changes))
        (holder,) = await eventually(lambda: set_stage.rows("SELECT owner FROM leases"))
        async with set_stage.hosting([shop], model, **changes) as second:
            rosa.send(chat, "list")
            await eventually(lambda: answers(set_stage, "milk") == 1)
            still = set_stage.rows("SELECT owner FROM leases")
            await first.aclose()
            rosa.send(chat, "list")
            await eventually(lambda: answers(set_stage, "milk") == 2)
            after = set_stage.rows("SELECT owner FROM leases")
            await second.until_idle()

    assert still == [holder]
    assert len(after) == 1
    assert after != still


async def test_an_approval_decided_through_one_host_is_shown_by_whichever(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, ana, approvers = set_stage.rosa, set_stage.ana, set_stage.approvers
    async with (
        set_stage.hosting([shop], model) as one,
        set_stage.hosting([shop], model) as two,
    ):
        rosa.send(set_stage.private, "refund order 7")
        card = await ana.wait_for(approvers, has_buttons)
        for person in (ana, set_stage.andres):
            person.press(approvers, card.id, "Approve")
        await ana.wait_for(approvers, says("executed"))
        await rosa.wait_for(set_stage.private, says("executed"))
        await one.until_idle()
        await two.until_idle()

    assert shop.ran == [("refund", 7, 10.0)]
    assert set_stage.rows("SELECT COUNT(*) FROM votes") == [(1,)]
    assert answers(set_stage, "I heard: done") == 1
