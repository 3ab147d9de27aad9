"""The things an emulated Telegram holds: users, chats, contents, taps; all frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

JsonObject = Mapping[str, object]


class ChatKind(StrEnum):
    """What sort of chat it is, as the wire spells it."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"


class Standing(StrEnum):
    """Where a user stands in a chat, as the wire spells it."""

    MEMBER = "member"
    LEFT = "left"
    KICKED = "kicked"


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person or a bot."""

    id: int
    name: str
    username: str | None = None
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A bot; with `privacy` it sees in groups only what is meant for it."""

    user: User
    token: str = field(repr=False)
    privacy: bool = True

    @property
    def id(self) -> int:
        """The bot's user id."""
        return self.user.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A place to write. A private chat has the person's id on the wire and one `bot_id`."""

    id: int
    kind: ChatKind
    title: str
    username: str | None = None
    bot_id: int | None = None

    @property
    def key(self) -> str:
        """A name that no other chat of the world has."""
        return str(self.id) if self.bot_id is None else f"{self.id}@{self.bot_id}"

    @property
    def private(self) -> bool:
        """Whether it is a talk between one person and one bot."""
        return self.kind is ChatKind.PRIVATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A marked piece of text; `offset` and `length` in UTF-16 units, `extra` its other fields."""

    kind: str
    offset: int
    length: int
    extra: JsonObject = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The first UTF-16 unit after the piece."""
        return self.offset + self.length


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """One inline button; `wire` is the object as the bot sent it, unknown fields included."""

    label: str
    data: str | None
    wire: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """The inline buttons under a text."""

    rows: tuple[tuple[Button, ...], ...]

    @property
    def buttons(self) -> tuple[Button, ...]:
        """All buttons, row by row."""
        return tuple(button for row in self.rows for button in row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What is shown: text, its marks and its buttons."""

    text: str
    entities: tuple[Entity, ...] = ()
    keyboard: Keyboard | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageView:
    """One chat message as it stands now; `history` holds earlier contents, oldest first.

    `date` and `edit_date` are epoch seconds. A deleted one keeps its last content.
    """

    chat: Chat
    id: int
    sender: User
    date: int
    content: Content
    reply_to: int | None = None
    edit_date: int | None = None
    deleted: bool = False
    history: tuple[Content, ...] = ()

    @property
    def text(self) -> str:
        """The text shown now."""
        return self.content.text

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The inline buttons shown now."""
        keyboard = self.content.keyboard
        return () if keyboard is None else keyboard.buttons

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the buttons shown now."""
        return tuple(button.label for button in self.buttons)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackAnswer:
    """What a person is shown after a tap: a toast, or an `alert`; the text may be empty."""

    text: str = ""
    alert: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Callback:
    """A tapped button on its way to the bot; `view` is the message as it stood when tapped."""

    id: str
    bot_id: int
    sender: User
    view: MessageView
    data: str
    at: float
    answer: CallbackAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAction:
    """A bot shown as doing something, such as `typing`, until `until` (epoch seconds)."""

    bot_id: int
    action: str
    until: float
