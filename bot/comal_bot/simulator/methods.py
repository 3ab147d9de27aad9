"""The Bot API's methods on the world, refused where and as the server refuses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from .limits import ANSWER_LIMIT, read_content, read_markup
from .parameters import Parameters
from .refusal import Refusal, bad_request, forbidden
from .room import Room
from .updates import DAY, MAX_LIMIT, Poll
from .values import Bot, CallbackAnswer, Content, MessageView, Standing
from .wire import bot_json, full_chat_json, member_json, message_json
from .world import CALLBACK_LIFE, TelegramWorld

DELETABLE_FOR = 2 * DAY  # seconds. Source: Bot API, deleteMessage.
ACTIONS: Final = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly "
    "the same as a current content and reply markup of the message"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One method call: by which bot, with what."""

    world: TelegramWorld
    bot: Bot
    parameters: Parameters


Method = Callable[[Asked], object]


def _room(asked: Asked) -> Room:
    """Find the chat a bot names and may write to."""
    named = asked.parameters.text("chat_id")
    if not named:
        raise bad_request("chat_id is empty")
    number = asked.parameters.integer("chat_id")
    room = asked.world.room(number, asked.bot.id) if str(number) == named else None
    if room is None:
        user = asked.world.user(number)
        if user is not None and not user.is_bot:
            raise forbidden("bot can't initiate conversation with a user")
        raise bad_request("chat not found")
    match room.standing(asked.bot.id):
        case Standing.MEMBER:
            return room
        case Standing.LEFT:
            raise bad_request("chat not found")
        case Standing.KICKED if room.chat.private:
            raise forbidden("bot was blocked by the user")
        case Standing.KICKED:
            raise forbidden(f"bot was kicked from the {room.chat.kind.value} chat")


def _own_message(asked: Asked, room: Room) -> MessageView:
    """Find the message a bot wants to edit."""
    if not asked.parameters.text("message_id"):
        raise bad_request("message identifier is not specified")
    view = room.get(asked.parameters.integer("message_id"))
    if view is None or view.deleted:
        raise bad_request("message to edit not found")
    if view.sender.id != asked.bot.id:
        raise bad_request("message can't be edited")
    return view


def _reply_to(asked: Asked, room: Room) -> int | None:
    named = asked.parameters.decoded("reply_parameters", "can't parse reply parameters JSON object")
    message_id: object = asked.parameters.integer("reply_to_message_id")
    lenient = asked.parameters.flag("allow_sending_without_reply")
    if isinstance(named, Mapping):
        message_id = named.get("message_id")
        lenient = named.get("allow_sending_without_reply") is True
    if not message_id:
        return None
    view = room.get(message_id) if isinstance(message_id, int) else None
    if view is not None and not view.deleted:
        return view.id
    if lenient:
        return None
    raise bad_request("message to be replied not found")


def _shown(room: Room, view: MessageView) -> dict[str, object]:
    return message_json(view, room.get(view.reply_to))


def _get_me(asked: Asked) -> object:
    return bot_json(asked.bot)


def _send_message(asked: Asked) -> object:
    content = read_content(asked.parameters)
    room = _room(asked)
    reply_to = _reply_to(asked, room)
    return _shown(room, asked.world.post(room, asked.bot.user, content, reply_to=reply_to))


def _edit_text(asked: Asked) -> object:
    content = read_content(asked.parameters)
    return _edited(asked, lambda _: content)


def _edit_markup(asked: Asked) -> object:
    keyboard = read_markup(asked.parameters)
    return _edited(asked, lambda content: replace(content, keyboard=keyboard))


def _edited(asked: Asked, change: Callable[[Content], Content]) -> object:
    room = _room(asked)
    view = _own_message(asked, room)
    content = change(view.content)
    if content == view.content:
        raise bad_request(NOT_MODIFIED)
    return _shown(room, asked.world.revise(view, content))


def _delete_message(asked: Asked) -> object:
    room = _room(asked)
    view = room.get(asked.parameters.integer("message_id"))
    if view is None or view.deleted:
        raise bad_request("message to delete not found")
    theirs = view.sender.id != asked.bot.id and not room.chat.private
    if theirs or asked.world.clock.now() - view.date > DELETABLE_FOR:
        raise bad_request("message can't be deleted")
    asked.world.erase(view)
    return True


def _answer_callback(asked: Asked) -> object:
    text = asked.parameters.text("text")
    if len(text) > ANSWER_LIMIT:
        raise bad_request("MESSAGE_TOO_LONG")
    callback = asked.world.callback(asked.parameters.text("callback_query_id"))
    if callback is None or callback.bot_id != asked.bot.id or callback.answer is not None:
        raise bad_request(TOO_OLD)
    if asked.world.clock.now() - callback.at > CALLBACK_LIFE:
        raise bad_request(TOO_OLD)
    alert = asked.parameters.flag("show_alert")
    asked.world.answer(callback, CallbackAnswer(text=text, alert=alert))
    return True


def _send_action(asked: Asked) -> object:
    room = _room(asked)
    action = asked.parameters.text("action")
    if action not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    asked.world.show_action(room, asked.bot, action)
    return True


def _delete_webhook(asked: Asked) -> object:
    if asked.parameters.flag("drop_pending_updates"):
        asked.world.queue(asked.bot.id).forget()
    return True


def _webhook_info(asked: Asked) -> object:
    queue = asked.world.queue(asked.bot.id)
    body: dict[str, object] = {
        "url": "",
        "has_custom_certificate": False,
        "pending_update_count": queue.pending,
    }
    return body | ({"allowed_updates": sorted(queue.kinds)} if queue.kinds else {})


def _set_commands(asked: Asked) -> object:
    commands = asked.parameters.decoded("commands", "can't parse commands JSON object")
    if not isinstance(commands, list):
        raise bad_request("expected an Array of BotCommand")
    for command in commands:
        if not isinstance(command, Mapping) or not command.get("command"):
            raise bad_request("can't parse BotCommand: expected an Object")
    return True


def _get_chat(asked: Asked) -> object:
    return full_chat_json(_room(asked).chat)


def _get_member(asked: Asked) -> object:
    room = _room(asked)
    user = asked.world.user(asked.parameters.integer("user_id"))
    if user is None:
        raise bad_request("invalid user_id specified")
    return member_json(user, room.standing(user.id))


METHODS: Final[Mapping[str, Method]] = {
    "getme": _get_me,
    "sendmessage": _send_message,
    "editmessagetext": _edit_text,
    "editmessagereplymarkup": _edit_markup,
    "deletemessage": _delete_message,
    "answercallbackquery": _answer_callback,
    "sendchataction": _send_action,
    "deletewebhook": _delete_webhook,
    "getwebhookinfo": _webhook_info,
    "setmycommands": _set_commands,
    "getchat": _get_chat,
    "getchatmember": _get_member,
}
"""Every method but getUpdates, which waits; names in lower case, as the server compares them."""


def run(method: str, asked: Asked) -> object:
    """Carry out one method and return its JSON result.

    Raises:
        Refusal: As the server refuses it; 404 for an unknown method.
    """
    known = METHODS.get(method)
    if known is None:
        raise Refusal(404, "Not Found")
    return known(asked)


async def get_updates(asked: Asked) -> list[dict[str, object]]:
    """Wait for the bot's next updates, as long as it asked.

    Raises:
        Refusal: 409, when another poll of the same bot began meanwhile.
    """
    parameters = asked.parameters
    kinds = parameters.decoded("allowed_updates", "can't parse allowed_updates JSON object")
    if kinds is not None and not isinstance(kinds, list):
        raise bad_request("expected an Array of String as allowed_updates")
    limit = parameters.integer("limit", MAX_LIMIT)
    poll = Poll(
        offset=parameters.integer("offset"),
        limit=limit if 1 <= limit <= MAX_LIMIT else MAX_LIMIT,
        timeout=max(0, parameters.integer("timeout")),
        kinds=None if kinds is None else frozenset(str(kind) for kind in kinds),
    )
    return [update.wire() for update in await asked.world.queue(asked.bot.id).take(poll)]
