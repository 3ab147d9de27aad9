"""Conversations: what people write becomes one answer, whatever goes wrong on the way."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from comal_bot.channels.channel import Denied, Typing
from comal_bot.inbox import Intake
from comal_runtime.llm import AssistantMessage, Message, ToolCallRequest, ToolSummary
from comal_runtime.llm.errors import Fault, LlmUnavailable
from comal_runtime.testing import ScriptedModel
from tests.support.stage import scripted

from .rig import Rig, house_settings, rig, rules
from .wire import BRUNO, GROUP, ROSA, written


class Unsteady(ScriptedModel):
    """A model that is down for its first questions."""

    def __init__(self, failures: int) -> None:
        super().__init__(default="I am back")
        self.failures = failures

    async def generate_response(
        self,
        prompt: str,
        tools: Sequence[ToolSummary] = (),
        messages: Sequence[Message] = (),
        max_tokens: int = 4096,
    ) -> AssistantMessage:
        if self.failures:
            self.failures -= 1
            raise LlmUnavailable("no route to the model's host", Fault(provider="openai"))
        return await super().generate_response(prompt, tools, messages, max_tokens)


class Slow(ScriptedModel):
    """A model that calls `notes` again and again, and thinks until it is let."""

    def __init__(self) -> None:
        super().__init__([], conclude=lambda answered: [("notes", {})])
        self.thinking = asyncio.Event()
        self.go_on = asyncio.Event()

    async def generate_response(
        self,
        prompt: str,
        tools: Sequence[ToolSummary] = (),
        messages: Sequence[Message] = (),
        max_tokens: int = 4096,
    ) -> AssistantMessage:
        self.thinking.set()
        await self.go_on.wait()
        call = ToolCallRequest(id=f"c{len(messages)}", name="notes", arguments="{}")
        return AssistantMessage(tool_calls=(call,))


async def said(at: Rig, words: str, sender: int = ROSA) -> str:
    await at.say(words, sender=sender)
    return at.wire.texts(sender)[-1]


async def test_whoami_tells_principal_and_roles(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        assert await said(at, "/whoami") == f"You are Rosa (telegram:{ROSA}). Roles: desk."
        assert await said(at, "/whoami", BRUNO) == f"You are telegram:{BRUNO}. Roles: none."


async def test_commands_are_answered_by_the_host_and_cost_no_model(tmp_path: Path) -> None:
    model = rules()
    async with rig(tmp_path, model=model) as at:
        assert "/whoami tells who you are here" in await said(at, "/help")
        assert "/help lists the commands" in await said(at, "/start")
        assert await said(at, "/dance now") == "I do not know /dance. /help lists what I know."
        assert await said(at, "/stop") == "Nothing is running."
        assert model.requests == []
        assert at.one("SELECT COUNT(*) FROM turns") == 0


async def test_host_texts_are_in_the_hosts_language(tmp_path: Path) -> None:
    settings = house_settings(host={"language": "es"})
    async with rig(tmp_path, settings=settings, model=Unsteady(1)) as at:
        assert await said(at, "/whoami", BRUNO) == f"Eres telegram:{BRUNO}. Roles: ninguno."
        assert await said(at, "/baila") == "No conozco /baila. /help muestra lo que sé."
        assert await said(at, "/stop") == "No hay nada en curso."
        assert "No se ha perdido nada" in await said(at, "hola")
        assert "lo que sé" in await said(at, "/dance")


async def test_cards_and_answers_to_taps_are_in_the_hosts_language(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=house_settings(host={"language": "es"})) as at:
        await at.say('call delete_note {"note": 2}')
        card = at.wire.card()
        labels = [b["text"] for row in card.body["reply_markup"]["inline_keyboard"] for b in row]

        assert labels == ["Confirmar", "Cancelar"]
        assert await at.tap(card.data[0], card) == "Registrado."
        assert "Confirmado por Rosa" in at.wire.sent[card.message].text


async def test_a_message_too_long_to_read_is_kept_and_answered_with_both_lengths(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.hear(written(1, "x" * 2_000_000), written(2, "say still here"))

        assert at.wire.texts(ROSA) == [
            "That message has 2000000 characters; I read 16000. Send it in parts.",
            "still here",
        ]
        assert at.one("SELECT MAX(LENGTH(raw)) FROM inbox") > 2_000_000
        assert at.one("SELECT COUNT(*) FROM turns") == 1


@pytest.mark.parametrize(("length", "asked"), [(16_000, 1), (16_001, 0)])
async def test_the_longest_message_that_is_read_is_read(
    tmp_path: Path, length: int, asked: int
) -> None:
    model = rules()
    async with rig(tmp_path, model=model) as at:
        await at.say("x" * length)

        assert len(model.requests) == asked


async def test_in_a_group_the_model_reads_who_spoke(tmp_path: Path) -> None:
    model = rules()
    async with rig(tmp_path, model=model) as at:
        await at.say("@comal_bot hello", chat=GROUP)
        await at.say("hello")

        assert [asked.messages[-1].content for asked in model.requests] == ["Rosa: hello", "hello"]


async def test_one_update_is_answered_once_although_its_job_comes_twice(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        for update in (written(1, "say hello"), written(2, "/help")):
            await Intake(at.record, at.clock, at.wire)([update])
        at.write("INSERT INTO jobs (lane, kind, key, run_at) SELECT lane, kind, key, 0 FROM jobs")
        await at.settle()
        at.write("UPDATE inbox SET state = 'new'")
        at.write(
            "INSERT INTO jobs (lane, kind, key, run_at) SELECT 'x', 'message', id, 0 FROM inbox"
        )
        await at.settle()

        texts = at.wire.texts(ROSA)
        assert len(texts) == 2
        assert texts[0] == "hello"


async def test_a_model_that_is_down_is_told_and_the_next_message_works(tmp_path: Path) -> None:
    async with rig(tmp_path, model=Unsteady(1)) as at:
        first = await said(at, "hello")
        second = await said(at, "hello again")

        assert "cannot be reached now. Nothing is lost; try again" in first
        assert second == "I am back"
        assert at.hands.failures == []


@pytest.mark.parametrize("empty", ["", "   \n\t ", "\u200b", "```\n```", "<!-- nothing -->"])
async def test_an_answer_with_nothing_to_show_is_still_an_answer(
    tmp_path: Path, empty: str
) -> None:
    async with rig(
        tmp_path, model=scripted(("x", lambda *_: AssistantMessage(content=empty)))
    ) as at:
        await at.say("x")

        assert len(at.wire.texts(ROSA)) == 1
        assert at.wire.texts(ROSA)[0].strip()


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("delete_note", '{"note": ', "not a JSON object"),
        ("delete_note", "[2]", "not a JSON object"),
        ("delete_note", '{"note": "two"}', "note"),
        ("delete_note", "{}", "note"),
        ("delete_notes", '{"note": 2}', "Tool not found: delete_notes"),
        ("", "{}", "Tool not found"),
        ("resolve_verification", '{"request_id": "x"}', "decision"),
    ],
)
async def test_a_call_that_makes_no_sense_runs_nothing_and_is_told_to_the_model(
    tmp_path: Path, name: str, arguments: str, told: str
) -> None:
    call = ToolCallRequest(id="c1", name=name, arguments=arguments)
    model = scripted(("go", lambda *_: AssistantMessage(tool_calls=(call,))))
    async with rig(tmp_path, model=model) as at:
        await at.say("go")

        assert len(at.wire.texts(ROSA)) == 1
        assert told in at.wire.texts(ROSA)[0]
        assert at.shop.ran == []
        assert at.one("SELECT COUNT(*) FROM questions") == 0


async def test_stop_ends_a_turn_between_two_steps_and_is_answered_at_once(tmp_path: Path) -> None:
    """AP-06."""
    model = Slow()
    async with rig(tmp_path, model=model) as at:
        intake = Intake(at.record, at.clock, at.wire)
        await intake([written(1, "go")])
        working = asyncio.create_task(at.hands.work())
        await model.thinking.wait()
        stop = at.wire.parse(written(2, "/stop"))[0]
        await at.host._conversations.stop(2, stop)
        async with asyncio.timeout(5):
            while not at.wire.texts(ROSA):
                await asyncio.sleep(0.001)
        answered = at.wire.texts(ROSA)
        model.go_on.set()
        await working
        await at.settle()

        assert answered == ["Stopped. What had already started may still finish."]
        assert at.wire.texts(ROSA) == answered
        assert at.rows("SELECT state, reason FROM turns") == [("ended", "interrupted")]


async def test_a_turn_shows_that_it_is_being_made_and_needs_not(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("say hello")
        shown = [signal for signal in at.wire.signals if isinstance(signal, Typing)]
        at.wire.signal_trouble = Denied("no rights to send")
        await at.say("say hello again")

        assert shown
        assert at.wire.texts(ROSA) == ["hello", "hello again"]


async def test_what_the_model_writes_becomes_text_and_never_a_button(tmp_path: Path) -> None:
    prose = "**Press** [Confirm](tg://user?id=1) `q1:AAAAAAAAAAAAAAAAAAAAAA:y` <b>now</b>"
    model = scripted(("x", lambda *_: prose))
    async with rig(tmp_path, model=model) as at:
        await at.say("x")

        (sent,) = at.wire.sent.values()
        assert sent.data == []
        assert "<b>now</b>" in sent.text
        assert "**" not in sent.text


async def test_a_long_answer_arrives_whole_in_order(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(3000)]
    model = scripted(("x", lambda *_: " ".join(words)))
    async with rig(tmp_path, model=model) as at:
        await at.say("x")

        assert len(at.wire.texts(ROSA)) > 3
        assert " ".join(at.wire.texts(ROSA)).split() == words


async def test_the_name_somebody_goes_by_is_kept_for_cards(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("/help", sender=BRUNO)

        assert at.rows("SELECT principal, name FROM people") == [(f"telegram:{BRUNO}", "Bruno")]
