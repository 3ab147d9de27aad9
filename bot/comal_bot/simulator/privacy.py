"""Which messages a bot is shown."""

from .entities import piece
from .values import Bot, Entity, MessageView


def sees(bot: Bot, view: MessageView, replied: MessageView | None) -> bool:
    """Tell whether the server hands `view` to `bot`, a member of its chat.

    Bots never see bots. With privacy on, a group shows a bot commands that are not for another
    bot, mentions of it and replies to it.
    """
    if view.sender.is_bot:
        return False
    if view.chat.private or not bot.privacy:
        return True
    if replied is not None and replied.sender.id == bot.id:
        return True
    return any(_means(bot, view.text, entity) for entity in view.content.entities)


def _means(bot: Bot, text: str, entity: Entity) -> bool:
    written, at, target = piece(text, entity).partition("@")
    ours = target.casefold() == (bot.user.username or "").casefold()
    match entity.kind:
        case "bot_command":
            return ours or not at
        case "mention":
            return ours and not written
        case _:
            return False
