"""Copies: what becomes of a card whose message arrived, was lost or was refused."""

from dataclasses import replace
from typing import Final

from comal_runtime.consent.question import new_id, tell
from comal_runtime.record import Card, Outgoing, QuestionState, Transaction

NOWHERE: Final = "nowhere"
"""What `shown` says of a card that its chat refused."""

PART: Final = "part|"
"""What `shown` begins with where a card does not show everything, so that it cannot decide."""

SHOWN_ALL: Final = f"{PART}all"
COMING: Final = f"{PART}coming"
"""What `shown` says of a copy in several messages while not all before the last have arrived."""

BROKEN: Final = f"{PART}broken"
"""What `shown` says of a copy that cannot become whole."""

BACK: Final = "back"
"""What `shown` says of a card whose chat had refused us and does so no more."""

REPLACED: Final = "replaced"
"""What `shown` says of a card in whose place a copy hangs."""

_MOST_COPIES: Final = 8  # copies of a card in one chat; that many are not there by mistake
_PIECE: Final = "piece:"
_AGAIN: Final = "again:"


def marked(card: Card, word: str) -> str:
    """Return what `shown` is to say of a card; what cannot decide stays so."""
    return f"{PART}{word}" if (card.shown or "").startswith(PART) else word


def is_marked(card: Card, word: str) -> bool:
    """Tell whether `shown` says this of a card."""
    return (card.shown or "").removeprefix(PART) == word


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
    if is_marked(card, NOWHERE):
        await tx.cards.show(card_id, marked(card, ""))
    tx.defer(tell(card.question))


async def refused(tx: Transaction, message: Outgoing, card_id: str) -> None:
    """Note that a card hangs nowhere, so that somebody hears that nobody can decide."""
    card = await tx.cards.get(card_id)
    if card is None or card.message is not None:
        return
    await tx.outbox.drop_held(card_id)
    broken = message.idempotency.startswith(_PIECE)
    await tx.cards.show(card_id, BROKEN if broken else marked(card, NOWHERE))
    tx.defer(tell(card.question))


async def unseen(tx: Transaction, card_id: str) -> None:
    """Note that a card does not show what it should, as its chat refuses us."""
    card = await tx.cards.get(card_id)
    if card is not None:
        await tx.cards.show(card_id, marked(card, NOWHERE))


async def lost_chat(tx: Transaction, channel: str, chat: str) -> None:
    """Note that the cards of a chat that refuses us reach nobody."""
    for card in await tx.cards.hung(channel, chat, unseen=NOWHERE):
        if not is_marked(card, REPLACED) and await tx.cards.show(card.id, marked(card, NOWHERE)):
            tx.defer(tell(card.question))


async def heard_from(tx: Transaction, channel: str, chat: str) -> None:
    """Let the cards of a chat that had refused us be seen to, if it had."""
    if not await tx.outbox.revive(channel, chat):
        return
    for card in await tx.cards.hung(channel, chat, unseen=NOWHERE):
        if is_marked(card, NOWHERE):
            await tx.cards.show(card.id, marked(card, BACK))
            tx.defer(tell(card.question))


async def beyond_change(tx: Transaction, edit: Outgoing, card_id: str, now: float) -> None:
    """Hang what a card should show as a copy, as its own message can show nothing new."""
    old = await tx.cards.get(card_id)
    if old is None or is_marked(old, REPLACED):
        return
    here = (old.channel, old.chat)
    hung = [one for one in await tx.cards.of(old.question) if (one.channel, one.chat) == here]
    if len(hung) >= _MOST_COPIES:
        return
    is_stale = await tx.outbox.supersede(old.id) > 0  # a newer edit was on its way
    shown = replace(old, shown=marked(old, "")) if is_stale else old
    await _again(tx, replace(edit, edits=None), shown, now)
    await tx.cards.show(old.id, marked(old, REPLACED))


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
    await _again(tx, message, old, now)


async def _again(tx: Transaction, message: Outgoing, old: Card, now: float) -> None:
    """Send a card's message as that of a copy."""
    copy = replace(old, id=new_id(), message=None, created_at=now)
    await tx.cards.add(copy)
    body = message.body.replace(old.id, copy.id)
    again = replace(message, idempotency=f"{_AGAIN}{copy.id}", body=body, card=copy.id)
    await tx.outbox.add(again, now=now)
