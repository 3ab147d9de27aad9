"""`comal tools`: what tools there are, and what a call of one would meet."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from comal_bot.settings import BadSettings, Settings, load_settings
from comal_bot.tooling import CHAT_CHANNELS, directory, host_registry
from comal_runtime.context import ToolContext
from comal_runtime.inspection import InvocationPlan
from comal_runtime.record import memory_record
from comal_runtime.registry import ToolRegistry, Wiring
from comal_runtime.tools import Tool

from .complaints import complain
from .loading import load_tools
from .printing import print_json, print_table

CHANNELS: Final = (*CHAT_CHANNELS, "cli", "tui")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who would call. `scopes` is None for those that the settings give the actor."""

    channel: str
    actor: str | None
    scopes: tuple[str, ...] | None


def show_list(config: Path | None, tools: Sequence[str], *, as_json: bool) -> None:
    """Print every tool."""
    registry = _registry(load_settings(config, tools=tools))
    found = [tool for tool in registry.get_tool_definitions() if not tool.options.consent_only]
    if as_json:
        print_json([_described(tool) for tool in found])
    elif found:
        rows = [(tool.name, _asks(tool), _scopes(tool), tool.description) for tool in found]
        print_table(("tool", "asks", "scopes", "what it does"), rows)
    else:
        complain("there are no tools; name them with --tools FILE or in [tools] modules")


def show_plan(
    name: str, caller: Caller, config: Path | None, tools: Sequence[str], *, as_json: bool
) -> None:
    """Print what a call would meet, station by station.

    Raises:
        BadSettings: There is no such tool or channel.
    """
    if caller.channel not in CHANNELS:
        known = ", ".join(CHANNELS)
        raise BadSettings((f"--channel is {caller.channel!r}; allowed: {known}",))
    settings = load_settings(config, tools=tools)
    registry = _registry(settings)
    scopes = caller.scopes
    if scopes is None:
        scopes = directory(settings).scopes(caller.actor)
    ctx = ToolContext(principal=caller.actor, channel=caller.channel, scopes=scopes)
    plan = registry.inspect(name, ctx)
    if plan is None:
        raise BadSettings((_unknown(name, registry),))
    if as_json:
        print_json(plan.to_dict())
    else:
        _print_plan(plan)


def _registry(settings: Settings) -> ToolRegistry:
    """Make a registry that is wired as the host's, and keeps nothing."""
    modules = load_tools(settings.tools.modules, Path.cwd())
    return host_registry(settings, modules, Wiring(), memory_record())


def _described(tool: Tool) -> dict[str, object]:
    options = tool.options
    return {
        "name": tool.name,
        "description": tool.description,
        "mutating": options.mutating,
        "confirm": options.confirm,
        "approval": options.approval,
        "scopes": list(options.scopes),
        "inputSchema": dict(tool.input_schema),
    }


def _asks(tool: Tool) -> str:
    if tool.options.approval is not None:
        return "others"
    return "the caller" if tool.options.confirm or tool.options.mutating else "-"


def _scopes(tool: Tool) -> str:
    return " or ".join(tool.options.scopes) or "-"


def _unknown(name: str, registry: ToolRegistry) -> str:
    names = [tool.name for tool in registry.get_tool_definitions()]
    meant = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {meant[0]!r}?" if meant else f"tools: {', '.join(names) or '(none)'}"
    return f"tool {name!r} is not known; {hint}"


def _print_plan(plan: InvocationPlan) -> None:
    who = plan.principal or "nobody"
    scopes = ", ".join(plan.scopes) or "(none)"
    typer.echo(f"{plan.operation}, called by {who} on {plan.channel} with scopes {scopes}")
    rows = [(step.kind, step.role, step.presence, step.source) for step in plan.steps]
    print_table(("station", "role", "presence", "why"), rows)
    if plan.ends_at is not None:
        typer.echo(f"the call would end at {plan.ends_at}")
