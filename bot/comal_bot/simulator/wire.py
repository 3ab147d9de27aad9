"""The values of the world as the Bot API's JSON."""

from .values import Bot, Callback, Chat, Content, Entity, MessageView, Standing, User


def user_json(user: User) -> dict[str, object]:
    """Return a User."""
    body: dict[str, object] = {"id": user.id, "is_bot": user.is_bot, "first_name": user.name}
    if user.username is not None:
        body["username"] = user.username
    if not user.is_bot:
        body["language_code"] = "en"
    return body


def bot_json(bot: Bot) -> dict[str, object]:
    """Return the User of getMe."""
    return user_json(bot.user) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not bot.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def chat_json(chat: Chat) -> dict[str, object]:
    """Return a Chat."""
    body: dict[str, object] = {"id": chat.id, "type": chat.kind.value}
    if not chat.private:
        return body | {"title": chat.title}
    body["first_name"] = chat.title
    if chat.username is not None:
        body["username"] = chat.username
    return body


def full_chat_json(chat: Chat) -> dict[str, object]:
    """Return a ChatFullInfo with its required fields."""
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription")
    return chat_json(chat) | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys((*gifts, "gifts_from_channels"), False),
    }


def message_json(view: MessageView, replied: MessageView | None = None) -> dict[str, object]:
    """Return a Message; `replied` is what it replies to."""
    body: dict[str, object] = {
        "message_id": view.id,
        "from": user_json(view.sender),
        "chat": chat_json(view.chat),
        "date": view.date,
    }
    if view.edit_date is not None:
        body["edit_date"] = view.edit_date
    if replied is not None:
        body["reply_to_message"] = message_json(replied)
    return body | _content_json(view.content)


def _content_json(content: Content) -> dict[str, object]:
    body: dict[str, object] = {"text": content.text}
    if content.entities:
        body["entities"] = [entity_json(entity) for entity in content.entities]
    if content.keyboard is not None:
        rows = [[dict(button.wire) for button in row] for row in content.keyboard.rows]
        body["reply_markup"] = {"inline_keyboard": rows}
    return body


def entity_json(entity: Entity) -> dict[str, object]:
    """Return a MessageEntity."""
    place = {"type": entity.kind, "offset": entity.offset, "length": entity.length}
    return place | dict(entity.extra)


def callback_json(callback: Callback, replied: MessageView | None) -> dict[str, object]:
    """Return a CallbackQuery; a deleted message comes as an InaccessibleMessage."""
    view = callback.view
    message: dict[str, object] = message_json(view, replied)
    if view.deleted:
        message = {"chat": chat_json(view.chat), "message_id": view.id, "date": 0}
    return {
        "id": callback.id,
        "from": user_json(callback.sender),
        "message": message,
        "chat_instance": str(view.chat.id * 1_000_003 + (view.chat.bot_id or 0)),
        "data": callback.data,
    }


def member_json(user: User, standing: Standing) -> dict[str, object]:
    """Return a ChatMember."""
    body: dict[str, object] = {"user": user_json(user), "status": standing.value}
    if standing is Standing.KICKED:
        body["until_date"] = 0
    return body
