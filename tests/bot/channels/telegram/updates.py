"""Updates as Telegram makes them, and the parser under test."""

from typing import Any

from comal_bot.channels.channel import Inbound
from comal_bot.channels.telegram.parse import parse

RITA = {"id": 5, "is_bot": False, "first_name": "Rita", "last_name": "Paz", "username": "rita"}
BOT = {"id": 7000000009, "is_bot": True, "first_name": "Acme", "username": "acme_bot"}
PRIVATE = {"id": 5, "type": "private", "first_name": "Rita"}
GROUP = {"id": -1002000000001, "type": "supergroup", "title": "Ops"}


def message(text: str | None = "hello", **fields: Any) -> dict[str, Any]:
    said = {} if text is None else {"text": text}
    body = {"message_id": 9, "date": 1, "chat": GROUP, "from": RITA, **said, **fields}
    return {"update_id": 11, "message": body}


def tap(**fields: Any) -> dict[str, Any]:
    return {"update_id": 12, "callback_query": {"id": "900", "from": RITA, **fields}}


def read(raw: Any) -> list[Inbound]:
    return parse(raw, channel="main", bot_id=7000000009, bot_username="acme_bot")


def one(raw: Any) -> Inbound:
    [inbound] = read(raw)
    return inbound


def command(text: str, **fields: Any) -> dict[str, Any]:
    entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
    return message(text, entities=[entity], **fields)
