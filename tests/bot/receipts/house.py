"""Receipts of a house that really asked, and papers signed anew to say something else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from comal_bot.receipts.paper import read, written
from comal_bot.receipts.signing import Signer, new_key, signer_from

from ..rig import Rig, house_settings
from ..wire import ANA, ANDRES, APPROVERS, ROSA

REFUND = 'call refund {"order": 7}'
SIGNER = signer_from(new_key().encode(), "the test's")


def stored(at: Rig) -> list[str]:
    """Return every receipt of the record, oldest first."""
    return [body for (body,) in at.rows("SELECT body FROM receipts ORDER BY made_at, number")]


def accounts(at: Rig) -> list[dict[str, Any]]:
    """Return what the receipts of the record say."""
    return [dict(read(body).account) for body in stored(at)]


async def refunded(at: Rig, *voters: int) -> str:
    """Let Rosa ask for a refund and these people approve it; return the receipt."""
    await at.say(REFUND)
    for voter in voters:
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[0], card, sender=voter)
    return stored(at)[-1]


def dual() -> Any:
    """Return a house in which two people must approve a refund."""
    approvers = ["role:finance", f"telegram:{ANDRES}"]
    cards = [f"main:{APPROVERS}"]
    route = {"tool": "refund", "approvers": approvers, "cards": cards, "policy": "dual"}
    return house_settings(routes=[route])


def resigned(text: str, change: Callable[[Any], None], signer: Signer = SIGNER) -> str:
    """Return a receipt that says something else, signed by whoever holds a key."""
    account = json.loads(json.dumps(read(text).account))
    change(account)
    return written(account, signer)


def kept(text: str, folder: Path) -> Path:
    """Put a receipt into a file."""
    path = folder / "receipt.jsonl"
    path.write_text(text, "ascii")
    return path


__all__ = [
    "ANA",
    "ANDRES",
    "REFUND",
    "ROSA",
    "SIGNER",
    "accounts",
    "dual",
    "kept",
    "refunded",
    "resigned",
    "stored",
]
