"""`comal tools`: what tools there are, and what a call of one would meet."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final

from comal_bot.settings import CHAT_CHANNELS, BadSettings, Settings, load_settings
from comal_bot.tooling import host_registry, offered
from comal_runtime.consent import Routes
from comal_runtime.context import ToolContext
from comal_runtime.inspection import InvocationPlan, InvocationPlanBuilder, InvocationStep
from comal_runtime.pipeline import STATIONS
from comal_runtime.record import memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.stations.confirm import inspect_confirm
from comal_runtime.tools import Tool
from comal_runtime.wiring import Wiring

from .complaints import complain
from .knowing import known_people
from .printing import print_json, print_table, print_text
from .sources import tool_sources

CHANNELS: Final = (*CHAT_CHANNELS, "cli", "tui")
_BEFORE_CONFIRM: Final = frozenset(
    takewhile(lambda name: name != "confirm", (station.name for station in STATIONS))
)
NAME_THEM: Final = "name them with --tools FILE or in [tools] modules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who would call. `scopes` is None for those that the settings give the actor."""

    channel: str
    actor: str | None
    scopes: tuple[str, ...] | None


def show_list(config: Path | None, tools: Sequence[str], *, as_json: bool) -> None:
    """Print every tool."""
    settings = load_settings(config, tools=tools)
    found, routes = offered(wired_registry(settings, config)), settings.routing()
    if as_json:
        print_json([_described(tool, routes) for tool in found])
    elif found:
        rows = [(tool.name, _asks(tool, routes), _scopes(tool), tool.description) for tool in found]
        print_table(("tool", "asks", "scopes", "what it does"), rows)
    else:
        complain(f"there are no tools; {NAME_THEM}")


def show_plan(
    name: str, caller: Caller, config: Path | None, tools: Sequence[str], *, as_json: bool
) -> None:
    """Print what a call would meet, station by station.

    Raises:
        BadSettings: There is no such tool, channel or actor.
    """
    registry, ctx = _before_call(caller, config, tools)
    tool, plan = registry.get(name), registry.inspect(name, ctx)
    if tool is None or plan is None:
        raise BadSettings((no_such_tool(name, registry),))
    if as_json:
        print_json(plan.to_dict())
        return
    _print_plan(plan)
    if plan.ends_at in _BEFORE_CONFIRM:
        print_text(f"past that, {inspect_confirm(tool, ctx, registry.wiring()).source}")


def show_plans(caller: Caller, config: Path | None, tools: Sequence[str], *, as_json: bool) -> None:
    """Print what a call of each tool would meet: the plans as JSON, or one line a tool.

    Raises:
        BadSettings: There is no such channel or actor.
    """
    registry, ctx = _before_call(caller, config, tools)
    builder, wiring = InvocationPlanBuilder(), registry.wiring()
    plans = [builder.build(tool, ctx, wiring) for tool in offered(registry)]
    if as_json:
        print_json([plan.to_dict() for plan in plans])
    elif plans:
        print_text(_called_by(ctx.principal, ctx.channel, ctx.scopes))
        print_table(("tool", "a call", "why"), [_outcome(plan) for plan in plans])
    else:
        complain(f"there are no tools; {NAME_THEM}")


def _before_call(
    caller: Caller, config: Path | None, tools: Sequence[str]
) -> tuple[ToolRegistry, ToolContext]:
    """Return the registry, and the context in which the caller would call."""
    settings = load_settings(config, tools=tools)
    _check(caller, settings)
    registry = wired_registry(settings, config)
    scopes = caller.scopes
    if scopes is None:
        scopes = known_people(settings).scopes(caller.actor)
    return registry, ToolContext(principal=caller.actor, channel=caller.channel, scopes=scopes)


def _outcome(plan: InvocationPlan) -> tuple[str, str, str]:
    """Say in a row how a call of the plan's tool would go on, and why."""
    decisive = plan.ends_at or "confirm"
    why = next(step.source for step in plan.steps if step.kind == decisive)
    ends = {None: "runs", "confirm": "asks"}.get(plan.ends_at, f"ends at {plan.ends_at}")
    return plan.operation, ends, why


def _check(caller: Caller, settings: Settings) -> None:
    if caller.channel not in CHANNELS:
        known = ", ".join(CHANNELS)
        raise BadSettings((f"--channel is {caller.channel!r}; allowed: {known}",))
    if caller.actor is not None and not re.fullmatch("[^:]+:.+", caller.actor):
        meant = _meant(caller.actor, caller.channel, settings)
        hint = "as in 'telegram:42'" if meant is None else f"did you mean {meant!r}?"
        raise BadSettings((f"--actor is {caller.actor!r}; allowed: '<channel>:<id>'; {hint}",))


def _meant(actor: str, channel: str, settings: Settings) -> str | None:
    """Return the principal that was probably meant by a person's name, or by a bare number."""
    number = actor.removeprefix(":")
    if number.isdigit():
        return f"{channel}:{number}"
    known = {one.name.casefold(): one.identities for one in settings.people}
    return next(iter(known.get(actor.casefold(), ())), None)


def wired_registry(settings: Settings, config: Path | None) -> ToolRegistry:
    """Make a registry that is wired as the host's, and keeps nothing."""
    return host_registry(settings, tool_sources(settings, config), Wiring(), memory_record())


def _described(tool: Tool, routes: Routes) -> dict[str, object]:
    options = tool.options
    return {
        "name": tool.name,
        "description": tool.description,
        "mutating": options.mutating,
        "confirm": options.confirm,
        "approval": options.approval,
        "routes": [route.name for route in routes.about(tool.name)],
        "scopes": list(options.scopes),
        "category": options.category,
        "version": options.version,
        "timeout": options.timeout,
        "inputSchema": dict(tool.input_schema),
    }


def _asks(tool: Tool, routes: Routes) -> str:
    """Name who is asked: by routes, in their order, and else by the tool itself."""
    options, matching = tool.options, routes.about(tool.name)
    asked = [f"route {route.label}" for route in matching]
    if matching and matching[-1].when is None:
        return ", else ".join(asked)
    if options.approval is not None:
        missing = "" if routes.named(options.approval) else ", which is not configured"
        asked.append(f"route {options.approval!r}{missing}")
    elif options.confirm or options.mutating:
        asked.append("the caller")
    elif asked:
        asked.append("nobody")
    return ", else ".join(asked) or "-"


def _scopes(tool: Tool) -> str:
    return " or ".join(tool.options.scopes) or "-"


def no_such_tool(name: str, registry: ToolRegistry) -> str:
    """Say that there is no such tool, and which was probably meant."""
    names = [tool.name for tool in offered(registry)]
    if not names:
        return f"tool {name!r} is not known, and no tools were named; {NAME_THEM}"
    meant = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {meant[0]!r}?" if meant else f"tools: {', '.join(names)}"
    return f"tool {name!r} is not known; {hint}"


def _told(step: InvocationStep) -> str:
    """Say why a step is as it is; what the audit covers fills a screen, and is left to `--json`."""
    return step.source.partition(";")[0] if step.kind == "audit" else step.source


def _print_plan(plan: InvocationPlan) -> None:
    called_by = _called_by(plan.principal, plan.channel, plan.scopes)
    print_text(f"{plan.operation}, {called_by}")
    rows = [(step.kind, step.role, step.presence, _told(step)) for step in plan.steps]
    print_table(("station", "role", "presence", "why"), rows)
    if plan.ends_at is not None:
        print_text(f"the call would end at {plan.ends_at}")


def _called_by(principal: str | None, channel: str, scopes: Sequence[str]) -> str:
    held = ", ".join(scopes) or "(none)"
    return f"called by {principal or 'nobody'} on {channel} with scopes {held}"
