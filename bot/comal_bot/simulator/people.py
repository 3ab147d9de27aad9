"""People of the emulated Telegram: they write, tap, edit and look."""

from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from .entities import spot, utf16_length
from .limits import TEXT_LIMIT
from .room import Room
from .values import Bot, Button, CallbackAnswer, Chat, Content, MessageView, Standing
from .world import ChatRef, TelegramWorld

T = TypeVar("T")


class Press:
    """A tap on its way; `answer` is there once the bot answered."""

    def __init__(self, world: TelegramWorld, callback_id: str) -> None:
        self._world = world
        self.id = callback_id

    @property
    def answer(self) -> CallbackAnswer | None:
        """What the person was shown, or None as long as the bot has not answered."""
        callback = self._world.callback(self.id)
        return None if callback is None else callback.answer

    async def answered(self, timeout: float = 5.0) -> CallbackAnswer:
        """Wait for the answer.

        Raises:
            TimeoutError: No answer within `timeout` seconds.
        """
        return await _until(
            self._world, lambda: self.answer, timeout, lambda: f"tap {self.id} was not answered"
        )


class Person:
    """One person; what they cannot do in a client raises ValueError."""

    def __init__(
        self, world: TelegramWorld, user_id: int, name: str, username: str | None = None
    ) -> None:
        self._world = world
        self.user = world.add_user(user_id, name, username)

    @property
    def id(self) -> int:
        """The person's user id."""
        return self.user.id

    def chat_with(self, bot: Bot) -> Chat:
        """Open the private chat with a bot."""
        return self._world.open_private(self.id, bot.id)

    def send(self, chat: ChatRef, text: str, *, reply_to: int | None = None) -> int:
        """Write a text and return its message id."""
        room = self._room(chat)
        if room.chat.bot_id is not None:
            standing = room.standing(room.chat.bot_id)
            if standing is Standing.KICKED:
                raise ValueError(f"{self.user.name} blocked this bot; unblock it first")
        if reply_to is not None:
            self._message(room, reply_to)
        return self._world.post(room, self.user, _content(text), reply_to=reply_to).id

    def edit(self, chat: ChatRef, message_id: int, text: str) -> None:
        """Change one of the person's own texts."""
        view = self._message(self._room(chat), message_id)
        if view.sender.id != self.id:
            raise ValueError(f"message {message_id} was written by {view.sender.name}")
        self._world.revise(view, _content(text))

    def press(self, chat: ChatRef, message_id: int, choice: str) -> Press:
        """Tap a button, named by its data, its label or the last `:` part of its data."""
        view = self._message(self._room(chat), message_id)
        button = find_button(view, choice)
        if button.data is None:
            raise ValueError(f"button {button.label!r} carries no data")
        return Press(self._world, self._world.tap(view, self.user, button.data).id)

    def press_raw(self, chat: ChatRef, message_id: int, data: str) -> Press:
        """Send tap data as a forged client would: any data, also for a deleted message."""
        view = self._room(chat).get(message_id)
        if view is None:
            raise ValueError(f"no message {message_id} in this chat")
        if not view.sender.is_bot:
            raise ValueError(f"message {message_id} was not written by a bot")
        return Press(self._world, self._world.tap(view, self.user, data).id)

    def transcript(self, chat: ChatRef) -> list[MessageView]:
        """Return the chat's messages as they stand, oldest first, deleted ones marked."""
        return self._room(chat).views()

    async def wait_for(
        self, chat: ChatRef, predicate: Callable[[MessageView], bool], timeout: float = 5.0
    ) -> MessageView:
        """Return the first message that satisfies `predicate`, waiting for it if need be.

        Raises:
            TimeoutError: None within `timeout` seconds; the text shows what is there.
        """
        room = self._room(chat)

        def found() -> MessageView | None:
            return next((view for view in room.views() if predicate(view)), None)

        def seen() -> str:
            lines = [f"{view.id} {view.sender.name}: {view.text!r}" for view in room.views()]
            return "no such message came; the chat shows " + ("; ".join(lines) or "nothing")

        return await _until(self._world, found, timeout, seen)

    def _room(self, chat: ChatRef) -> Room:
        room = self._world.room(chat)
        if room is None or room.standing(self.id) is not Standing.MEMBER:
            raise ValueError(f"{self.user.name} is in no such chat: {chat!r}")
        return room

    def _message(self, room: Room, message_id: int) -> MessageView:
        view = room.get(message_id)
        if view is None or view.deleted:
            raise ValueError(f"no message {message_id} in this chat")
        return view


def find_button(view: MessageView, choice: str) -> Button:
    """Return the one button that `choice` names by data, label or last `:` part of its data.

    Raises:
        ValueError: No button, or more than one, is named so.
    """
    tests: tuple[Callable[[Button], bool], ...] = (
        lambda button: button.data == choice,
        lambda button: button.label == choice,
        lambda button: (button.data or "").endswith(f":{choice}"),
        lambda button: choice.casefold() in button.label.casefold(),
    )
    for test in tests:
        found = [button for button in view.buttons if test(button)]
        if len(found) == 1:
            return found[0]
        if found:
            break
    raise ValueError(f"{choice!r} names no single button; there are {list(view.labels)}")


def _content(text: str) -> Content:
    stripped = text.strip()
    if not stripped or utf16_length(stripped) > TEXT_LIMIT:
        raise ValueError(f"a text has 1 to {TEXT_LIMIT} characters, not {utf16_length(stripped)}")
    return Content(text=stripped, entities=spot(stripped))


async def _until(
    world: TelegramWorld, look: Callable[[], T | None], timeout: float, complaint: Callable[[], str]
) -> T:
    """Look after every change of the world until something is found."""
    deadline = monotonic() + timeout
    while True:
        version = world.version
        found = look()
        if found is not None:
            return found
        remaining = deadline - monotonic()
        if remaining <= 0:
            raise TimeoutError(complaint())
        await world.wait_for_change(version, remaining)
