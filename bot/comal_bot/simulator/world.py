"""An emulated Telegram in memory: what everyone did, and which bot is told about it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from comal_runtime.clock import Clock

from .privacy import sees
from .pulse import Pulse
from .room import Room
from .updates import DAY, Update, UpdateQueue
from .values import (
    Bot,
    Callback,
    CallbackAnswer,
    Chat,
    ChatAction,
    ChatKind,
    Content,
    JsonObject,
    MessageView,
    Standing,
    User,
)
from .wire import callback_json, chat_json, member_json, message_json, user_json

CALLBACK_LIFE = 150.0  # seconds. Source: Bot API server, add_update for callback queries.
ACTION_LIFE = 5.0  # seconds. Source: Bot API, sendChatAction.
FIRST_SUPERGROUP = -1_001_700_000_000

ChatRef = Chat | int
"""A chat, or its id on the wire where only one chat has that id."""


class TelegramWorld:
    """Users, bots, chats and update queues; one event loop, nothing on disk.

    It records and announces; who may do what is decided in `methods` and `people`.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._users: dict[int, User] = {}
        self._bots: dict[int, Bot] = {}
        self._queues: dict[int, UpdateQueue] = {}
        self._rooms: dict[str, Room] = {}
        self._callbacks: dict[str, Callback] = {}
        self._history: dict[int, tuple[int, Update]] = {}
        self._update_ids = count(100_000_001)
        self._callback_ids = count(4_000_000_000_000_001)
        self._group_ids = count(4_000_000_001)
        self._pulse = Pulse()

    @property
    def version(self) -> int:
        """A number that grows with every visible change."""
        return self._pulse.version

    async def wait_for_change(self, after: int, timeout: float) -> int:
        """Return the version once it is above `after`, or as it is after `timeout` seconds."""
        return await self._pulse.wait(after, timeout)

    def add_user(self, user_id: int, name: str, username: str | None = None) -> User:
        """Let a person exist; a known id keeps its first name."""
        return self._users.setdefault(user_id, User(id=user_id, name=name, username=username))

    def add_bot(self, token: str, username: str, *, privacy: bool = True) -> Bot:
        """Let a bot exist; its id is the number before the token's colon."""
        head, _, tail = token.partition(":")
        if not head.isdigit() or not tail:
            raise ValueError("a bot's token has the form <number>:<secret>")
        user = User(id=int(head), name=username, username=username, is_bot=True)
        bot = Bot(user=user, token=token, privacy=privacy)
        self._users[bot.id] = user
        self._bots[bot.id] = bot
        self._queues[bot.id] = UpdateQueue(self.clock)
        return bot

    def open_private(self, user_id: int, bot_id: int) -> Chat:
        """Return the talk between a person and a bot, which exists from now on."""
        user, bot = self._users[user_id], self._bots[bot_id]
        chat = Chat(
            id=user.id,
            kind=ChatKind.PRIVATE,
            title=user.name,
            username=user.username,
            bot_id=bot.id,
        )
        if chat.key not in self._rooms:
            room = self._rooms[chat.key] = Room(chat)
            room.standings = {user.id: Standing.MEMBER, bot.id: Standing.MEMBER}
            self._pulse.beat()
        return chat

    def create_group(self, title: str, members: Sequence[int], *, supergroup: bool = False) -> Chat:
        """Make a group of people and bots, given by their ids."""
        number = next(self._group_ids)
        chat = Chat(
            id=FIRST_SUPERGROUP - number % 1_000_000 if supergroup else -number,
            kind=ChatKind.SUPERGROUP if supergroup else ChatKind.GROUP,
            title=title,
        )
        self._rooms[chat.key] = Room(chat)
        for member in members:
            self.set_standing(chat, member, Standing.MEMBER, by=members[0])
        self._pulse.beat()
        return chat

    def set_standing(self, chat: Chat, user_id: int, standing: Standing, *, by: int) -> None:
        """Let a user join, leave or be kicked; a bot is told about itself."""
        room = self._rooms[chat.key]
        old, room.standings[user_id] = room.standing(user_id), standing
        if user_id in self._bots and old is not standing:
            user = self._users[user_id]
            payload: JsonObject = {
                "chat": chat_json(chat),
                "from": user_json(self._users[by]),
                "date": self._date(),
                "old_chat_member": member_json(user, old),
                "new_chat_member": member_json(user, standing),
            }
            self._tell(user_id, "my_chat_member", payload, DAY)
        self._pulse.beat()

    def set_blocked(self, user_id: int, bot_id: int, blocked: bool) -> None:
        """Let a person stop or restart a bot, which is told about it."""
        chat = self.open_private(user_id, bot_id)
        standing = Standing.KICKED if blocked else Standing.MEMBER
        self.set_standing(chat, bot_id, standing, by=user_id)

    def user(self, user_id: int) -> User | None:
        """Return a person or bot."""
        return self._users.get(user_id)

    def bot_by_token(self, token: str) -> Bot | None:
        """Return the bot that has this token."""
        return next((bot for bot in self._bots.values() if bot.token == token), None)

    def bots(self) -> list[Bot]:
        """Return every bot."""
        return list(self._bots.values())

    def chats(self) -> list[Chat]:
        """Return every chat, oldest first."""
        return [room.chat for room in self._rooms.values()]

    def room(self, ref: ChatRef, bot_id: int | None = None) -> Room | None:
        """Find a chat; a bare id means the group, or the private chat with `bot_id`, if given.

        Raises:
            ValueError: Several bots have a private chat with this person.
        """
        if isinstance(ref, Chat):
            return self._rooms.get(ref.key)
        if bot_id is not None:
            return self._rooms.get(str(ref)) or self._rooms.get(f"{ref}@{bot_id}")
        found = [room for room in self._rooms.values() if room.chat.id == ref]
        if len(found) > 1:
            raise ValueError(f"{ref} has private chats with several bots; pass the Chat")
        return found[0] if found else None

    def transcript(self, ref: ChatRef) -> list[MessageView]:
        """Return a chat's messages as they stand, oldest first, deleted ones marked."""
        room = self.room(ref)
        return [] if room is None else room.views()

    def actions(self, ref: ChatRef) -> list[ChatAction]:
        """Return what bots are shown doing in a chat right now."""
        room, now = self.room(ref), self.clock.now()
        return [] if room is None else [a for a in room.actions.values() if a.until > now]

    def post(
        self, room: Room, sender: User, content: Content, *, reply_to: int | None = None
    ) -> MessageView:
        """Write a message."""
        view = room.add(sender, content, reply_to=reply_to, date=self._date())
        self._announce("message", view)
        return view

    def revise(self, view: MessageView, content: Content) -> MessageView:
        """Replace a message's content."""
        newer = replace(
            view, content=content, edit_date=self._date(), history=(*view.history, view.content)
        )
        self._rooms[view.chat.key].put(newer)
        self._announce("edited_message", newer)
        return newer

    def erase(self, view: MessageView) -> None:
        """Mark a message as deleted; no bot is told."""
        self._rooms[view.chat.key].put(replace(view, deleted=True))
        self._pulse.beat()

    def show_action(self, room: Room, bot: Bot, action: str) -> None:
        """Show a bot as doing something for five seconds."""
        until = self.clock.now() + ACTION_LIFE
        room.actions[bot.id] = ChatAction(bot_id=bot.id, action=action, until=until)
        self._pulse.beat()

    def tap(self, view: MessageView, sender: User, data: str) -> Callback:
        """Hand a tapped button's data to the bot that wrote the message."""
        callback = Callback(
            id=str(next(self._callback_ids)),
            bot_id=view.sender.id,
            sender=sender,
            view=view,
            data=data,
            at=self.clock.now(),
        )
        self._callbacks[callback.id] = callback
        replied = self._rooms[view.chat.key].get(view.reply_to)
        self._tell(
            view.sender.id, "callback_query", callback_json(callback, replied), CALLBACK_LIFE
        )
        self._pulse.beat()
        return callback

    def callback(self, callback_id: str) -> Callback | None:
        """Return a tap as it stands, with its answer if there is one."""
        return self._callbacks.get(callback_id)

    def answer(self, callback: Callback, answer: CallbackAnswer) -> None:
        """Show a person the answer to a tap."""
        self._callbacks[callback.id] = replace(callback, answer=answer)
        self._pulse.beat()

    def queue(self, bot_id: int) -> UpdateQueue:
        """Return a bot's update queue."""
        return self._queues[bot_id]

    def redeliver(self, update_id: int) -> None:
        """Feed a bot an update that it may have had before, under the same id."""
        if update_id not in self._history:
            raise ValueError(f"no update {update_id} was ever made")
        bot_id, update = self._history[update_id]
        self._queues[bot_id].put_again(update)

    def updates(self, bot_id: int) -> list[Update]:
        """Return every update made for a bot, oldest first."""
        return [update for owner, update in self._history.values() if owner == bot_id]

    def _date(self) -> int:
        return int(self.clock.now())

    def _announce(self, kind: str, view: MessageView) -> None:
        room = self._rooms[view.chat.key]
        replied = room.get(view.reply_to)
        payload = message_json(view, replied)
        for member in room.members():
            bot = self._bots.get(member)
            if bot is not None and sees(bot, view, replied):
                self._tell(bot.id, kind, payload, DAY)
        self._pulse.beat()

    def _tell(self, bot_id: int, kind: str, payload: JsonObject, life: float) -> None:
        expires_at = self.clock.now() + life
        update = Update(
            id=next(self._update_ids), kind=kind, payload=payload, expires_at=expires_at
        )
        self._history[update.id] = (bot_id, update)
        self._queues[bot_id].put(update)
