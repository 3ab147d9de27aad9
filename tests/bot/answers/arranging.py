"""A house whose routes let people edit, give reasons and follow one another; and who heard what."""

import json
from typing import Any

from comal_bot.settings import Settings
from tests.bot.rig import Rig, house_settings
from tests.bot.wire import ANA, ANDRES, APPROVERS, BRUNO, Sent

DELETE = 'call delete_note {"note": 2}'
REFUND = 'call refund {"order": 7}'


def routed(**changes: Any) -> Settings:
    """Return a house in which refunds fall under one route with these fields."""
    route = {
        "name": "refunds",
        "tool": "refund",
        "approvers": ["role:finance", f"telegram:{ANDRES}"],
        "cards": [f"main:{APPROVERS}"],
        **changes,
    }
    return house_settings(routes=[route])


async def asked(at: Rig, words: str = REFUND) -> Sent:
    """Let Bruno ask for something that others approve; the approvers' card."""
    await at.say(words, sender=BRUNO)
    return at.wire.card(APPROVERS)


def button(card: Sent, letter: str) -> str:
    """Return the callback data of one of a card's buttons."""
    return next(one for one in card.data if one.endswith(f":{letter}"))


def letters(card: Sent) -> str:
    """Return the letters of a card's buttons, in their order."""
    return "".join(one[-1] for one in card.data)


def now(at: Rig, card: Sent) -> Sent:
    """Return a message as it stands by now."""
    return at.wire.sent[card.message]


def state(at: Rig) -> str:
    """Return the state of the newest question."""
    return str(at.one("SELECT state FROM questions ORDER BY created_at DESC, rowid DESC LIMIT 1"))


def events(at: Rig) -> list[dict[str, Any]]:
    """Return the host events that the model was given."""
    lines = [row[0] for row in at.rows("SELECT body FROM history WHERE role = 'event' ORDER BY id")]
    return [json.loads(json.loads(one)["content"].removeprefix("[comal:event] ")) for one in lines]


def turns(at: Rig) -> int:
    """Return how many turns were begun."""
    return int(at.one("SELECT COUNT(*) FROM turns"))


async def noted(at: Rig) -> list[tuple[str, str]]:
    """Return the audit records of answers that no tool call carries: who, and what."""
    await at.house.registry.audit.flush()
    return at.rows(
        "SELECT principal, decision FROM audit WHERE tool = 'answer_question' ORDER BY seq"
    )


__all__ = [
    "ANA", "ANDRES", "APPROVERS", "BRUNO", "DELETE", "REFUND", "asked", "button", "events",
    "letters", "noted", "now", "routed", "state", "turns",
]  # fmt: skip
