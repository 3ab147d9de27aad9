"""Presses that only words can complete: they wait a while for a reply to the card."""

from typing import Final

from comal_runtime.record import Intent, Question, Repositories, Transaction

from .tapped import Tapped

PATIENCE: Final = 600.0
"""Seconds that a press waits for the words that complete it."""


async def wait_for_words(tx: Transaction, tapped: Tapped, now: float) -> None:
    """Remember what somebody pressed until they reply to the card or press something else."""
    await tx.remarks.intend(
        Intent(
            identity=tapped.voter,
            question=tapped.question.id,
            card=tapped.card.id,
            choice=tapped.choice,
            at=now,
        )
    )


async def waiting(
    stored: Repositories | Transaction, identity: str, question: Question, now: float
) -> Intent | None:
    """Return what somebody pressed about a question that still waits for their words."""
    intent = await stored.remarks.intent(identity)
    if intent is None or intent.question != question.id or now - intent.at > PATIENCE:
        return None
    return intent
