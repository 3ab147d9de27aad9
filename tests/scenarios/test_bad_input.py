"""What no client should send and no model should say: refused plainly, and the next one works."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from comal_bot import Comal, Settings
from comal_bot.simulator.updates import Update
from comal_bot.simulator.values import MessageView
from comal_runtime.llm import AssistantMessage, ToolCallRequest
from comal_runtime.testing import ScriptedModel
from tests.support.chat_server import chat_server, completion, fault, raw, wire_call
from tests.support.stage import Stage, eventually, says, scripted

from .conftest import Shop


def feed(at: Stage, number: int, payload: Mapping[str, Any], kind: str = "message") -> None:
    """Put an update into the bot's queue as it is."""
    update = Update(id=number, kind=kind, payload=payload, expires_at=time.time() + 600)
    at.world.queue(at.bot.user.id).put(update)


def text_of(at: Stage, words: object) -> dict[str, Any]:
    """Return the payload of a text that Rosa never typed."""
    return {
        "message_id": 1,
        "date": 0,
        "chat": {"id": at.rosa.id, "type": "private"},
        "from": {"id": at.rosa.id, "is_bot": False, "first_name": "Rosa"},
        "text": words,
    }


async def test_a_message_of_two_million_characters_is_kept_and_answered_clearly(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        feed(set_stage, 200_000_001, text_of(set_stage, "list " * 400_000))
        answer = await rosa.wait_for(chat, says("2000000 characters"))
        rosa.send(chat, "list")
        await rosa.wait_for(chat, says("milk"))
        await app.until_idle()

    assert "Send it in parts" in answer.text
    kept = "SELECT MAX(LENGTH(raw)) FROM inbox WHERE state = 'done'"
    assert set_stage.rows(kept)[0][0] > 2_000_000
    assert len(model.requests) == 2


async def test_poison_in_the_middle_of_a_batch_stops_neither_neighbour(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    poison: list[Mapping[str, Any]] = [
        {"chat": 5},
        text_of(set_stage, 12345),
        {**text_of(set_stage, "x"), "from": {"id": 2**70}},
        {**text_of(set_stage, "x"), "entities": [{"type": "bold"}]},
    ]
    rosa.send(chat, "list")
    for number, payload in enumerate(poison):
        feed(set_stage, 200_000_001 + number, payload)
    feed(set_stage, 200_000_099, text_of(set_stage, "\x00 and list"))
    async with set_stage.hosting([shop], model) as app:
        await eventually(lambda: len([v for v in rosa.transcript(chat) if says("milk")(v)]) == 2)
        await app.until_idle()

    assert set_stage.rows("SELECT COUNT(*) FROM inbox WHERE state = 'broken'") == [(4,)]
    assert set_stage.rows("SELECT COUNT(*) FROM jobs") == [(0,)]
    assert set_stage.world.queue(set_stage.bot.user.id).pending == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("delete_note", '{"note": '), ("delete_note", '"2"'), ("delete_notes", '{"note": 2}')],
)
async def test_a_call_that_makes_no_sense_runs_nothing_and_the_talk_goes_on(
    set_stage: Stage, shop: Shop, name: str, arguments: str
) -> None:
    call = ToolCallRequest(id="c1", name=name, arguments=arguments)
    model = scripted(("hello", lambda *_: AssistantMessage(tool_calls=(call,))))
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "hello")
        await rosa.wait_for(chat, says(name))
        rosa.send(chat, "and now?")
        await rosa.wait_for(chat, says("I have no answer to that."))
        await app.until_idle()

    assert shop.ran == []
    assert set_stage.rows("SELECT COUNT(*) FROM questions") == [(0,)]


def answered(sent: int, text: str) -> Callable[[MessageView], bool]:
    """Match an answer that came after a message."""
    return lambda view: view.id > sent and says(text)(view)


async def test_a_model_host_that_answers_nonsense_is_told_and_the_next_message_works(
    set_stage: Stage, shop: Shop
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with chat_server() as server:
        settings = {
            "provider": "openai-chat",
            "base_url": f"{server.base_url}/v1",
            "name": "m",
            "api_key": server.api_key,
        }
        server.will(
            raw(b"<html>gateway</html>"),
            fault(401, "Incorrect API key provided: sk-secret."),
            completion(None, calls=[wire_call("delete_note", '{"note": ')]),
            completion("That call was wrong."),
            completion("All is well."),
        )
        given = Settings.model_validate(set_stage.settings(model=settings))
        async with Comal(given, [shop]) as app:
            running = asyncio.create_task(app.run())
            for words, answer in (
                ("one", "language model"),
                ("two", "language model"),
                ("three", "That call was wrong."),
                ("four", "All is well."),
            ):
                sent = rosa.send(chat, words)
                await rosa.wait_for(chat, answered(sent, answer))
            await app.until_idle()
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running

    shown = " ".join(view.text for view in rosa.transcript(chat))
    assert server.refusals == []
    assert "sk-secret" not in shown
    assert shop.ran == []


async def test_a_job_that_fails_again_and_again_is_set_aside_and_blocks_no_other(
    set_stage: Stage, shop: Shop
) -> None:
    def boom(*_: object) -> str:
        raise ZeroDivisionError("the model's adapter is broken")

    model = scripted(("boom", boom), ("hello", lambda *_: "hello there"))
    rosa, bruno, chat = set_stage.rosa, set_stage.bruno, set_stage.private
    other = bruno.chat_with(set_stage.bot)
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "boom")
        await eventually(lambda: set_stage.rows("SELECT 1 FROM jobs WHERE error IS NOT NULL"))
        bruno.send(other, "hello")
        await bruno.wait_for(other, says("hello there"))
        rosa.send(chat, "hello")
        with contextlib.closing(sqlite3.connect(set_stage.database, timeout=5)) as connection:
            connection.execute("UPDATE jobs SET attempts = 7, run_at = 0 WHERE owner IS NULL")
            connection.commit()
        await rosa.wait_for(chat, says("hello there"))
        await app.until_idle()

    assert set_stage.rows("SELECT kind, dead FROM jobs") == [("message", 1)]


async def test_a_record_locked_for_two_seconds_loses_nothing(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model) as app:
        rosa.send(chat, "list")
        await rosa.wait_for(chat, says("milk"))
        with contextlib.closing(sqlite3.connect(set_stage.database, timeout=5)) as other:
            other.execute("BEGIN IMMEDIATE")
            rosa.send(chat, "delete note 2")
            await asyncio.sleep(2)
            other.rollback()
        card = await rosa.wait_for(chat, lambda view: bool(view.buttons))
        await rosa.press(chat, card.id, "Confirm").answered()
        await rosa.wait_for(chat, says("executed"))
        await app.until_idle()

    assert shop.ran == [("delete_note", 2)]
    assert set_stage.rows("SELECT COUNT(*) FROM turns") == [(3,)]
