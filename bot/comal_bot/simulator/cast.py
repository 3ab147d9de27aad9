"""Who plays in the demo: four people, one bot and their chats."""

import secrets
from dataclasses import dataclass
from typing import Final

from .people import Person
from .values import Bot, Chat
from .world import TelegramWorld

SHOPKEEPER: Final = "shopkeeper"
GUEST: Final = "guest"
APPROVERS: Final = "approver"
BOT_NAME: Final = "comal_bot"
_BOT_ID = 7_000_000_001


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One person: `role` is what the settings give them, `about` tells the page's reader."""

    person: Person
    role: str
    about: str

    @property
    def id(self) -> int:
        """The person's user id."""
        return self.person.id

    @property
    def name(self) -> str:
        """What they are called."""
        return self.person.user.name

    @property
    def principal(self) -> str:
        """What the host knows them as."""
        return f"telegram:{self.person.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Everybody and every chat. Rosa is in the approvers' chat, and may approve nothing of hers."""

    world: TelegramWorld
    bot: Bot
    rosa: Player
    bruno: Player
    ana: Player
    andres: Player
    shop_floor: Chat
    approvers: Chat

    @property
    def players(self) -> tuple[Player, ...]:
        """The people, in the order they are shown."""
        return (self.rosa, self.bruno, self.ana, self.andres)

    @property
    def chats(self) -> tuple[Chat, ...]:
        """The chats, in the order they are shown."""
        return tuple(self.world.chats())

    def player(self, user_id: int) -> Player | None:
        """Return the player with this id."""
        return next((player for player in self.players if player.id == user_id), None)


def assemble(world: TelegramWorld) -> Cast:
    """Let everybody exist in `world`."""
    bot = world.add_bot(f"{_BOT_ID}:{secrets.token_urlsafe(27)}", BOT_NAME)
    rosa = Player(
        person=Person(world, 1001, "Rosa", "rosa"),
        role=SHOPKEEPER,
        about="runs the shop",
    )
    bruno = Player(
        person=Person(world, 1002, "Bruno", "bruno"),
        role=GUEST,
        about="may look, not change",
    )
    ana = Player(person=Person(world, 1003, "Ana", "ana"), role=APPROVERS, about="approves refunds")
    andres = Player(
        person=Person(world, 1004, "Andrés", "andres"), role=APPROVERS, about="approves refunds"
    )
    rosa.person.chat_with(bot)
    bruno.person.chat_with(bot)
    return Cast(
        world=world,
        bot=bot,
        rosa=rosa,
        bruno=bruno,
        ana=ana,
        andres=andres,
        shop_floor=world.create_group("Shop floor", [rosa.id, bruno.id, ana.id, bot.id]),
        approvers=world.create_group("Approvers", [ana.id, andres.id, rosa.id, bot.id]),
    )
