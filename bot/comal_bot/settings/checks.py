"""What can be judged only by looking at several settings together."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from .problems import Problem, Setting, variable_for
from .values import Settings

MAIN = "main"
"""The channel that exists when none is configured."""

_API_KEY: Final[Setting] = ("model", "api_key")


def across(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong between settings that are right by themselves."""
    yield from _people(settings)
    yield from _routes(settings)


def before_serving(settings: Settings) -> Iterator[Problem]:
    """Yield what is still missing before people can be served."""
    for name, channel in settings.channels.items():
        if not channel.token.get_secret_value():
            yield Problem(path=("channels", name, "token"), text="is not set; @BotFather gives one")
    if settings.model.provider != "scripted" and not settings.model.name:
        text = "is not set; it is the model's name at its host, such as 'qwen3'"
        yield Problem(path=("model", "name"), text=text)
    if settings.model.provider == "openai-chat" and not _has_model_host(settings):
        text = (
            f"is not set and neither is {variable_for(_API_KEY)}: {settings.model.address} wants a "
            "key, and any other server its address, such as 'http://127.0.0.1:11434/v1'"
        )
        yield Problem(path=("model", "base_url"), text=text, beside=(_API_KEY,))


def _has_model_host(settings: Settings) -> bool:
    return bool(settings.model.base_url or settings.model.api_key.get_secret_value())


def _people(settings: Settings) -> Iterator[Problem]:
    names: set[str] = set()
    owners: dict[str, str] = {}
    for number, person in enumerate(settings.people):
        if person.name in names:
            text = f"{person.name!r} is another person's already; give one of them another name"
            yield Problem(path=("people", number, "name"), text=text)
        names.add(person.name)
        for place, identity in enumerate(person.identities):
            owner = owners.setdefault(identity, person.name)
            if owner != person.name:
                text = f"{identity!r} is {owner}'s already; one identity is one person's"
                yield Problem(path=("people", number, "identities", place), text=text)


def _routes(settings: Settings) -> Iterator[Problem]:
    titles: set[str] = set()
    for number, route in enumerate(settings.routes):
        if not route.approvers:
            text = "is empty, so nobody could ever decide; name people or roles"
            yield Problem(path=("routes", number, "approvers"), text=text)
        if route.title in titles:
            text = f"{route.title!r} is another route's already; give one of them another name"
            yield Problem(path=("routes", number, "name"), text=text)
        titles.add(route.title)
        yield from _approvers(settings, number)
        yield from _cards(settings, number)


def _approvers(settings: Settings, number: int) -> Iterator[Problem]:
    held = chain.from_iterable(person.roles for person in settings.people)
    roles = sorted({*settings.roles, *held})
    for place, approver in enumerate(settings.routes[number].approvers):
        kind, _, name = approver.partition(":")
        if kind == "role" and name not in roles:
            known = ", ".join(roles) or "(none)"
            text = f"{approver!r} is a role that nobody holds; known roles: {known}"
            yield Problem(path=("routes", number, "approvers", place), text=text)


def _cards(settings: Settings, number: int) -> Iterator[Problem]:
    channels = sorted(settings.channels) or [MAIN]
    for place, card in enumerate(settings.routes[number].cards):
        channel, _, _ = card.partition(":")
        if channel not in channels:
            text = f"{card!r} hangs on no channel of yours; channels: {', '.join(channels)}"
            yield Problem(path=("routes", number, "cards", place), text=text)
