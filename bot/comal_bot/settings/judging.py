"""What can be judged of policies and rules only by looking at several of their settings."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from .policies import ACCEPTED, CHAT_CHANNELS, PolicySettings
from .problems import Problem, Setting, hint
from .values import Settings

OWNER_ROLE: Final = "owner"
"""The role that is always there: its first holder comes by a code, while the host serves."""


def held_roles(settings: Settings) -> list[str]:
    """Return every role there is: those that are listed and those that somebody holds."""
    held = chain.from_iterable(person.roles for person in settings.people)
    return sorted({*settings.roles, *held})


def unheld(settings: Settings, path: Setting, named: Sequence[str]) -> Iterator[Problem]:
    """Yield each `role:<name>` among `named`, a list at `path`, that nobody holds."""
    roles = held_roles(settings)
    for place, one in enumerate(named):
        kind, _, name = one.partition(":")
        if kind == "role" and name not in (*roles, OWNER_ROLE):
            known = ", ".join(roles) or "(none)"
            text = f"{one!r} is a role that nobody holds; known roles: {known}"
            yield Problem(path=(*path, place), text=text)


def policies(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with the channels' policies."""
    gate = settings.policy.gate()
    for channel, said in settings.policy:
        policy = gate.channel_policy(channel)
        unconfirmed = channel in CHAT_CHANNELS and not policy.require_confirmation_for_mutating
        if unconfirmed and not said.i_accept_unconfirmed_changes:
            text = (
                "is false, so that whatever a model calls there would change things without "
                f"anybody's yes; {ACCEPTED} = true beside it says that this is meant"
            )
            path = ("policy", channel, "require_confirmation_for_mutating")
            yield Problem(path=path, text=text)
        if said.block_mutating and policy.allow_all:
            text = "is true beside allow_all, which lets everything through; set allow_all = false"
            yield Problem(path=("policy", channel, "block_mutating"), text=text)


def rules(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with the rules."""
    ids: set[str] = set()
    for number, rule in enumerate(settings.rules):
        path = ("rules", number)
        if rule.id in ids:
            text = f"{rule.id!r} is another rule's already; give one of them another id"
            yield Problem(path=(*path, "id"), text=text)
        ids.add(rule.id)
        if rule.effect == "deny" and rule.scopes:
            text = "say nothing: a rule denies everybody it fits; an 'allow' asks for scopes"
            yield Problem(path=(*path, "scopes"), text=text)
        for name in ("tools", "channels"):
            if not getattr(rule, name):
                text = "is empty, so that the rule would be about nothing; '*' means all"
                yield Problem(path=(*path, name), text=text)
        yield from _unknown_channels((*path, "channels"), rule.channels)
        yield from unheld(settings, (*path, "principals"), rule.principals)


def _unknown_channels(path: Setting, named: Sequence[str]) -> Iterator[Problem]:
    known = tuple(PolicySettings.model_fields)
    for place, one in enumerate(named):
        if not set("*?[") & set(one) and one not in known:
            yield Problem(
                path=(*path, place), text=f"{one!r} is no kind of channel; {hint(one, known)}"
            )
