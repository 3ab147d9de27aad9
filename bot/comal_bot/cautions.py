"""What the settings allow that whoever runs the host should know: said once, at start-up."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase

from comal_runtime.consent import Directory
from comal_runtime.rate_limit import cost_of
from comal_runtime.tools import Tool

from .settings import CHAT_CHANNELS, PolicySettings, Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """One thing to know. `about` says which setting; `effect` what follows from it."""

    event: str
    effect: str
    about: Mapping[str, str] = field(default_factory=dict)


def caution(settings: Settings, tools: Sequence[Tool], directory: Directory) -> None:
    """Log whatever there is to know."""
    for one in cautions(settings, tools, directory):
        log.warning(one.event, extra={**one.about, "effect": one.effect})


def cautions(settings: Settings, tools: Sequence[Tool], directory: Directory) -> Iterator[Caution]:
    """Yield what to know about policies, rules, limits and routes."""
    yield from _loosened(settings)
    yield from _idle_rules(settings, tools, directory)
    yield from _limits(settings, tools)
    yield from _routes(settings, tools)


def _loosened(settings: Settings) -> Iterator[Caution]:
    """Yield where a channel is less guarded than it comes."""
    as_it_comes, gate = PolicySettings().gate(), settings.policy.gate()
    for channel in PolicySettings.model_fields:
        before, now = as_it_comes.channel_policy(channel), gate.channel_policy(channel)
        about = {"channel": channel}
        if before.require_confirmation_for_mutating > now.require_confirmation_for_mutating:
            effect = "whatever changes something runs there without anybody's yes"
            yield Caution(event="policy.unconfirmed_changes", effect=effect, about=about)
        if before.require_auth > now.require_auth:
            effect = "callers whom nobody knows may use every tool that needs no scope"
            yield Caution(event="policy.anonymous_callers", effect=effect, about=about)
        if channel in CHAT_CHANNELS and now.allow_all > before.allow_all:
            effect = "block_mutating is never looked at there"
            yield Caution(event="policy.allows_all", effect=effect, about=about)


def _idle_rules(
    settings: Settings, tools: Sequence[Tool], directory: Directory
) -> Iterator[Caution]:
    table = settings.ruling(directory)
    for shadowed in table.shadowed():
        about = {"rule": shadowed.rule.id, "by": shadowed.by.id}
        effect = "it never decides: the other stands above it and fits whatever it fits"
        yield Caution(event="policy.rule_shadowed", effect=effect, about=about)
    for rule in table.idle(tools):
        effect = "it never decides: it fits no tool there is"
        yield Caution(event="policy.rule_idle", effect=effect, about={"rule": rule.id})


def _limits(settings: Settings, tools: Sequence[Tool]) -> Iterator[Caution]:
    limits = settings.limits.budgets()
    for pattern in limits.tools:
        if not any(fnmatchcase(tool.name, pattern) for tool in tools):
            effect = "it limits nothing: it fits no tool there is"
            yield Caution(event="limits.idle", effect=effect, about={"pattern": pattern})
    for tool in tools:
        uses = [limits.for_use(channel, tool.name) for channel in PolicySettings.model_fields]
        least = min([*uses, limits.principal], key=lambda limit: limit.amount)
        if least.amount < cost_of(tool):
            about = {"tool": tool.name, "limit": str(least)}
            effect = f"the tool never runs under it: one call costs {cost_of(tool)}"
            yield Caution(event="limits.too_small", effect=effect, about=about)


def _routes(settings: Settings, tools: Sequence[Tool]) -> Iterator[Caution]:
    for route in settings.routing():
        fitting = [tool for tool in tools if fnmatchcase(tool.name, route.tool)]
        about = {"route": route.label, "tools": route.tool}
        if not fitting:
            meant = get_close_matches(route.tool.rstrip("*_"), [tool.name for tool in tools], n=1)
            about |= {"near": meant[0]} if meant else {}
            effect = "it guards nothing: it fits no tool there is"
            yield Caution(event="route.idle", effect=effect, about=about)
            continue
        known = {name for tool in fitting for name in tool.input_schema.get("properties", {})}
        for name in sorted(route.reads - known):
            meant = get_close_matches(name, known, n=1)
            said = {**about, "argument": name, **({"near": meant[0]} if meant else {})}
            effect = "every call goes to its approvers: no tool it fits has that argument"
            yield Caution(event="route.argument_unknown", effect=effect, about=said)
