"""Escalation and stages: new cards hang when their time comes, and every earlier one stays."""

from pathlib import Path
from typing import Any

import pytest

from .rig import house_settings, rig
from .test_reminding import sweep
from .wire import ANA, ANDRES, APPROVERS, BRUNO, GROUP

REFUND = 'call refund {"order": 7}'
BOSSES = -2009


def under(**route: Any) -> Any:
    fields = {
        "tool": "refund",
        "approvers": [f"telegram:{ANA}"],
        "cards": [f"main:{APPROVERS}"],
        "escalate": {
            "after": "1h",
            "approvers": [f"telegram:{ANDRES}"],
            "cards": [f"main:{BOSSES}"],
        },
    }
    return house_settings(routes=[{**fields, **route}])


async def test_after_a_while_others_get_a_card_the_first_ones_stay_and_the_requester_hears(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        first = at.wire.card(APPROVERS)
        early = await at.tap(first.data[0], first, sender=ANDRES)
        await sweep(at, 3600)
        await sweep(at, 60)
        new = at.wire.card(BOSSES)
        decided = await at.tap(new.data[0], new, sender=ANDRES)
        await at.house.registry.audit.flush()

        told = [text for text in at.wire.texts(BRUNO) if "others are asked as well" in text]
        assert early == "This card is not yours to answer."
        assert len(told) == 1
        assert decided == "Recorded."
        assert at.shop.ran == [7]
        assert [at.wire.sent[one.message].data for one in (first, new)] == [[], []]
        assert len(at.wire.texts(BOSSES)) == 1
        assert at.one("SELECT COUNT(*) FROM audit WHERE decision = 'escalated'") == 1


async def test_those_who_were_asked_first_may_still_decide_on_their_own_card(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        first = at.wire.card(APPROVERS)
        await sweep(at, 3600)
        decided = await at.tap(first.data[0], first, sender=ANA)

        assert decided == "Recorded."
        assert at.shop.ran == [7]
        assert "executed" in at.wire.texts(BOSSES)[0]


async def test_both_alarms_at_once_escalate_and_remind_nobody(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(remind="30m")) as at:
        await at.say(REFUND, sender=BRUNO)
        await sweep(at, 2 * 3600)
        await sweep(at, 3600)

        assert at.wire.card(BOSSES).data
        assert not any("⏰" in sent.text for sent in at.wire.sent.values())


@pytest.mark.failure_mode(24)
async def test_an_escalation_whose_job_was_lost_on_the_way_still_happens_once(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        clock = at.clock
        at.clock.advance(3600)
        await at.house.registry.sweep()

    async with rig(tmp_path, settings=under(), clock=clock, name="second") as again:
        await sweep(again)
        await sweep(again, 5)

        assert len(again.wire.texts(BOSSES)) == 1


STAGES = [
    {"name": "desk", "approvers": [f"telegram:{ANA}"], "cards": [f"main:{APPROVERS}"]},
    {"name": "safe", "stage": 2, "approvers": [f"telegram:{ANDRES}"], "cards": [f"main:{GROUP}"]},
]


async def test_the_card_of_a_stage_hangs_when_it_begins_and_not_before(tmp_path: Path) -> None:
    staged = under(approvers=[], cards=[], groups=STAGES, escalate=None)
    async with rig(tmp_path, settings=staged) as at:
        await at.say(REFUND, sender=BRUNO)
        first = at.wire.card(APPROVERS)
        before = at.wire.texts(GROUP)
        too_early = await at.tap(first.data[0], first, sender=ANDRES)
        await at.tap(first.data[0], first, sender=ANA)
        second = at.wire.card(GROUP)
        await at.tap(second.data[0], second, sender=ANDRES)

        assert before == []
        assert too_early.startswith("Others must decide first")
        assert at.shop.ran == [7]
        assert [len(at.wire.texts(chat)) for chat in (APPROVERS, GROUP)] == [1, 1]
        assert all("executed" in at.wire.texts(chat)[0] for chat in (APPROVERS, GROUP))
