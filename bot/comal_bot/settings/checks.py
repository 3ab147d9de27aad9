"""What can be judged only by looking at several settings together."""

from collections.abc import Iterator, Sequence
from typing import Final

from comal_runtime.consent import BadRoute

from .admission import pairing
from .judging import policies, rules, unheld
from .problems import Problem, Setting, variable_for
from .routes import approvers_in, cards_in
from .values import Settings

MAIN = "main"
"""The channel that exists when none is configured."""

_API_KEY: Final[Setting] = ("model", "api_key")


def across(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong between settings that are right by themselves."""
    yield from _people(settings)
    yield from _routes(settings)
    yield from policies(settings)
    yield from rules(settings)
    yield from pairing(settings)


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
        path: Setting = ("routes", number)
        if route.title in titles:
            text = f"{route.title!r} is another route's already; give one of them another name"
            yield Problem(path=(*path, "name"), text=text)
        titles.add(route.title)
        try:
            settings.named.made(route)
        except BadRoute as error:
            for fault in error.faults:
                yield Problem(path=(*path, *fault.path), text=fault.text)
        for place, approvers in approvers_in(route):
            yield from unheld(settings, (*path, *place), approvers)
        for place, cards in cards_in(route):
            yield from _nowhere(settings, (*path, *place), cards)


def _nowhere(settings: Settings, path: Setting, cards: Sequence[str]) -> Iterator[Problem]:
    channels = sorted(settings.channels) or [MAIN]
    for place, card in enumerate(cards):
        channel, _, _ = card.partition(":")
        if channel not in channels:
            text = f"{card!r} hangs on no channel of yours; channels: {', '.join(channels)}"
            yield Problem(path=(*path, place), text=text)
