"""Several people decide: every yes is counted on the cards, and nobody's counts twice."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from comal_bot.settings import HostSettings
from comal_runtime.consent.verification import VerificationRequest, evidence_rule
from comal_runtime.events import EventDispatcher

from .rig import Rig, Shop, house_settings, rig
from .wire import ANA, ANDRES, APPROVERS, BRUNO, ROSA, tapped

REFUND = 'call refund {"order": 7}'
VERIFY = 'call request_verification {"subject": "the till"}'


def under(**policy: object) -> Any:
    fields = {
        "tool": "refund",
        "approvers": [f"telegram:{who}" for who in (ANA, ANDRES, ROSA)],
        "cards": [f"main:{APPROVERS}"],
    }
    return house_settings(routes=[{**fields, **policy}])


def events(at: Rig) -> list[Any]:
    heard: list[Any] = []
    dispatcher = at.house.registry.dispatcher
    assert dispatcher is not None
    dispatcher.subscribe("verification.*", heard.append)
    return heard


def state(at: Rig) -> str:
    return str(at.one("SELECT state FROM questions ORDER BY created_at DESC LIMIT 1"))


@pytest.mark.runtime_line(46)
async def test_each_yes_is_told_and_shown_until_enough_have_said_it(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(policy="quorum", k=2)) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        assert "0 of 2 approvals" in card.text

        first = await at.tap(card.data[0], card, sender=ANA)

        assert first == "Recorded: 1 of 2 approvals."
        assert "1 of 2 approvals" in at.wire.card(APPROVERS).text
        assert "1 of 2 approvals" in at.wire.sent[_asked(at)].text
        assert at.wire.card(APPROVERS).data == card.data
        assert (state(at), at.shop.ran) == ("open", [])
        second = await at.tap(card.data[0], card, sender=ANDRES)
        assert second == "Recorded."
        assert "Approved by Ana, Andrés" in at.wire.texts(APPROVERS)[0]
        assert at.shop.ran == [7]


async def test_the_count_is_told_in_the_language_of_the_house(tmp_path: Path) -> None:
    spanish = under(policy="dual").model_copy(update={"host": HostSettings(language="es")})
    async with rig(tmp_path, settings=spanish) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

        told = await at.tap(card.data[0], card, sender=ANA)

        assert told == "Registrado: 1 de 2 aprobaciones."
        assert "1 de 2 aprobaciones" in at.wire.card(APPROVERS).text


def _asked(at: Rig) -> str:
    """Return the message that tells the requester that others are asked."""
    return next(one.message for one in at.wire.sent.values() if "Waiting for an" in one.text)


@pytest.mark.runtime_line(46)
async def test_a_second_yes_of_one_person_is_told_and_not_counted(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(policy="dual")) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[0], card, sender=ANA)

        told = [await at.tap(choice, card, sender=ANA) for choice in card.data]

        assert told == ["You have answered already."] * 3
        assert (state(at), at.shop.ran) == ("open", [])


async def test_a_no_below_the_threshold_is_told_and_ends_nothing(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(policy="single", reject_threshold=2)) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

        told = await at.tap(card.data[1], card, sender=ANA)

        assert told == "Recorded: your no; 0 of 1 approvals."
        assert state(at) == "open"


@pytest.mark.runtime_line(39)
async def test_listeners_hear_each_step_once_and_after_it_is_stored(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(policy="dual")) as at:
        heard, stood = events(at), list[tuple[str, str]]()
        dispatcher = at.house.registry.dispatcher
        assert dispatcher is not None
        dispatcher.subscribe("verification.*", lambda one: stood.append((one.name, state(at))))
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

        for who in (ANA, ANA, ANDRES, ROSA):
            await at.tap(card.data[0], card, sender=who)

        assert stood == [
            ("verification.requested", "open"),
            ("verification.voted", "open"),
            ("verification.granted", "approved"),
        ]
        assert {event.get_request().tool for event in heard} == {"refund"}
        assert heard[1].get_result().approvals == 1


async def test_a_card_of_several_messages_still_decides_after_a_vote(tmp_path: Path) -> None:
    settings = under(policy="dual", tool="save")
    async with rig(tmp_path, settings=settings) as at:
        await at.say('call save {"text": "' + "word " * 2000 + '"}', sender=BRUNO)
        part = at.wire.card(APPROVERS)
        await at.tap(part.data[0], part, sender=ANA)
        whole = at.wire.card(APPROVERS)

        first = await at.tap(whole.data[0], whole, sender=ANA)
        second = await at.tap(whole.data[0], whole, sender=ANDRES)

        assert (first, second) == ("Recorded: 1 of 2 approvals.", "Recorded.")
        assert len(at.shop.ran) == 1


@pytest.mark.runtime_line(41, 42)
@pytest.mark.original_fault("VF:telegram-resolve-four-calls")
async def test_on_telegram_asking_confirms_once_and_an_approvers_press_is_the_rest(
    tmp_path: Path,
) -> None:
    settings = under(tool="request_verification", approvers=[f"telegram:{ANA}"])
    async with rig(tmp_path, settings=settings) as at:
        heard = events(at)
        await at.say(VERIFY, sender=BRUNO)
        confirm = at.wire.card(BRUNO)
        await at.tap(confirm.data[0], confirm, sender=BRUNO)
        card = at.wire.card(APPROVERS)

        told = await at.tap(card.data[0], card, sender=ANA)

        assert told == "Recorded."
        assert "the till" in card.text
        assert [event.name.partition(".")[2] for event in heard] == ["requested", "granted"]
        assert heard[1].get_request().subject == "the till"
        assert at.wire.texts(BRUNO)[-1].startswith("I heard: approved")
        await at.house.registry.audit.flush()
        asked = at.rows("SELECT tool FROM audit WHERE tool LIKE '%_verification' ORDER BY seq")
        assert [tool for (tool,) in asked].count("resolve_verification") == 1


@pytest.mark.runtime_line(46)
async def test_a_bot_that_presses_is_not_counted(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(policy="single")) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        press = tapped(900, card.data[0], ANA, APPROVERS, card.message)
        press["callback_query"]["from"]["is_bot"] = True

        await at.hear(press)

        assert at.wire.answers[-1:] != ["Recorded."]
        assert (state(at), at.shop.ran) == ("open", [])


class TestARuleInAModuleOfTools:
    """`@evidence_rule` marks it; a route of policy `auto` names it."""

    @staticmethod
    def module(most: int) -> ModuleType:
        tools = ModuleType("rules_of_the_shop")

        @evidence_rule("small")
        def small(request: VerificationRequest) -> bool:
            return bool(request.arguments["order"] <= most)

        tools.small = small  # type: ignore[attr-defined]  # a made-up module
        return tools

    @pytest.mark.runtime_line(46)
    @pytest.mark.parametrize(("most", "ran"), [(10, [7]), (5, [])])
    async def test_lets_a_call_run_at_once_or_refuses_it_and_asks_nobody(
        self, tmp_path: Path, most: int, ran: list[int]
    ) -> None:
        settings = house_settings(routes=[{"tool": "refund", "policy": "auto", "rule": "small"}])

        def tools(shop: Shop) -> list[object]:
            return [shop, self.module(most)]

        async with rig(tmp_path, settings=settings, tools=tools) as at:
            await at.say(REFUND, sender=BRUNO)

            assert at.shop.ran == ran
            assert [one for one in at.wire.sent.values() if one.data] == []
            assert [text for text in at.wire.texts(BRUNO) if "I heard" in text] == []


async def test_a_module_of_tools_may_subscribe_listeners(tmp_path: Path) -> None:
    heard: list[str] = []

    def register_listeners(dispatcher: EventDispatcher) -> None:
        dispatcher.subscribe("tool.*", lambda event: heard.append(event.name))

    module = ModuleType("listening")
    module.register_listeners = register_listeners  # type: ignore[attr-defined]
    async with rig(tmp_path, tools=lambda shop: [shop, module]) as at:
        await at.say("call notes {}")

    assert heard == ["tool.executing", "tool.executed"]
