"""A till whose payments an approver may edit within bounds, and an edit of one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from comal_bot.settings import Settings
from comal_runtime.tools import tool
from tests.bot.rig import Rig, Shop, house_settings, rig
from tests.bot.wire import ANA, ANDRES, APPROVERS, Sent

from .arranging import asked, button

PAY = 'call pay {"to": "ACC-1", "amount": 120}'
EDITABLE = {"amount": {"type": "integer", "minimum": 1, "maximum": 200}, "note": {}}


@dataclass
class Till:
    """A tool that pays, and what it paid."""

    paid: list[Any] = field(default_factory=list)

    @tool(mutating=True, clamps={"amount": {"max": 150}})
    async def pay(self, to: str, amount: int, note: str = "", pin: str = "") -> str:
        """Pay somebody."""
        self.paid.append((to, amount, note))
        return f"paid {amount}"


def till_rig(folder: Path, till: Till, settings: Settings | None = None, **more: Any) -> Any:
    def tools(shop: Shop) -> Sequence[object]:
        return [shop, till]

    return rig(folder, settings=settings or paying(), tools=tools, **more)


def paying(**changes: Any) -> Settings:
    route = {
        "name": "payments",
        "tool": "pay",
        "when": "amount > 100",
        "approvers": ["role:finance", f"telegram:{ANDRES}"],
        "cards": [f"main:{APPROVERS}"],
        "editable": EDITABLE,
        **changes,
    }
    return house_settings(routes=[route])


async def edited(at: Rig, words: str, sender: int = ANA) -> tuple[Sent, Sent, str]:
    """Let an approver edit a payment of 120; its old card, its new one, and what was said."""
    old = await asked(at, PAY)
    await at.tap(button(old, "e"), old, sender=sender)
    told = await at.reply(words, old, sender=sender)
    return old, at.wire.card(APPROVERS), told
