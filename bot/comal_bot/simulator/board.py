"""Everything the page shows, as one JSON-shaped state with a version that grows."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass

from .cast import Cast, Player
from .child import Child, Launch
from .folder import DemoFolder
from .ledger import ledger, start_over
from .looking import Stored, look
from .people import Press
from .pulse import Pulse
from .values import Button, Callback, Chat, MessageView, Standing
from .wire import entity_json

State = dict[str, object]

_LOOK_EVERY = 0.5  # seconds
_BURST = 0.03  # seconds that changes gather before they are shown
_MESSAGES = 200  # of a chat, at most
_TAPS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Tapped:
    """A tap made on the page: by whom, on what, and its answer once there is one."""

    player: Player
    view: MessageView
    data: str
    press: Press


class Board:
    """Watches the world, the stored data and the bot's process, and says when they change."""

    def __init__(self, cast: Cast, folder: DemoFolder, launch: Launch) -> None:
        self.cast = cast
        self.folder = folder
        self._pulse = Pulse()
        self.child = Child(launch, self._pulse.beat)
        self.stored = Stored()
        self.taps: deque[Tapped] = deque(maxlen=_TAPS)
        self.ending = asyncio.Event()  # set when the demo begins to end
        self._closing = False

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch until the end of the block; then everybody who waits is let go."""
        tasks = [asyncio.create_task(work()) for work in (self._follow_world, self._follow_data)]
        try:
            yield
        finally:
            self._closing = True
            self._pulse.beat()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def tap(self, player: Player, view: MessageView, data: str) -> Press:
        """Send a tap as any client could, buttons and membership aside, and keep it in sight."""
        callback: Callback = self.cast.world.tap(view, player.person.user, data)
        press = Press(self.cast.world, callback.id)
        self.taps.append(Tapped(player=player, view=view, data=data, press=press))
        self._pulse.beat()
        return press

    async def look_again(self) -> Stored:
        """Read what is stored now."""
        found = await look(self.folder)
        if found != self.stored:
            self.stored = found
            self._pulse.beat()
        return found

    async def start_over(self) -> None:
        """Put the shop's data back to how they were at the start."""

        def reset() -> None:
            with ledger(self.folder.shop) as db:
                start_over(db)

        await asyncio.to_thread(reset)
        await self.look_again()

    async def state(self, after: int, timeout: float) -> State:
        """Return the state once its version is above `after`, or as it is after `timeout`."""
        if after == self._pulse.version and not self._closing:
            await self._pulse.wait(after, timeout)
            await asyncio.sleep(_BURST)
        return {
            "version": self._pulse.version,
            "bot": asdict(self.child.view) | {"id": self.cast.bot.id, "name": self._bot_name()},
            "people": [_player(player) for player in self.cast.players],
            "chats": [self._chat(chat) for chat in self.cast.chats],
            "taps": [_tapped(tap) for tap in self.taps],
            "stored": asdict(self.stored),
        }

    def _bot_name(self) -> str:
        return self.cast.bot.user.username or self.cast.bot.user.name

    def _chat(self, chat: Chat) -> State:
        world = self.cast.world
        room, now = world.room(chat), world.clock.now()
        standings = {} if room is None else room.standings
        views = world.transcript(chat)[-_MESSAGES:]
        return {
            "key": chat.key,
            "id": chat.id,
            "title": chat.title,
            "private": chat.private,
            "members": [user for user, how in standings.items() if how is Standing.MEMBER],
            "typing": max((a.until - now for a in world.actions(chat)), default=0.0),
            "messages": [_message(view) for view in views],
        }

    async def _follow_world(self) -> None:
        world = self.cast.world
        seen = world.version
        while True:
            newer = await world.wait_for_change(seen, 3600.0)
            if newer != seen:
                seen = newer
                self._pulse.beat()

    async def _follow_data(self) -> None:
        while True:
            await self.look_again()
            await asyncio.sleep(_LOOK_EVERY)


def _player(player: Player) -> State:
    return {"id": player.id, "name": player.name, "role": player.role, "about": player.about}


def _tapped(tap: Tapped) -> State:
    answer = tap.press.answer
    return {
        "id": tap.press.id,
        "person": tap.player.id,
        "chat": tap.view.chat.key,
        "message": tap.view.id,
        "data": tap.data,
        "answered": answer is not None,
        "text": "" if answer is None else answer.text,
        "alert": answer is not None and answer.alert,
    }


def _message(view: MessageView) -> State:
    keyboard = view.content.keyboard
    rows = () if keyboard is None else keyboard.rows
    return {
        "id": view.id,
        "from": view.sender.id,
        "name": view.sender.name,
        "bot": view.sender.is_bot,
        "date": view.date,
        "edited": view.edit_date,
        "edits": len(view.history),
        "deleted": view.deleted,
        "reply_to": view.reply_to,
        "text": view.text,
        "entities": [entity_json(entity) for entity in view.content.entities],
        "buttons": [[_button(button) for button in row] for row in rows],
    }


def _button(button: Button) -> State:
    return {"label": button.label, "data": button.data, "style": button.wire.get("style")}
