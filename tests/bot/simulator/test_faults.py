"""Troubles to order, seen from a client."""

import asyncio
import time

import httpx
import pytest


async def test_a_429_carries_retry_after_and_is_used_up(api, ada, bot, faults):
    chat = ada.chat_with(bot)
    faults.too_many_requests(7, method="sendMessage", times=2)

    async def send():
        return await api("sendMessage", chat_id=chat.id, text="x")

    me = await api("getMe")
    first, second, third = await send(), await send(), await send()

    assert me.status == 200
    assert first.refused == second.refused == (429, "Too Many Requests: retry after 7")
    assert first.body["parameters"] == {"retry_after": 7}
    assert third.status == 200
    assert len(ada.transcript(chat)) == 1


async def test_faults_for_any_method_come_in_order_and_can_be_taken_back(api, faults):
    faults.server_error(502)
    removed = faults.forbidden()
    faults.server_error()
    faults.remove(removed)

    first, second, third = [await api("getMe") for _ in range(3)]

    assert first.refused == (502, "Bad Gateway")
    assert second.refused == (500, "Internal Server Error")
    assert third.status == 200


async def test_clear_takes_every_order_back(api, faults, ada, bot):
    ada.chat_with(bot)
    faults.server_error(times=9)
    faults.block(ada.id, bot.id)

    faults.clear()

    assert (await api("sendMessage", chat_id=ada.id, text="x")).status == 200


async def test_a_dropped_answer_was_still_carried_out(api, faults, ada, bot, caplog):
    chat = ada.chat_with(bot)
    faults.drop_answer(method="sendMessage")

    with pytest.raises(httpx.TransportError):
        await api("sendMessage", chat_id=chat.id, text="sent?")

    assert [view.text for view in ada.transcript(chat)] == ["sent?"]
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []


async def test_a_hanging_call_breaks_off_and_did_nothing(api, faults, ada, bot):
    chat = ada.chat_with(bot)
    faults.hang(0.2, method="sendMessage")
    began = time.monotonic()

    with pytest.raises(httpx.TransportError):
        await api("sendMessage", chat_id=chat.id, text="sent?")

    assert time.monotonic() - began >= 0.2
    assert ada.transcript(chat) == []


async def test_a_client_may_leave_a_hanging_call_first(url, bot, faults, api):
    faults.hang(0.3, method="getMe")

    async with httpx.AsyncClient(timeout=0.1) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get(f"{url}/bot{bot.token}/getMe")
    await asyncio.sleep(0.3)

    assert (await api("getMe")).status == 200


async def test_a_duplicated_update_comes_again_after_it_was_confirmed(api, faults, ada, bot):
    chat = ada.chat_with(bot)
    faults.duplicate_next_update(bot.id)
    ada.send(chat, "one")
    ada.send(chat, "two")

    seen, offset = [], 0
    for _ in range(4):
        updates = (await api("getUpdates", offset=offset)).result
        seen += [(u["update_id"], u["message"]["text"]) for u in updates]
        offset = updates[-1]["update_id"] + 1 if updates else offset

    assert sorted(text for _, text in seen) == ["one", "one", "two"]
    assert len({number for number, text in seen if text == "one"}) == 1


async def test_an_update_can_be_fed_again_under_the_same_id(api, world, ada, bot):
    ada.send(ada.chat_with(bot), "one")
    (first,) = (await api("getUpdates")).result
    after = {"offset": first["update_id"] + 1}
    assert (await api("getUpdates", **after)).result == []

    world.redeliver(first["update_id"])

    assert (await api("getUpdates", **after)).result == [first]
    assert (await api("getUpdates", **after)).result == []
