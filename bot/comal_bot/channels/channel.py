"""What a channel is: pure parsing, transport, and errors that say what is safe."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from comal_renderers.descriptor import Descriptor

Raw = Mapping[str, Any]
"""One update as the wire gave it; unknown fields included."""

Body = Mapping[str, Any]
"""One message as a renderer spelled it for this channel; JSON-shaped, without an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A place on a channel: instance name, chat and, where the channel has them, thread."""

    channel: str
    chat: str
    thread: str | None = None

    def __str__(self) -> str:
        tail = "" if self.thread is None else f":{self.thread}"
        return f"{self.channel}:{self.chat}{tail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """A pressed button: forgeable until its card is looked up.

    `callback` is what must be acknowledged; `data` is client-supplied; `message` is the id of the
    message the button hung on, when the channel tells it.
    """

    callback: str
    data: str
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """One thing a person did. `sender` is the principal, such as `telegram:42`; None for nobody.

    `addressed` tells whether the bot was meant: a private chat, a command for it, a mention, a
    reply to it. `command` is the name without slash and bot name, `text` what follows it.
    `reply_to` is the id of the bot's own message that this answers, if it answers one.
    """

    id: str
    address: Address
    sender: str | None
    sender_name: str = ""
    sender_is_bot: bool = False
    private: bool = True
    addressed: bool = True
    text: str = field(default="", repr=False)
    command: str | None = None
    reply_to: str | None = None
    tap: Tap | None = None
    migrated_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Where a delivered message stands, so that it can be amended."""

    address: Address
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """Answer a tap: `text` at most 200 characters, as an alert when `alert`."""

    callback: str
    text: str = ""
    alert: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Show that an answer is being made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """Remove a delivered message."""

    message: str


Signal = Ack | Typing | Delete

Sink = Callable[[Sequence[Raw]], Awaitable[None]]
"""Stores a batch durably; the transport confirms the batch only after it returned."""


class ChannelError(Exception):
    """A channel could not do what was asked; the subclass says what is safe now."""


class Retry(ChannelError):
    """Not sent; try again after `after` seconds."""

    def __init__(self, reason: str, *, after: float = 1.0) -> None:
        super().__init__(reason)
        self.after = after


class Uncertain(ChannelError):
    """May have been sent; never repeat it blindly."""


class Denied(ChannelError):
    """Refused for good: `reason` says why.

    The chat may be dead (`gone`) or moved (`moved_to`), the message that was to be replaced not
    there any more or beyond change (`lost`).
    """

    def __init__(
        self, reason: str, *, gone: bool = False, moved_to: str | None = None, lost: bool = False
    ) -> None:
        super().__init__(reason)
        self.gone = gone
        self.moved_to = moved_to
        self.lost = lost


class Unsupported(ChannelError):
    """The channel lacks this capability; the text names it."""


class Channel(Protocol):
    """One way people reach the host. It decides nothing and keeps no conversation state."""

    @property
    def name(self) -> str:
        """The instance's name in the settings, such as `main`."""
        ...

    @property
    def descriptor(self) -> Descriptor:
        """What this channel can show."""
        ...

    def parse(self, raw: Raw) -> list[Inbound]:
        """Read one update; an update of no interest gives an empty list.

        Raises:
            ValueError: The update is broken; the caller keeps and counts it.
        """
        ...

    async def listen(self, sink: Sink) -> None:
        """Receive until cancelled, handing every batch to `sink` before confirming it."""
        ...

    async def deliver(self, target: Address, body: Body) -> Receipt:
        """Send one message.

        Raises:
            Retry, Uncertain, Denied: What may be done next.
        """
        ...

    async def amend(self, receipt: Receipt, body: Body) -> None:
        """Replace a delivered message; already being so is success.

        Raises:
            Retry, Uncertain, Denied, Unsupported: What may be done next.
        """
        ...

    async def signal(self, target: Address, signal: Signal) -> None:
        """Acknowledge a tap, show typing or delete; a late acknowledgement is success.

        Raises:
            Retry, Uncertain, Denied, Unsupported: What may be done next.
        """
        ...
