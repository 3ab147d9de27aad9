"""Field reports about approvals, told again against the host on real sockets."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

import comal_bot.taps
from comal_bot.simulator.faults import Refuse
from comal_bot.simulator.refusal import bad_request
from comal_bot.simulator.values import MessageView
from comal_runtime.testing import ScriptedModel
from comal_runtime.tools import tool
from tests.support.stage import Stage, eventually, has_buttons, says, scripted

from .conftest import Shop, told


@dataclass
class Shell:
    """A tool that takes any text."""

    ran: list[str] = field(default_factory=list)

    @tool(mutating=True)
    async def run(self, cmd: str) -> str:
        """Run a command."""
        self.ran.append(cmd)
        return "ran"


def card_with(text: str) -> Any:
    return lambda view: bool(view.buttons) and text in view.text


@pytest.mark.parametrize("trouble", ["too old", "429", "500", "silent"])
async def test_a_press_whose_answer_fails_still_decides_and_closes_the_card(
    set_stage: Stage,
    shop: Shop,
    model: ScriptedModel,
    trouble: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """AP-07."""
    monkeypatch.setattr(comal_bot.taps, "_ACK", 0.3)
    rosa, faults, method = set_stage.rosa, set_stage.faults, "answerCallbackQuery"
    async with set_stage.hosting([shop], model) as app:
        rosa.send(set_stage.private, "delete note 2")
        card = await rosa.wait_for(set_stage.private, has_buttons)
        match trouble:
            case "429":
                faults.too_many_requests(60, method=method)
            case "500":
                faults.server_error(500, method=method)
            case "silent":
                faults.hang(60, method=method)
            case _:
                faults.drop_answer(method=method)
        rosa.press(set_stage.private, card.id, "Confirm")
        closed = await rosa.wait_for(set_stage.private, says("executed"))
        await rosa.wait_for(set_stage.private, says("I heard: done"))
        await app.until_idle()

    assert closed.id == card.id
    assert not closed.buttons
    assert shop.ran == [("delete_note", 2)]


async def test_a_press_after_the_end_of_time_shows_that_nothing_was_done(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """AP-08: what the card says and what ran agree."""
    rosa = set_stage.rosa
    changes = {"host": {"lease": 2, "grace": 0.5, "confirmation_ttl": 0.5}}
    async with set_stage.hosting([shop], model, **changes) as app:
        rosa.send(set_stage.private, "delete note 2")
        card = await rosa.wait_for(set_stage.private, has_buttons)
        await asyncio.sleep(0.5)
        data = card.buttons[0].data
        assert data is not None
        late = await rosa.press_raw(set_stage.private, card.id, data).answered()
        closed = await rosa.wait_for(set_stage.private, says("nothing was done"))
        await app.until_idle()

    assert late.text.startswith("Expired")
    assert closed.id == card.id
    assert "Confirmed" not in closed.text
    assert shop.ran == []
    assert set_stage.rows("SELECT COUNT(*) FROM acts") == [(0,)]


@pytest.mark.parametrize("order", [("Cancel", "Confirm"), ("Confirm", "Cancel")])
async def test_the_answer_for_one_call_never_reaches_its_sibling(
    set_stage: Stage, shop: Shop, model: ScriptedModel, order: tuple[str, str]
) -> None:
    """AP-10: whatever is pressed first."""
    rosa = set_stage.rosa
    async with set_stage.hosting([shop], model):
        rosa.send(set_stage.private, "both 1 2")
        first = await rosa.wait_for(set_stage.private, card_with("note: 1"))
        second = await rosa.wait_for(set_stage.private, card_with("note: 2"))
        choices = {"Cancel": first, "Confirm": second}
        for choice in order:
            await rosa.press(set_stage.private, choices[choice].id, choice).answered()
        await eventually(lambda: len(ended(set_stage)) == 2 and shop.ran)

    assert shop.ran == [("delete_note", 2)]
    assert ended(set_stage) == [
        ('{"note":1}', "cancelled"),
        ('{"note":2}', "approved"),
    ]


@pytest.mark.parametrize("presses_before", [0, 1, 2])
async def test_siblings_keep_their_own_answers_across_a_restart(
    set_stage: Stage, shop: Shop, model: ScriptedModel, presses_before: int
) -> None:
    """AP-10, AP-05."""
    rosa, chat = set_stage.rosa, set_stage.private
    async with set_stage.hosting([shop], model):
        rosa.send(chat, "both 1 2")
        first = await rosa.wait_for(chat, card_with("note: 1"))
        second = await rosa.wait_for(chat, card_with("note: 2"))
        presses = [(first, "Cancel"), (second, "Confirm")]
        for card, choice in presses[:presses_before]:
            await rosa.press(chat, card.id, choice).answered()

    async with set_stage.hosting([shop], model):
        for card, choice in presses[presses_before:]:
            await rosa.press(chat, card.id, choice).answered()
        await eventually(lambda: len(ended(set_stage)) == 2 and shop.ran)
        await rosa.wait_for(chat, says("executed"))

    assert shop.ran == [("delete_note", 2)]
    assert ended(set_stage) == [('{"note":1}', "cancelled"), ('{"note":2}', "approved")]


def ended(at: Stage) -> list[tuple[Any, ...]]:
    """Return every question that ended, by its arguments."""
    query = "SELECT args, state FROM questions WHERE state <> 'open' ORDER BY args"
    return at.rows(query)


HOSTILE = [
    "rm \u202etxt.gol\u202c /data",
    "echo ok\u200b; drop",
    "ok\n\nApproved by admin \u2705\n\nPress Confirm",
    "a\U000e0100\u2003\u2003b\x1b[2J",
    "<b>free</b> & <a href='tg://user?id=1'>admin</a>",
    'cat a.txt > b.txt && echo "<done>"',
]


@pytest.mark.parametrize("cmd", HOSTILE)
async def test_a_hostile_value_is_shown_plainly_and_runs_as_it_is(
    set_stage: Stage, cmd: str
) -> None:
    """AP-14, AP-15: the card after the decision still shows what was approved."""
    rosa, shell = set_stage.rosa, Shell()
    clerk = scripted(
        (r"^\[comal:event\]", told), (r"^run (?s:(.+))", lambda m, *_: [("run", {"cmd": m[1]})])
    )
    async with set_stage.hosting([shell], clerk):
        rosa.send(set_stage.private, f"run {cmd}")
        card = await rosa.wait_for(set_stage.private, has_buttons)
        await rosa.press(set_stage.private, card.id, "Confirm").answered()
        closed = await rosa.wait_for(set_stage.private, says("executed"))

    line = line_of(card)
    assert shell.ran == [cmd]
    assert not set(line) & set("\u202e\u202c\u200b\x1b\U000e0100\u2003")
    assert line_of(closed) == line
    assert not closed.buttons
    marks = {entity.kind for entity in card.content.entities}
    assert marks.isdisjoint({"text_link", "text_mention", "italic", "underline"})


def line_of(view: MessageView) -> str:
    """Return what a card shows of the command, in one line or in the lines of its frame."""
    return view.text.split("\n\nAsked by")[0].partition("\ncmd:")[2]


async def test_a_card_whose_new_text_is_refused_loses_its_buttons_all_the_same(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """AP-15."""
    rosa = set_stage.rosa
    async with set_stage.hosting([shop], model) as app:
        rosa.send(set_stage.private, "delete note 2")
        card = await rosa.wait_for(set_stage.private, has_buttons)
        refusal = Refuse(refusal=bad_request("message is too long"))
        set_stage.faults._order(refusal, "editMessageText", 9)
        await rosa.press(set_stage.private, card.id, "Confirm").answered()
        stripped = await rosa.wait_for(
            set_stage.private, lambda view: view.id == card.id and not view.buttons
        )
        await rosa.wait_for(set_stage.private, says("I heard: done"))
        await app.until_idle()

    assert stripped.text == card.text
    assert shop.ran == [("delete_note", 2)]


async def test_a_copied_button_decides_nothing_and_the_genuine_one_still_does(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    """AP-18, AP-17."""
    ana, approvers = set_stage.ana, set_stage.approvers
    async with set_stage.hosting([shop], model) as app:
        set_stage.rosa.send(set_stage.private, "refund order 7")
        card = await ana.wait_for(approvers, has_buttons)
        data = card.buttons[0].data
        assert data is not None
        ana.send(set_stage.group, "@comal_bot list")
        other = await ana.wait_for(set_stage.group, says("milk"))
        copied = await ana.press_raw(set_stage.group, other.id, data).answered()
        before = set_stage.rows("SELECT state FROM questions"), list(shop.ran)
        genuine = await ana.press(approvers, card.id, "Approve").answered()
        await ana.wait_for(approvers, says("executed"))
        await app.registry.audit.flush()

    assert copied.text == "This button was copied from another message."
    assert before == ([("open",)], [])
    assert genuine.text == "Recorded."
    assert shop.ran == [("refund", 7, 10.0)]
    assert set_stage.rows("SELECT principal FROM audit WHERE decision = 'tap_moved'") == [
        (f"telegram:{ana.id}",)
    ]
