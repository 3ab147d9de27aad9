"""Unknown acts whose service is asked: when, how often, and what its word makes of them."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from comal_bot.reconciling import Reconciling
from comal_runtime.consent.settling import PAUSES
from comal_runtime.context import ToolContext
from comal_runtime.result import ToolResult

from .bank import Bank, at_bank, audited, states, unknown
from .rig import Rig
from .wire import ROSA


@pytest.fixture
def bank() -> Iterator[Bank]:
    made = Bank()
    yield made
    made.hold.set()


async def asked_about(at: Rig, wait: float) -> None:
    """Let time pass and the host look for what to ask about."""
    at.clock.advance(wait)
    await Reconciling(at.house).look()
    await at.settle()


@pytest.mark.parametrize(
    ("says", "state", "card_says"),
    [
        (True, "settled_done", "done (confirmed by the service)"),
        (ToolResult.success({"id": 9}), "settled_done", "done (confirmed by the service)"),
        (False, "settled_not_done", "not done (says the service)"),
    ],
)
async def test_the_service_settles_what_is_unknown_once_its_time_is_over(
    tmp_path: Path, bank: Bank, says: Any, state: str, card_says: str
) -> None:
    bank.says = [says]
    async with at_bank(tmp_path, bank) as at:
        card = await unknown(at)
        await asked_about(at, 1)
        too_soon = list(bank.asked)
        await asked_about(at, 60)
        await asked_about(at, 60)
        await at.house.registry.audit.flush()

        assert too_soon == []
        assert bank.asked == bank.keys
        assert states(at) == [state]
        assert card_says in at.wire.sent[card.message].text
        assert at.wire.sent[card.message].data == []
        assert any(f"I heard: {state}" in text for text in at.wire.texts(ROSA))
        assert audited(at) == [(f"act_{state}", None)]
        kept = json.loads(at.one("SELECT result FROM acts"))
        assert kept["data"] == (says.data if isinstance(says, ToolResult) else None)


async def test_a_service_that_fails_or_knows_nothing_is_asked_less_and_less_and_then_no_more(
    tmp_path: Path, bank: Bank
) -> None:
    bank.says = [ConnectionError("down"), None, "perhaps", None, None, True]
    async with at_bank(tmp_path, bank) as at:
        await unknown(at)
        counts = []
        for wait in (60.0, *PAUSES, 1e6):
            await asked_about(at, wait + 1)
            counts.append(len(bank.asked))

        assert counts == [1, 2, 3, 4, 5, 5]
        assert states(at) == ["unknown"]
        assert at.hands.failures == []


async def test_an_unknown_act_that_nobody_was_asked_about_is_said_in_its_conversation(
    tmp_path: Path, bank: Bank
) -> None:
    async with at_bank(tmp_path, bank) as at:
        conversation = await _conversation(at)
        ctx = ToolContext(principal=f"telegram:{ROSA}", channel="cli", conversation=conversation)
        with contextlib.suppress(ConnectionError):
            await at.house.registry.call("pay", {"amount": 1}, ctx)
        await at.settle()

        assert states(at) == ["unknown"]
        assert any("Whether pay was done is not known" in one for one in at.wire.texts(ROSA))


async def _conversation(at: Rig) -> str:
    await at.say("say hello")
    return str(at.one("SELECT id FROM conversations"))
