"""Saying things: documents become outbox rows of the chat's channel."""

import json
from collections.abc import Mapping
from typing import Any

from comal_renderers import Document, Rendered, Text, parse_markdown, spell
from comal_renderers.inert import inert
from comal_runtime.record import Outgoing, Place, Transaction

from .channels.channel import Channel

ANSWER = 5
"""Priority of answers; cards go before them, decision edits before all."""

CARD = 3
DECISION = 0


class Speech:
    """Puts messages into the outbox, as the channel of each chat spells them."""

    def __init__(self, channels: Mapping[str, Channel]) -> None:
        self._channels = channels

    async def prose(self, tx: Transaction, key: str, place: Place, text: str, now: float) -> bool:
        """Queue what the model wrote, as Markdown; False when there is nothing in it to show.

        Whatever it holds, it becomes no button, and no command or mention that could be pressed.
        """
        return await self.document(tx, key, place, inert(parse_markdown(text)), now)

    async def plain(self, tx: Transaction, key: str, place: Place, text: str, now: float) -> None:
        """Queue a host text, literally."""
        await self.document(tx, key, place, Document(blocks=(Text(content=text),)), now)

    async def document(
        self, tx: Transaction, key: str, place: Place, document: Document, now: float
    ) -> bool:
        """Queue a document under an idempotency key: queued twice, it is sent once.

        Returns:
            Whether there is anything to send; to a channel that is gone there is nothing.
        """
        if place.channel not in self._channels:
            return False
        rendered = self.spelled(place.channel, document)
        for number, body in enumerate(rendered.parts):
            await tx.outbox.add(message_to(place, f"{key}:{number}", body), now=now)
        return bool(rendered.parts)

    def spelled(self, channel: str, document: Document) -> Rendered:
        """Spell a document as a channel instance shows it."""
        return spell(document, self._channels[channel].descriptor)


def message_to(
    place: Place,
    key: str,
    body: Mapping[str, Any],
    *,
    priority: int = ANSWER,
    card: str | None = None,
) -> Outgoing:
    """Return an outbox row that sends one spelled body."""
    return Outgoing(
        idempotency=key,
        channel=place.channel,
        chat=place.chat,
        thread=place.thread,
        body=json.dumps(body, ensure_ascii=False),
        priority=priority,
        card=card,
    )
