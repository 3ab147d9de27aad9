"""Running what was approved: as its requester, with the rights they have now, or not at all."""

from pathlib import Path
from typing import Any

import pytest

from comal_bot.doing import Doing, NotStarted
from comal_bot.settings import Settings
from comal_runtime.testing import FakeClock
from comal_runtime.tools import tool

from .rig import Rig, Shop, house_settings, rig
from .wire import ANA, APPROVERS, BRUNO, ROSA, Sent

REFUND = 'call refund {"order": 7}'


class Renamed:
    """A shop whose `refund` describes itself differently, or takes something else."""

    def __init__(self) -> None:
        self.ran: list[Any] = []

    @tool(mutating=True)
    async def refund(self, order: int) -> str:
        """Give money back, and a cake."""
        self.ran.append(order)
        return "refunded"


class Narrowed:
    """A shop whose `refund` now needs a scope that nobody has."""

    @tool(mutating=True, scopes=("money:all",))
    async def refund(self, order: int) -> str:
        """Give money back; other people approve."""
        raise AssertionError("it must not run")


async def ask(folder: Path, words: str, clock: FakeClock, sender: int, card_in: int) -> Sent:
    """Ask on a host that then ends; the card that hangs."""
    async with rig(folder, clock=clock, name="before") as at:
        await at.say(words, sender=sender)
        return at.wire.card(card_in)


async def decide_later(
    folder: Path, card: Sent, clock: FakeClock, voter: int, **changes: Any
) -> Rig:
    """Press on a host that begins anew with other tools or settings; it has ended."""
    async with rig(folder, clock=clock, name="after", **changes) as at:
        at.updates = 900
        at.wire.sent[card.message] = card
        await at.tap(card.data[0], card, sender=voter)
        return at


def void_with(at: Rig, card: Sent, reason: str) -> None:
    """Assert that nothing ran, and that everybody was told why."""
    assert at.hands.failures == []
    assert at.rows("SELECT state FROM acts") == [("void",)]
    assert reason in at.one("SELECT reason FROM acts")
    assert "not executed" in at.wire.sent[card.message].text
    assert reason in at.wire.sent[card.message].text
    assert {one[-1] for one in at.wire.sent[card.message].data} <= {"a"}


async def test_a_right_that_is_gone_when_it_runs_voids_it_with_the_reason(tmp_path: Path) -> None:
    clock = FakeClock()
    card = await ask(tmp_path, "call wipe {}", clock, ROSA, ROSA)
    poorer = house_settings(roles={"desk": {"scopes": []}})

    at = await decide_later(tmp_path, card, clock, ROSA, settings=poorer)

    void_with(at, card, "Missing required scope for tool 'wipe'")
    assert at.shop.ran == []
    assert any("I heard: void" in text for text in at.wire.texts(ROSA))


async def test_a_tool_that_nobody_may_use_by_now_voids_what_was_approved(tmp_path: Path) -> None:
    clock = FakeClock()
    card = await ask(tmp_path, REFUND, clock, BRUNO, APPROVERS)

    at = await decide_later(tmp_path, card, clock, ANA, tools=lambda shop: [Narrowed()])

    void_with(at, card, "Missing required scope for tool 'refund'")


@pytest.mark.failure_mode(5)
async def test_what_others_approved_runs_as_its_requester_without_the_rights_of_who_approved(
    tmp_path: Path,
) -> None:
    asked = {"approvers": ["role:finance"], "cards": [f"main:{APPROVERS}"]}
    routes, clock = [{"tool": "wipe", **asked}], FakeClock()
    scopes = {"desk": {"scopes": ["disk:write"]}, "finance": {"scopes": ["disk:write"]}}
    before = house_settings(routes=routes, roles=scopes)
    poorer = house_settings(routes=routes, roles={**scopes, "desk": {"scopes": []}})
    async with rig(tmp_path, clock=clock, name="before", settings=before) as at:
        await at.say("call wipe {}", sender=ROSA)
        card = at.wire.card(APPROVERS)

    at = await decide_later(tmp_path, card, clock, ANA, settings=poorer)

    void_with(at, card, "Missing required scope for tool 'wipe'")
    assert at.shop.ran == []


CHANGED = [
    (lambda shop: [Renamed()], "the definition of refund changed after this was asked"),
    (lambda shop: [Shop.notes], "refund is there no more"),
]


@pytest.mark.failure_mode(11)
@pytest.mark.parametrize(("tools", "reason"), CHANGED, ids=["changed", "gone"])
async def test_an_answer_to_a_tool_that_is_another_one_or_none_by_now_does_not_count(
    tmp_path: Path, tools: Any, reason: str
) -> None:
    """AP-16, by a card: the definition changed between prompt and press."""
    clock = FakeClock()
    card = await ask(tmp_path, REFUND, clock, BRUNO, APPROVERS)

    at = await decide_later(tmp_path, card, clock, ANA, tools=tools)

    assert at.hands.failures == []
    assert at.wire.answers == ["This is no more what was asked: nothing was done. Ask again."]
    assert at.rows("SELECT state, reason FROM questions") == [("superseded", reason)]
    assert at.rows("SELECT state FROM acts") == []
    assert reason in at.wire.sent[card.message].text
    assert not any(data.endswith((":y", ":n")) for data in at.wire.sent[card.message].data)
    assert any("I heard: superseded" in text for text in at.wire.texts(BRUNO))
    assert at.shop.ran == []


@pytest.mark.failure_mode(11)
async def test_a_tool_that_changed_after_it_was_approved_voids_it(tmp_path: Path) -> None:
    """AP-16, between the approval and its execution."""
    clock = FakeClock()
    async with rig(tmp_path, clock=clock, name="before") as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        at.hands.handlers = {**at.hands.handlers, "execute_act": _later}
        await at.tap(card.data[0], card, sender=ANA)

    renamed = Renamed()
    async with rig(tmp_path, clock=clock, name="after", tools=lambda shop: [renamed]) as at:
        at.wire.sent[card.message] = card
        await Doing(at.house).execute(at.one("SELECT key FROM acts"))
        await at.settle()

        void_with(at, card, "the definition of refund changed after this was asked")
        assert renamed.ran == []


class OneOrder:
    """A shop whose `refund` takes two arguments."""

    @tool(mutating=True)
    async def refund(self, *, order: int, note: str = "") -> str:
        """Give money back; other people approve."""
        raise AssertionError("the other one runs")


class OtherOrder:
    """A shop whose `refund` takes the same two, written down the other way round."""

    def __init__(self) -> None:
        self.ran: list[int] = []

    @tool(mutating=True)
    async def refund(self, *, note: str = "", order: int) -> str:
        """Give money back; other people approve."""
        self.ran.append(order)
        return "refunded"


async def test_the_same_definition_in_another_order_is_approved_and_runs(tmp_path: Path) -> None:
    """AP-16: a permutation of the schema's keys does not trigger."""
    clock, other = FakeClock(), OtherOrder()
    async with rig(tmp_path, clock=clock, name="before", tools=lambda _: [OneOrder()]) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

    at = await decide_later(tmp_path, card, clock, ANA, tools=lambda _: [other])

    assert at.rows("SELECT state FROM acts") == [("done",)]
    assert other.ran == [7]


def routed(*approvers: str) -> Settings:
    return house_settings(
        routes=[{"tool": "refund", "approvers": list(approvers), "cards": [f"main:{APPROVERS}"]}]
    )


async def test_the_route_counts_as_it_was_when_the_question_was_asked(tmp_path: Path) -> None:
    clock = FakeClock()
    card = await ask(tmp_path, REFUND, clock, BRUNO, APPROVERS)

    at = await decide_later(tmp_path, card, clock, ROSA, settings=routed(f"telegram:{ROSA}"))

    assert at.wire.answers == ["This card is not yours to answer."]
    assert at.rows("SELECT state FROM questions") == [("open",)]


@pytest.mark.failure_mode(13)
async def test_an_approval_of_a_route_that_decides_otherwise_by_now_does_not_count(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    card = await ask(tmp_path, REFUND, clock, BRUNO, APPROVERS)

    at = await decide_later(tmp_path, card, clock, ANA, settings=routed(f"telegram:{ROSA}"))

    assert at.wire.answers == ["This is no more what was asked: nothing was done. Ask again."]
    assert "decides otherwise now" in at.one("SELECT reason FROM questions")
    assert at.shop.ran == []


@pytest.mark.failure_mode(13)
async def test_an_approver_who_may_no_more_when_it_runs_voids_it(tmp_path: Path) -> None:
    clock = FakeClock()
    async with rig(tmp_path, clock=clock, name="before") as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        at.hands.handlers = {**at.hands.handlers, "execute_act": _later}
        await at.tap(card.data[0], card, sender=ANA)

    former = [{"name": "Ana", "identities": [f"telegram:{ANA}"]}]
    struck_off = house_settings(people=former)
    async with rig(tmp_path, clock=clock, name="after", settings=struck_off) as at:
        at.wire.sent[card.message] = card
        await Doing(at.house).execute(at.one("SELECT key FROM acts"))
        await at.settle()

    void_with(at, card, "may not approve it any more")
    assert at.shop.ran == []


async def test_it_runs_as_its_requester_and_once_however_often_the_job_comes(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[0], card, sender=ANA)
        await Doing(at.house).execute(at.one("SELECT key FROM acts"))
        await Doing(at.house).execute("unheard-of")
        await at.settle()

        assert at.shop.ran == [7]
        assert at.rows("SELECT principal, state FROM acts") == [(f"telegram:{BRUNO}", "done")]


async def test_an_act_that_could_not_be_claimed_is_tried_again(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        full = "WHEN NEW.state = 'started' BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        at.write(f"CREATE TRIGGER full BEFORE UPDATE ON acts {full}")
        await at.tap(card.data[0], card, sender=ANA)
        failures = [type(error) for error in at.hands.failures]
        at.write("DROP TRIGGER full")
        await Doing(at.house).execute(at.one("SELECT key FROM acts"))

        assert failures == [NotStarted]
        assert at.shop.ran == [7]


async def test_an_approved_act_that_waited_too_long_is_void(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        handler = at.hands.handlers["execute_act"]
        at.hands.handlers = {**at.hands.handlers, "execute_act": _later}
        await at.tap(card.data[0], card, sender=ANA)
        at.clock.advance(3601)
        await at.house.registry.sweep()
        await handler(at.one("SELECT key FROM acts"))
        await at.settle()

        void_with(at, card, "it waited too long")
        assert at.shop.ran == []


async def _later(key: str) -> None:
    """Leave a job undone."""
