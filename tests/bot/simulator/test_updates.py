"""Polling for updates, over a real socket."""

import asyncio
import time

import httpx
import pytest


async def polled(api, offset=0, **parameters):
    return (await api("getUpdates", offset=offset, **parameters)).result


async def test_an_update_stays_until_a_higher_offset_confirms_it(api, ada, bot):
    chat = ada.chat_with(bot)
    ada.send(chat, "one")
    ada.send(chat, "two")

    first = await polled(api)
    again = await polled(api)
    rest = await polled(api, offset=first[0]["update_id"] + 1)

    assert [u["message"]["text"] for u in first] == ["one", "two"]
    assert again == first
    assert [u["message"]["text"] for u in rest] == ["two"]
    assert first[0]["message"]["from"] == {
        "id": 42,
        "is_bot": False,
        "first_name": "Ada",
        "username": "ada",
        "language_code": "en",
    }


async def test_a_negative_offset_keeps_only_the_last_updates(api, ada, bot):
    chat = ada.chat_with(bot)
    for text in ("one", "two", "three"):
        ada.send(chat, text)

    last = await polled(api, offset=-1)

    assert [u["message"]["text"] for u in last] == ["three"]
    assert await polled(api) == last


async def test_a_long_poll_answers_as_soon_as_something_happens(api, ada, bot):
    chat = ada.chat_with(bot)
    poll = asyncio.create_task(polled(api, timeout=30))
    await asyncio.sleep(0.05)
    began = time.monotonic()

    ada.send(chat, "hello")
    updates = await poll

    assert updates[0]["message"]["text"] == "hello"
    assert time.monotonic() - began < 5


async def test_a_second_poller_ends_the_first_with_a_conflict(api, ada, bot):
    first = asyncio.create_task(api("getUpdates", timeout=30))
    await asyncio.sleep(0.05)
    second = asyncio.create_task(polled(api, timeout=30))

    refused = (await first).refused
    ada.send(ada.chat_with(bot), "hello")

    assert refused == (
        409,
        "Conflict: terminated by other getUpdates request; "
        "make sure that only one bot instance is running",
    )
    assert len(await second) == 1


async def test_a_client_that_left_its_poll_does_not_disturb_the_next(url, bot, api, ada):
    async with httpx.AsyncClient(timeout=0.1) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get(f"{url}/bot{bot.token}/getUpdates", params={"timeout": 30})
    ada.send(ada.chat_with(bot), "hello")

    updates = await polled(api)

    assert len(updates) == 1


async def test_allowed_updates_stick_until_given_again(api, ada, bot):
    chat = ada.chat_with(bot)
    await polled(api, allowed_updates=["callback_query"])
    ada.send(chat, "unseen")
    await polled(api)
    ada.send(chat, "unseen too")

    info = (await api("getWebhookInfo")).result
    unseen = await polled(api, allowed_updates=[])
    ada.send(chat, "seen")
    seen = await polled(api)

    assert info["allowed_updates"] == ["callback_query"]
    assert unseen == []
    assert [u["message"]["text"] for u in seen] == ["seen"]


async def test_taps_are_forgotten_after_150_seconds_and_messages_after_a_day(
    api, ada, bot, clock, send_card
):
    chat = ada.chat_with(bot)
    ada.send(chat, "hello")
    card = await send_card(chat)
    ada.press(chat, card, "yes")

    at_once = await polled(api)
    clock.advance(151)
    later = await polled(api)
    clock.advance(86400)
    next_day = await polled(api)

    assert [set(u) - {"update_id"} for u in at_once] == [{"message"}, {"callback_query"}]
    assert [set(u) - {"update_id"} for u in later] == [{"message"}]
    assert next_day == []
