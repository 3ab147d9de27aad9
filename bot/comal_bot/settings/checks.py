"""What can be judged only by looking at several settings together."""

from collections.abc import Iterator
from typing import Final

from comal_runtime.consent.policies import Policy, unfit
from comal_runtime.consent.route import ONLY_A_RULE

from .judging import policies, rules, unheld
from .problems import Problem, Setting, variable_for
from .values import RouteSettings, Settings
from .wording import listed

MAIN = "main"
"""The channel that exists when none is configured."""

_API_KEY: Final[Setting] = ("model", "api_key")


def across(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong between settings that are right by themselves."""
    yield from _people(settings)
    yield from _routes(settings)
    yield from policies(settings)
    yield from rules(settings)


def before_serving(settings: Settings) -> Iterator[Problem]:
    """Yield what is still missing before people can be served."""
    yield from _too_few(settings)
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
        yield from _policy(number, route)
        if route.title in titles:
            text = f"{route.title!r} is another route's already; give one of them another name"
            yield Problem(path=("routes", number, "name"), text=text)
        titles.add(route.title)
        yield from unheld(settings, ("routes", number, "approvers"), route.approvers)
        yield from _cards(settings, number)


def _policy(number: int, route: RouteSettings) -> Iterator[Problem]:
    wrong = unfit(route.policy, route.k, route.rule, route.reject_threshold)
    if wrong is not None:
        yield Problem(path=("routes", number, wrong.field), text=wrong.text)
    by_rule = route.policy == Policy.AUTO
    if route.approvers and by_rule:
        yield Problem(path=("routes", number, "approvers"), text=ONLY_A_RULE)
    if not route.approvers and not by_rule:
        text = "is empty, so nobody could ever decide; name people or roles"
        yield Problem(path=("routes", number, "approvers"), text=text)


def _too_few(settings: Settings) -> Iterator[Problem]:
    """Yield the routes that ask for more people than there are."""
    for number, route in enumerate(settings.routes):
        if route.policy == Policy.AUTO:
            continue
        people = approvers_of(settings, route)
        needed = route.needed
        who = f"{listed(sorted(people))} may" if people else "nobody may"
        if len(people) < needed:
            text = f"needs {needed} to say yes, and of the people in the settings {who}"
            yield Problem(path=("routes", number, "approvers"), text=text)
        elif len(people) < route.reject_threshold:
            text = f"is {route.reject_threshold}, and of the people in the settings {who} say no"
            yield Problem(path=("routes", number, "reject_threshold"), text=text)


def approvers_of(settings: Settings, route: RouteSettings) -> frozenset[str]:
    """Return the names of those who may decide on a route; a stranger is called by its id."""
    held: set[str] = set()
    for approver in route.approvers:
        kind, _, name = approver.partition(":")
        found = {
            person.name
            for person in settings.people
            if (name in person.roles if kind == "role" else approver in person.identities)
        }
        held |= found or (set() if kind == "role" else {approver})
    return frozenset(held)


def _cards(settings: Settings, number: int) -> Iterator[Problem]:
    channels = sorted(settings.channels) or [MAIN]
    for place, card in enumerate(settings.routes[number].cards):
        channel, _, _ = card.partition(":")
        if channel not in channels:
            text = f"{card!r} hangs on no channel of yours; channels: {', '.join(channels)}"
            yield Problem(path=("routes", number, "cards", place), text=text)
