"""The Telegram channel: one bot, its updates in, its messages out."""

import asyncio
import logging
import random
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self, assert_never

from comal_renderers.descriptor import TELEGRAM, Descriptor
from comal_runtime.http.client import HttpError

from ..channel import (
    Ack,
    Address,
    Body,
    ChannelError,
    Delete,
    Denied,
    Inbound,
    Raw,
    Receipt,
    Signal,
    Sink,
    Typing,
    Uncertain,
    Unsupported,
)
from .addressing import Bot
from .client import BotApi, BotApiError
from .errors import ContentRefused, blames_formatting, channel_error, is_already_so
from .parse import parse
from .polling import DEFAULT_POLLING, Chance, Poller, Polling, Sleep
from .utf16 import cut

log = logging.getLogger(__name__)

ACK_LIMIT: Final = 200  # characters. Source: Bot API, answerCallbackQuery.
_BODY: Final = frozenset({"text", "entities", "reply_markup", "reply_to"})
_NO_PREVIEW: Final = {"link_preview_options": {"is_disabled": True}}


class TelegramChannel:
    """One bot on Telegram; enter it before use: it asks the server who it is.

    Pacing and remembering `after` are the caller's; a call here is one attempt.
    """

    def __init__(
        self,
        name: str,
        api: BotApi,
        *,
        commands: Sequence[tuple[str, str]] = (),
        polling: Polling = DEFAULT_POLLING,
        sleep: Sleep = asyncio.sleep,
        chance: Chance = random.random,
    ) -> None:
        self._name = name
        self._api = api
        self._commands = tuple(commands)
        self._poller = Poller(api, channel=name, polling=polling, sleep=sleep, chance=chance)
        self._bot: Bot | None = None

    @property
    def name(self) -> str:
        """The instance's name in the settings, such as `main`."""
        return self._name

    @property
    def descriptor(self) -> Descriptor:
        """What Telegram can show."""
        return TELEGRAM

    @property
    def bot(self) -> Bot:
        """This bot, as the server tells it."""
        if self._bot is None:
            raise RuntimeError(f"channel {self._name!r} is not open; use it in `async with`")
        return self._bot

    async def __aenter__(self) -> Self:
        """Learn who the bot is, end a webhook (waiting updates stay), publish the commands.

        Raises:
            Retry: The server cannot be reached now.
            Denied: The token is refused; the text names the setting.
        """
        self._bot = _identity(await self._call("getMe", {}))
        await self._call("deleteWebhook", {"drop_pending_updates": False})
        await self._publish_commands()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close nothing: the HTTP client belongs to whoever made it."""

    def parse(self, raw: Raw) -> list[Inbound]:
        """Read one update.

        Raises:
            ValueError: The update is broken; the text names the field.
        """
        bot = self.bot
        return parse(raw, channel=self._name, bot_id=bot.id, bot_username=bot.username)

    async def listen(self, sink: Sink) -> None:
        """Poll until cancelled; an update is confirmed only after `sink` returned.

        What is no object at all reaches the sink as `{"malformed": ...}`.
        """
        await self._poller.run(sink)

    async def deliver(self, target: Address, body: Body) -> Receipt:
        """Send one message: `text`, and, if wanted, `entities`, `reply_markup` and `reply_to`.

        A message that `reply_to` names and that is there no more is not replied to.

        Raises:
            Retry, Uncertain, Denied: What may be done next.
        """
        params = {**_content(body), **_reply(target, body), **_place(target)}
        match await self._call("sendMessage", params):
            case {"message_id": int(message)}:
                return Receipt(address=target, message=str(message))
            case _:
                raise Uncertain("sendMessage: accepted, but the answer names no message")

    async def amend(self, receipt: Receipt, body: Body) -> None:
        """Replace a message; without `reply_markup` its buttons go.

        If the new text is refused, or the message can take no other, the buttons still become
        those of `body`, so that a decided card keeps none; the refusal is raised all the same, as
        `lost` where not even that was possible.

        Raises:
            Retry, Denied: What may be done next.
        """
        message = _message(receipt.address, receipt.message)
        try:
            await self._call("editMessageText", {**_content(body), **message})
        except ContentRefused as refused:
            await self._replace_buttons(message, body, refused)
            raise

    async def signal(self, target: Address, signal: Signal) -> None:
        """Acknowledge a tap, show typing (5 s) or delete; being too late is success.

        Raises:
            Retry, Denied: What may be done next.
        """
        match signal:
            case Ack():
                await self._call("answerCallbackQuery", _answer(signal))
            case Typing():
                await self._call("sendChatAction", {**_place(target), "action": "typing"})
            case Delete(message=message):
                await self._call("deleteMessage", _message(target, message))
            case _:
                assert_never(signal)

    async def _replace_buttons(
        self, message: Mapping[str, Any], body: Body, refused: ContentRefused
    ) -> None:
        markup = body.get("reply_markup")
        buttons = {} if markup is None else {"reply_markup": markup}
        try:
            await self._call("editMessageReplyMarkup", {**message, **buttons})
        except Denied:
            raise Denied(str(refused), lost=True) from None  # the first refusal tells more

    async def _publish_commands(self) -> None:
        if not self._commands:  # an empty list would wipe what the bot's owner set
            return
        commands = [{"command": name, "description": text} for name, text in self._commands]
        try:
            await self._call("setMyCommands", {"commands": commands})
        except ChannelError as error:
            log.warning("commands.unpublished", extra={"channel": self._name, "cause": str(error)})

    async def _call(self, method: str, params: Mapping[str, Any]) -> Any:
        try:
            return await self._formatted(method, params)
        except (HttpError, BotApiError) as error:
            if is_already_so(error, method):
                return True
            raise channel_error(error, method=method, channel=self._name) from error

    async def _formatted(self, method: str, params: Mapping[str, Any]) -> Any:
        """Call; if the entities are refused, call once more with the text alone."""
        try:
            return await self._api.call(method, params)
        except BotApiError as error:
            if "entities" not in params or not blames_formatting(error):
                raise
            facts = {"channel": self._name, "method": method, "cause": error.description}
            log.warning("entities.refused", extra=facts)
        plain = {key: value for key, value in params.items() if key != "entities"}
        return await self._api.call(method, plain)


def _identity(result: object) -> Bot:
    match result:
        case {"id": int(number), "username": str(username)}:
            return Bot(id=number, username=username)
        case _:
            raise Denied("getMe: the answer names no bot; is api_base a Bot API server?")


def _content(body: Body) -> dict[str, Any]:
    """Return what `body` says, for a send or an edit.

    Raises:
        Unsupported: The body holds something else than what `deliver` takes.
    """
    unknown = sorted(body.keys() - _BODY)
    if unknown:
        raise Unsupported(f"telegram sends {', '.join(sorted(_BODY))}; found {unknown!r}")
    said = {key: value for key, value in body.items() if value is not None and key != "reply_to"}
    return {**said, **_NO_PREVIEW}


def _reply(address: Address, body: Body) -> dict[str, Any]:
    message = body.get("reply_to")
    if message is None:
        return {}
    named = {"message_id": _number(message, address), "allow_sending_without_reply": True}
    return {"reply_parameters": named}


def _place(address: Address) -> dict[str, Any]:
    place: dict[str, Any] = {"chat_id": _number(address.chat, address)}
    if address.thread is not None:
        place["message_thread_id"] = _number(address.thread, address)
    return place


def _message(address: Address, message: str) -> dict[str, Any]:
    return {"chat_id": _number(address.chat, address), "message_id": _number(message, address)}


def _number(text: str, address: Address) -> int:
    try:
        return int(text)
    except ValueError:
        raise Denied(f"{text!r} is no Telegram id ({address}); expected a whole number") from None


def _answer(ack: Ack) -> dict[str, Any]:
    answer: dict[str, Any] = {"callback_query_id": ack.callback, "show_alert": ack.alert}
    text = cut(ack.text, ACK_LIMIT)
    return {**answer, "text": text} if text else answer
