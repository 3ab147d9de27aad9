"""A step in which one call waits for people: what ran before it never runs again."""

from pathlib import Path
from typing import Any

import pytest

from comal_runtime import AgentOrchestrator, ToolContext, ToolRegistry, ToolResult
from comal_runtime.testing import ScriptedModel
from comal_runtime.tools import tool
from tests.support.stage import scripted

from .rig import Shop, house_settings, rig
from .wire import ANA, APPROVERS, ROSA

STEP = [("send_mail", {"to": "a@x.example"}), ("transfer", {"amount": 5})]
UNASKED = {
    "require_confirmation_for_mutating": False,
    "i_accept_unconfirmed_changes": True,
}


class Bank:
    """What was sent and moved."""

    def __init__(self) -> None:
        self.did: list[str] = []

    @tool(mutating=True)
    async def send_mail(self, to: str) -> str:
        """Send a mail; nobody is asked."""
        self.did.append(f"mail {to}")
        return "sent"

    @tool(mutating=True)
    async def transfer(self, amount: int) -> str:
        """Move money; others approve."""
        self.did.append(f"transfer {amount}")
        return "moved"


def model() -> ScriptedModel:
    return scripted(
        (r"^\[comal:event\]", lambda *_: "noted"),
        (r"pay", lambda *_: [*STEP]),
    )


def settings() -> Any:
    return house_settings(
        policy={"telegram": UNASKED},
        routes=[
            {"tool": "transfer", "approvers": ["role:finance"], "cards": [f"main:{APPROVERS}"]}
        ],
    )


@pytest.mark.failure_mode(32)
@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
async def test_what_ran_before_a_call_that_waits_runs_once_in_all(
    tmp_path: Path, restarted: bool
) -> None:
    """AP-11: an approval makes nothing of its step run again, before a restart or after it."""
    bank = Bank()

    def tools(_: Shop) -> list[object]:
        return [bank]

    given: dict[str, Any] = {"settings": settings(), "tools": tools, "model": model()}
    async with rig(tmp_path, name="first", **given) as at:
        await at.say("pay", sender=ROSA)
        card = at.wire.card(APPROVERS)
        assert bank.did == ["mail a@x.example"]
        if not restarted:
            await at.tap(card.data[0], card, sender=ANA)
    if restarted:
        async with rig(tmp_path, name="second", **given) as at:
            at.wire.sent[card.message] = card
            await at.tap(card.data[0], card, sender=ANA)

    assert bank.did == ["mail a@x.example", "transfer 5"]


@pytest.mark.failure_mode(19)
async def test_what_a_tool_lets_another_agent_do_is_asked_about_like_anything_else(
    tmp_path: Path,
) -> None:
    bank = Bank()
    registries: list[ToolRegistry] = []

    @tool
    async def delegate(ctx: ToolContext) -> str:
        """Let another agent do it, for the same person."""
        [registry] = registries
        agent = AgentOrchestrator(scripted((r"do it", lambda *_: [STEP[1]])), registry)
        agent.set_tool_context(ctx)
        came = await agent.run("do it")
        assert isinstance(came, ToolResult)
        return str(came.type)

    def tools(_: Shop) -> list[object]:
        return [bank, delegate]

    scripts = scripted(
        (r"^\[comal:event\]", lambda *_: "noted"), (r"pay", lambda *_: [("delegate", {})])
    )
    async with rig(tmp_path, settings=settings(), tools=tools, model=scripts) as at:
        registries.append(at.house.registry)
        await at.say("pay", sender=ROSA)
        card = at.wire.card(APPROVERS)
        assert bank.did == []

        await at.tap(card.data[0], card, sender=ANA)

    assert bank.did == ["transfer 5"]
