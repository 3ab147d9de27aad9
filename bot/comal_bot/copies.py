"""Copies: what becomes of a card whose message arrived, was lost or was refused."""

from dataclasses import replace
from typing import Final

from comal_runtime.consent.question import new_id, tell
from comal_runtime.record import Outgoing, QuestionState, Transaction

NOWHERE: Final = "nowhere"
"""What `shown` says of a card that its chat refused."""

PART: Final = "part|"
"""What `shown` begins with where a card does not show everything, so that it cannot decide."""

SHOWN_ALL: Final = f"{PART}all"
COMING: Final = f"{PART}coming"
"""What `shown` says of a copy in several messages while not all before the last have arrived."""

BROKEN: Final = f"{PART}broken"
"""What `shown` says of a copy that cannot become whole."""

_PIECE: Final = "piece:"
_AGAIN: Final = "again:"


def piece_key(card: str, number: int) -> str:
    """Return the idempotency key of one message of a card that takes several."""
    return f"{_PIECE}{card}:{number}"


async def arrived(tx: Transaction, sent: Outgoing, card_id: str, message: str) -> None:
    """Let the next message of a card follow; the last one is where the card hangs."""
    if await tx.outbox.follow(card_id):
        if not await tx.outbox.held(card_id):
            await tx.cards.show(card_id, str(QuestionState.OPEN))
        return
    card = await tx.cards.get(card_id)
    if card is None or card.shown == BROKEN:
        return
    await tx.cards.adopt(card_id, message)
    await tx.outbox.revive(sent.channel, sent.chat)
    tx.defer(tell(card.question))


async def refused(tx: Transaction, message: Outgoing, card_id: str) -> None:
    """Note that a card hangs nowhere, so that somebody hears that nobody can decide."""
    card = await tx.cards.get(card_id)
    if card is None or card.message is not None:
        return
    await tx.outbox.drop_held(card_id)
    broken = message.idempotency.startswith(_PIECE)
    await tx.cards.show(card_id, BROKEN if broken else NOWHERE)
    tx.defer(tell(card.question))


async def uncertain(tx: Transaction, message: Outgoing, card_id: str, now: float) -> None:
    """Send a card once more as a copy of its own; a copy in parts that misses one has ended."""
    old = await tx.cards.get(card_id)
    if old is None or old.message is not None:
        return
    if await tx.outbox.drop_held(card_id):
        await tx.cards.show(card_id, BROKEN)
        tx.defer(tell(old.question))
        return
    question = await tx.questions.get(old.question)
    is_second = message.idempotency.startswith(_AGAIN)
    if is_second or question is None or question.state is not QuestionState.OPEN:
        return
    copy = replace(old, id=new_id(), created_at=now)
    await tx.cards.add(copy)
    body = message.body.replace(old.id, copy.id)
    again = replace(message, idempotency=f"{_AGAIN}{copy.id}", body=body, card=copy.id)
    await tx.outbox.add(again, now=now)
