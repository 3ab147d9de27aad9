"""The kinds of text a setting may hold, each judged with words that end a sentence."""

import re
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from comal_renderers.i18n import LANGUAGES
from comal_runtime.consent.overriding import BREAK_GLASS, OS_USER
from comal_runtime.consent.policies import Policy as Policies
from comal_runtime.consent.terms import REQUESTER
from comal_runtime.redact import redact_text

from .wording import choose, listed, wrong

PROVIDERS: Final = ("openai-chat", "scripted", "openai", "ollama")
LATER_PROVIDERS: Final = ("openai-responses", "anthropic")
CHANNEL_TYPES: Final = ("telegram",)
LATER_CHANNEL_TYPES: Final = ("web", "console", "mcp")
LIBRARIES: Final = ("native",)
LATER_LIBRARIES: Final = ("aiogram", "python-telegram-bot")
POLICIES: Final = tuple(str(policy) for policy in Policies)

SQLITE: Final = "sqlite:///"
# Source: core.telegram.org/bots/features, "Generating an authentication token".
_TOKEN: Final = re.compile(r"\d+:[\w-]+", re.ASCII)
_NAME: Final = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
_APPROVER: Final = re.compile(r"role:[^\s:]+|person:.*\S|telegram:[0-9]+|os:\S+", re.ASCII)
_ROLE: Final = re.compile(r"role:[^\s:]+")
_KINDS: Final = ("role", "rule", "person")
_CARD: Final = re.compile(r"[^\s:]+:-?[0-9]+(?::[0-9]+)?")


def _language(value: str) -> str:
    primary = value.replace("_", "-").split("-")[0].lower()
    if primary not in LANGUAGES:
        raise wrong(f"is {value!r}; allowed: {listed(sorted(LANGUAGES))}")
    return value


def _database(value: str) -> str:
    if value.startswith(("postgresql:", "postgres:", "postgresql+")):
        raise wrong("names PostgreSQL, which is not available yet; use 'sqlite:///comal.db'")
    if value == f"{SQLITE}:memory:":
        raise wrong("is in memory, where questions would be forgotten; name a file")
    if not value.startswith(SQLITE) or not value.removeprefix(SQLITE):
        shown = redact_text(value)
        raise wrong(f"is {shown!r}; allowed: 'sqlite:///' and a file, as in 'sqlite:///comal.db'")
    return value


def _web_address(value: str) -> str:
    if value and not _is_web_address(value):
        raise wrong(
            f"is {redact_text(value)!r}; allowed: a full address such as 'https://host/v1', "
            "without user, password, query or fragment"
        )
    return value.rstrip("/")


def _is_web_address(value: str) -> bool:
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        return False
    more = url.username or url.password or url.query or url.fragment
    return url.scheme in ("http", "https") and bool(url.hostname) and port != 0 and not more


def _header(value: SecretStr) -> SecretStr:
    secret = value.get_secret_value()
    if not (secret.isascii() and secret.isprintable()):
        raise wrong("holds a character that no header can carry, such as a line break")
    return value


def _token(value: SecretStr) -> SecretStr:
    secret = value.get_secret_value()
    if secret and not _TOKEN.fullmatch(secret):
        raise wrong(
            f"holds {len(secret)} characters that are no bot's token; @BotFather gives one, "
            "digits, a colon and a long rest"
        )
    return value


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise wrong(f"{value!r} is no name; allowed: a-z, 0-9, and single - or _ between them")
    return value


def _channel_name(value: str) -> str:
    if value in (BREAK_GLASS, OS_USER, *_KINDS):
        raise wrong(f"{value!r} already means somebody's right; give the channel another name")
    return _name(value)


def _identity(value: str) -> str:
    channel, _, rest = value.partition(":")
    if channel == "telegram" and not (rest.isascii() and rest.isdigit()):
        raise wrong(f"is {value!r}; allowed: 'telegram:' and the person's number, not a name")
    if not channel or not rest:
        raise wrong(f"is {value!r}; allowed: '<channel>:<id>', as in 'telegram:42'")
    if channel == BREAK_GLASS:
        raise wrong(f"is {value!r}, which nobody is for good; an OS user is 'os:<login>'")
    return value


def _approver(value: str) -> str:
    if value == REQUESTER:
        raise wrong(f"is {value!r}, who never approves their own call; name others")
    if not _APPROVER.fullmatch(value):
        raise wrong(
            f"is {value!r}; allowed: 'role:<name>', 'person:<name>', 'telegram:<number>' or "
            "'os:<login>'"
        )
    return value


def _caller(value: str) -> str:
    if value.startswith("role:"):
        if not _ROLE.fullmatch(value):
            raise wrong(f"is {value!r}; allowed: 'role:' and the role's name")
        return value
    return _identity(value)


def _card(value: str) -> str:
    if not _CARD.fullmatch(value):
        raise wrong(f"is {value!r}; allowed: '<channel>:<chat number>' or with ':<thread>' after")
    return value


def _provider(value: str) -> str:
    known = choose(value.lower(), PROVIDERS, LATER_PROVIDERS)
    return "openai-chat" if known == "openai" else known


def _channel_type(value: str) -> str:
    return choose(value, CHANNEL_TYPES, LATER_CHANNEL_TYPES)


def _library(value: str) -> str:
    return choose(value, LIBRARIES, LATER_LIBRARIES)


def _policy(value: str) -> str:
    return choose(value, POLICIES)


Text = Annotated[str, StringConstraints(min_length=1)]
Name = Annotated[str, AfterValidator(_name)]
ChannelName = Annotated[str, AfterValidator(_channel_name)]
Language = Annotated[str, AfterValidator(_language)]
DatabaseUrl = Annotated[str, AfterValidator(_database)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
ApiKey = Annotated[SecretStr, Field(repr=False), AfterValidator(_header)]
BotToken = Annotated[SecretStr, Field(repr=False), AfterValidator(_token)]
Provider = Annotated[str, AfterValidator(_provider)]
ChannelType = Annotated[str, AfterValidator(_channel_type)]
Library = Annotated[str, AfterValidator(_library)]
Policy = Annotated[str, AfterValidator(_policy)]
Identity = Annotated[str, AfterValidator(_identity)]
Caller = Annotated[str, AfterValidator(_caller)]
Approver = Annotated[str, AfterValidator(_approver)]
Card = Annotated[str, AfterValidator(_card)]
