"""A channel in memory, and the updates that people's clients make of what they do."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from comal_bot.channels.channel import (
    Ack,
    Address,
    Body,
    ChannelError,
    Inbound,
    Raw,
    Receipt,
    Signal,
    Sink,
)
from comal_bot.channels.telegram.parse import parse
from comal_renderers.descriptor import TELEGRAM, Descriptor

ROSA, BRUNO, ANA, ANDRES = 1001, 1002, 1003, 1004
NAMES = {ROSA: "Rosa", BRUNO: "Bruno", ANA: "Ana", ANDRES: "Andrés"}
GROUP, APPROVERS = -2001, -2002
BOT = {"id": 7001, "is_bot": True, "first_name": "Comal", "username": "comal_bot"}


@dataclass(frozen=True)
class Sent:
    """One message as it stands in a chat."""

    chat: str
    message: str
    body: dict[str, Any]
    thread: str | None = None

    @property
    def text(self) -> str:
        """The text shown now."""
        return str(self.body["text"])

    @property
    def data(self) -> list[str]:
        """The callback data of its buttons."""
        rows = self.body.get("reply_markup", {}).get("inline_keyboard", [])
        return [button["callback_data"] for row in rows for button in row]


class Wire:
    """A channel in memory that reads Telegram's updates; it fails as often as it is told to.

    `troubles` are met by the next deliveries, `amend_troubles` by the next edits, a None among them
    is no trouble; `log` names everything that was tried, in order. Delays are in seconds.
    """

    def __init__(self, name: str = "main") -> None:
        self.name = name
        self.sent: dict[str, Sent] = {}
        self.signals: list[Signal] = []
        self.troubles: deque[ChannelError | None] = deque()
        self.amend_troubles: deque[ChannelError | None] = deque()
        self.signal_trouble: ChannelError | None = None
        self.signal_delay = 0.0
        self.delay = 0.0
        self.log: list[tuple[str, str, str]] = []
        self.queue: asyncio.Queue[Sequence[Raw]] = asyncio.Queue()
        self.listeners = 0

    @property
    def descriptor(self) -> Descriptor:
        return TELEGRAM

    def parse(self, raw: Raw) -> list[Inbound]:
        return parse(raw, channel=self.name, bot_id=BOT["id"], bot_username=BOT["username"])

    async def listen(self, sink: Sink) -> None:
        self.listeners += 1
        try:
            while True:
                await sink(await self.queue.get())
        finally:
            self.listeners -= 1

    async def deliver(self, target: Address, body: Body) -> Receipt:
        self.log.append(("deliver", target.chat, body["text"]))
        await asyncio.sleep(self.delay)
        if self.troubles and (trouble := self.troubles.popleft()) is not None:
            raise trouble
        sent = Sent(target.chat, str(len(self.sent) + 1), dict(body), target.thread)
        self.sent[sent.message] = sent
        return Receipt(address=target, message=sent.message)

    async def amend(self, receipt: Receipt, body: Body) -> None:
        self.log.append(("amend", receipt.address.chat, body["text"]))
        if self.amend_troubles and (trouble := self.amend_troubles.popleft()) is not None:
            raise trouble
        chat = receipt.address.chat
        self.sent[receipt.message] = Sent(chat, receipt.message, dict(body))

    async def signal(self, target: Address, signal: Signal) -> None:
        await asyncio.sleep(self.signal_delay)
        if self.signal_trouble is not None:
            raise self.signal_trouble
        self.signals.append(signal)

    def texts(self, chat: int) -> list[str]:
        """Return the texts of a chat as they stand, oldest first."""
        return [sent.text for sent in self.sent.values() if sent.chat == str(chat)]

    def card(self, chat: int = ROSA) -> Sent:
        """Return the newest message of a chat that has buttons."""
        return [one for one in self.sent.values() if one.chat == str(chat) and one.data][-1]

    @property
    def answers(self) -> list[str]:
        """What people who tapped were told."""
        return [signal.text for signal in self.signals if isinstance(signal, Ack)]


def written(
    update: int, words: str, sender: int = ROSA, chat: int | None = None, **fields: Any
) -> dict[str, Any]:
    """Return an update in which a person writes; a negative `chat` is a group."""
    where = sender if chat is None else chat
    message = {
        "message_id": update,
        "date": 1_796_040_000,
        "chat": {"id": where, "type": "private" if where > 0 else "supergroup"},
        "from": {"id": sender, "is_bot": False, "first_name": NAMES.get(sender, "Somebody")},
        "text": words,
        "entities": _marks(words),
        **fields,
    }
    return {"update_id": update, "message": message}


def tapped(update: int, data: str, sender: int, chat: int, message: str) -> dict[str, Any]:
    """Return an update in which a person presses a button."""
    query = {
        "id": f"q{update}",
        "from": {"id": sender, "is_bot": False, "first_name": NAMES.get(sender, "Somebody")},
        "data": data,
        "message": {
            "message_id": int(message),
            "date": 1_796_040_000,
            "chat": {"id": chat, "type": "private" if chat > 0 else "supergroup"},
            "from": BOT,
        },
    }
    return {"update_id": update, "callback_query": query}


def _marks(words: str) -> list[dict[str, Any]]:
    first = words.split(maxsplit=1)[0] if words.split() else ""
    kind = {"/": "bot_command", "@": "mention"}.get(first[:1])
    return [] if kind is None else [{"type": kind, "offset": 0, "length": len(first)}]
