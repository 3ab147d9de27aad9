"""Taps: who pressed what, where; only the right person's right button decides, and only once."""

import time
from pathlib import Path

import pytest

import comal_bot.taps
from comal_bot.answers.counting import NotCounted
from comal_bot.channels.channel import Ack, Denied, Retry
from comal_bot.inbox import Intake
from comal_bot.taps import Taps

from .rig import Rig, house_settings, rig
from .wire import ANA, ANDRES, APPROVERS, BRUNO, GROUP, ROSA, tapped

DELETE = 'call delete_note {"note": 2}'
REFUND = 'call refund {"order": 7}'
LONG = 'call save {"text": "' + "word " * 2000 + '"}'


def state(at: Rig) -> str:
    return str(at.one("SELECT state FROM questions"))


def decisions(at: Rig) -> list[str]:
    return [row[0] for row in at.rows("SELECT decision FROM audit ORDER BY seq")]


@pytest.mark.parametrize(
    "data",
    [
        "",
        "yes",
        "q1:AAAAAAAAAAAAAAAAAAAAAA:y",
        "q1:short:y",
        "q1:{card}:x",
        "q1:{card}:yy",
        " q1:{card}:y",
        "q1:{card}:y\n",
        "Q1:{card}:y",
        "q2:{card}:y",
        "q1:{question}:y",
    ],
)
async def test_data_that_no_card_of_ours_carries_decides_nothing(tmp_path: Path, data: str) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        ids = {"card": card.data[0][3:25], "question": at.one("SELECT id FROM questions")}

        assert await at.tap(data.format(**ids), card) == "Unknown button."
        assert state(at) == "open"
        assert at.shop.ran == []


async def test_a_button_copied_to_another_chat_or_message_is_refused_and_audited(
    tmp_path: Path,
) -> None:
    """AP-18: the genuine press afterwards works."""
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        elsewhere = await at.tap(card.data[0], card, sender=ANA, chat=GROUP)
        copied = await at.tap(card.data[0], "4711", sender=ANA, chat=APPROVERS)
        before = state(at), list(at.shop.ran)
        await at.house.registry.audit.flush()
        genuine = await at.tap(card.data[0], card, sender=ANA)

        assert elsewhere == copied == "This button was copied from another message."
        assert before == ("open", [])
        assert decisions(at).count("tap_moved") == 2
        assert genuine == "Recorded."
        assert at.shop.ran == [7]


@pytest.mark.parametrize(
    ("sender", "told"),
    [
        (BRUNO, "You asked for this yourself; somebody else must decide."),
        (ROSA, "This card is not yours to answer."),
        (ANA, "Recorded."),
        (ANDRES, "Recorded."),
    ],
)
async def test_only_who_is_on_the_route_decides_about_anothers_call(
    tmp_path: Path, sender: int, told: str
) -> None:
    """AP-17."""
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

        assert await at.tap(card.data[0], card, sender=sender) == told
        assert at.shop.ran == ([7] if told == "Recorded." else [])


async def test_an_identity_linked_to_the_requester_cannot_approve(tmp_path: Path) -> None:
    """AP-17: the same person by another account."""
    people = [
        {"name": "Bruno", "identities": [f"telegram:{BRUNO}", f"telegram:{ANA}"], "roles": ["f"]}
    ]
    route = {"tool": "refund", "approvers": ["role:f"], "cards": [f"main:{APPROVERS}"]}
    settings = house_settings(people=people, routes=[route], roles={})

    async with rig(tmp_path, settings=settings) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

        assert "You asked for this yourself" in await at.tap(card.data[0], card, sender=ANA)
        assert at.shop.ran == []


async def test_an_approver_who_was_struck_off_before_the_press_is_refused(tmp_path: Path) -> None:
    """AP-17."""
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)

    former = house_settings(people=[{"name": "Ana", "identities": [f"telegram:{ANA}"]}])
    former = former.model_copy(update={"routes": ()})
    async with rig(tmp_path, settings=former, name="second") as again:
        told = await again.tap(card.data[0], card, sender=ANA)

        assert told == "This card is not yours to answer."
        assert state(again) == "open"


@pytest.mark.failure_mode(25)
async def test_a_second_press_is_told_how_it_was_decided(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        told = [await at.tap(card.data[choice], card) for choice in (0, 0, 1)]

        late = "Already decided: ✅ Confirmed by Rosa, "
        assert told[0] == "Recorded."
        assert all(one.startswith(late) and one.endswith("· executed") for one in told[1:])
        assert at.shop.ran == [2]


@pytest.mark.parametrize(("late", "told"), [(-0.001, "Recorded."), (0.0, "Expired")])
async def test_a_press_and_the_end_of_time_agree_on_who_was_first(
    tmp_path: Path, late: float, told: str
) -> None:
    """AP-08: at the limit the card and the execution say the same."""
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        at.clock.advance(600 + late)

        answer = await at.tap(card.data[0], card)
        await at.house.registry.sweep()
        await at.settle()

        assert answer.startswith(told)
        assert at.shop.ran == ([2] if told == "Recorded." else [])
        shown = at.wire.sent[card.message]
        assert [one[-1] for one in shown.data] == ([] if told == "Recorded." else ["a"])
        assert ("executed" in shown.text) is (told == "Recorded.")
        assert ("nothing was done" in shown.text) is (told != "Recorded.")


@pytest.mark.failure_mode(26)
@pytest.mark.parametrize("trouble", [Denied("query is too old"), Retry("429", after=30)])
async def test_a_press_whose_answer_fails_is_a_decision_all_the_same(
    tmp_path: Path, trouble: Exception
) -> None:
    """AP-07."""
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        at.wire.signal_trouble = trouble  # type: ignore[assignment]
        await at.tap(card.data[0], card)

        assert at.shop.ran == [2]
        assert "executed" in at.wire.sent[card.message].text
        assert at.one("SELECT COUNT(*) FROM inbox WHERE state = 'new'") == 0


async def test_an_answer_that_hangs_does_not_hold_the_persons_next_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AP-07: the time a tap takes is bounded."""
    monkeypatch.setattr(comal_bot.taps, "_ACK", 0.05)
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        at.wire.signal_delay = 60
        began = time.monotonic()
        await at.tap(card.data[0], card)

        assert time.monotonic() - began < 5
        assert at.shop.ran == [2]


async def test_a_press_that_could_not_be_stored_is_tried_again_and_not_refused(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        press = tapped(900, card.data[0], ANA, APPROVERS, card.message)
        inbound = at.wire.parse(press)[0]
        assert inbound.tap is not None
        taps = Taps(at.house, at.cards)
        full = "BEFORE INSERT ON votes BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        at.write(f"CREATE TRIGGER full {full}")
        with pytest.raises(NotCounted):
            await taps.handle(inbound, inbound.tap)
        refused = list(at.wire.answers), state(at)
        at.write("DROP TRIGGER full")
        await taps.handle(inbound, inbound.tap)
        await at.settle()

        assert refused == ([], "open")
        assert at.wire.answers == ["Recorded."]
        assert at.shop.ran == [7]


async def test_nobody_is_refused_when_no_person_can_be_named(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("@comal_bot " + DELETE, chat=GROUP)
        card = at.wire.card(GROUP)
        at.updates += 1
        press = tapped(at.updates, card.data[0], 1087968824, GROUP, card.message)
        await at.hear(press)

        assert at.wire.answers == ["I cannot tell who you are here."]
        assert state(at) == "open"


async def test_a_tap_taken_in_twice_counts_once(tmp_path: Path) -> None:
    """TD-01."""
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()
        press = tapped(900, card.data[0], ROSA, ROSA, card.message)
        await Intake(at.record, at.clock, at.wire)([press, press])
        at.write("INSERT INTO jobs (lane, kind, key, run_at) SELECT lane, kind, key, 0 FROM jobs")
        await at.settle()

        assert at.wire.answers == ["Recorded."]
        assert at.shop.ran == [2]


async def test_answers_to_taps_are_alerts_unless_the_tap_was_counted(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("@comal_bot " + DELETE, chat=GROUP)
        card = at.wire.card(GROUP)
        await at.tap(card.data[0], card, sender=BRUNO)
        await at.tap(card.data[0], card)

        assert [ack.alert for ack in at.wire.signals if isinstance(ack, Ack)] == [True, False]


async def test_every_answer_leaves_a_record_of_who_gave_it(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("@comal_bot " + DELETE, chat=GROUP)
        card = at.wire.card(GROUP)
        await at.tap(card.data[0], card, sender=BRUNO)
        await at.tap(card.data[0], card)
        await at.house.registry.audit.flush()
        kept = at.rows(
            "SELECT principal, decision FROM audit WHERE tool = 'answer_question' ORDER BY seq"
        )

        assert kept == [
            (f"telegram:{BRUNO}", "tap_not_entitled"),
            (f"telegram:{ROSA}", "tap_approved"),
        ]
