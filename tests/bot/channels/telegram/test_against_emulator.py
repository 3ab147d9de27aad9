"""The channel, real sockets and the emulated Bot API: a text, a card, a tap, an outcome."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import pytest

from comal_bot.channels.channel import Ack, Address, Delete, Denied, Inbound, Raw, Typing, Uncertain
from comal_bot.channels.telegram import BotApi, Polling, TelegramChannel
from comal_bot.simulator.bot_api import bot_api_app
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.people import Person
from comal_bot.simulator.serving import serve
from comal_bot.simulator.world import TelegramWorld
from comal_runtime.clock import SystemClock
from comal_runtime.http.httpx_adapter import HttpxClient

TOKEN = "7000000009:AAemulated"
KEYBOARD = {"inline_keyboard": [[{"text": "Yes", "callback_data": "q1:abc:yes"}]]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A world with Rita in a private chat, and the bot's channel listening."""

    world: TelegramWorld
    faults: Faults
    rita: Person
    chat: int
    channel: TelegramChannel
    arrived: "asyncio.Queue[Inbound]"

    @property
    def address(self) -> Address:
        return Address(channel="main", chat=str(self.chat))

    async def next(self) -> Inbound:
        return await asyncio.wait_for(self.arrived.get(), 5)


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    world = TelegramWorld(SystemClock())
    bot = world.add_bot(TOKEN, "acme_bot")
    rita = Person(world, 5000000001, "Rita")
    private = rita.chat_with(bot)
    faults = Faults(world)
    arrived: asyncio.Queue[Inbound] = asyncio.Queue()
    async with serve(bot_api_app(world, faults)) as base, HttpxClient() as http:
        telegram = TelegramChannel("main", BotApi(TOKEN, http, base), polling=Polling(timeout=5))

        async def sink(batch: Sequence[Raw]) -> None:
            for raw in batch:
                for inbound in telegram.parse(raw):
                    arrived.put_nowait(inbound)

        async with telegram:
            listening = asyncio.create_task(telegram.listen(sink))
            yield Stage(
                world=world,
                faults=faults,
                rita=rita,
                chat=private.id,
                channel=telegram,
                arrived=arrived,
            )
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening


async def test_a_command_a_card_a_tap_and_its_outcome(stage: Stage):
    stage.rita.send(stage.chat, "/pay 10")
    asked = await stage.next()
    await stage.channel.signal(asked.address, Typing())
    card = await stage.channel.deliver(asked.address, {"text": "Pay?", "reply_markup": KEYBOARD})
    press = stage.rita.press(stage.chat, int(card.message), "yes")
    tapped = await stage.next()
    assert tapped.tap is not None
    await stage.channel.signal(tapped.address, Ack(callback=tapped.tap.callback, text="Paying"))
    await stage.channel.amend(card, {"text": "Paid."})
    await stage.channel.amend(card, {"text": "Paid."})

    assert (asked.command, asked.text, asked.sender) == ("pay", "10", "telegram:5000000001")
    assert (tapped.address, tapped.sender) == (asked.address, asked.sender)
    assert (tapped.tap.data, tapped.tap.message) == ("q1:abc:yes", card.message)
    assert (await press.answered()).text == "Paying"
    shown = stage.rita.transcript(stage.chat)[-1]
    assert (shown.text, shown.labels) == ("Paid.", ())


async def test_an_accepted_message_whose_answer_is_lost_is_uncertain_and_there_once(stage: Stage):
    stage.faults.drop_answer(method="sendMessage")

    with pytest.raises(Uncertain):
        await stage.channel.deliver(stage.address, {"text": "Pay?"})

    assert [view.text for view in stage.rita.transcript(stage.chat)] == ["Pay?"]


async def test_a_blocked_bot_learns_that_the_chat_is_gone(stage: Stage):
    stage.faults.forbidden(method="sendMessage")

    with pytest.raises(Denied) as refused:
        await stage.channel.deliver(stage.address, {"text": "hi"})

    assert refused.value.gone


async def test_entities_beyond_the_text_are_left_out_and_the_text_arrives(stage: Stage):
    beyond = [{"type": "bold", "offset": 0, "length": 3}, {"type": "nonsense"}]

    receipt = await stage.channel.deliver(stage.address, {"text": "hi", "entities": beyond})

    [view] = stage.rita.transcript(stage.chat)
    assert (str(view.id), view.text) == (receipt.message, "hi")


async def test_a_deleted_message_may_be_deleted_again(stage: Stage):
    receipt = await stage.channel.deliver(stage.address, {"text": "oops"})

    await stage.channel.signal(stage.address, Delete(message=receipt.message))
    await stage.channel.signal(stage.address, Delete(message=receipt.message))

    assert [view.deleted for view in stage.rita.transcript(stage.chat)] == [True]
