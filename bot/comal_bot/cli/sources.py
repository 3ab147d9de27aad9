"""Where a command's tools come from: the files and modules named, and installed packages."""

import inspect
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from comal_bot.settings import BadSettings, Settings
from comal_runtime.tools import Tool

from .loading import Unusable, check, folders, load_tools, named

GROUP: Final = "comal.tools"
"""The group of entry points under which a package names its tools."""

_PATTERN: Final = frozenset("*?[")
_OTHERWISE: Final = "mend or uninstall it, or leave it out of [tools] entry_points"


def tool_sources(settings: Settings, config: Path | None) -> list[object]:
    """Return everything that brings tools, as the settings say.

    Raises:
        BadSettings: Something cannot be loaded; all of it is told.
    """
    problems: list[str] = []
    found: list[object] = []
    try:
        found += load_tools(settings.tools.modules, *folders(config))
    except BadSettings as error:
        problems += error.problems
    try:
        found += load_entry_points(settings.tools.entry_points)
    except BadSettings as error:
        problems += error.problems
    if problems:
        raise BadSettings(tuple(problems))
    return found


def load_entry_points(patterns: Sequence[str]) -> list[Tool]:
    """Return the tools that installed packages offer under the names that `patterns` match.

    An entry point leads to a module, a decorated function, a `ToolProvider` or its class, or a
    list of these.

    Raises:
        BadSettings: One cannot be loaded, or a name is nobody's; all of them are told.
    """
    if not patterns:
        return []
    installed = _installed()
    problems = list(_missing(patterns, installed))
    found: list[Tool] = []
    for point in installed:
        if not any(fnmatchcase(point.name, pattern) for pattern in patterns):
            continue
        try:
            found += _loaded(point)
        except Unusable as error:
            problems.append(str(error))
    if problems:
        raise BadSettings(tuple(problems))
    return found


def _installed() -> list[EntryPoint]:
    """Return the entry points, each once however often its package is found."""
    points = {(point.name, point.value): point for point in entry_points(group=GROUP)}
    return [points[key] for key in sorted(points)]


def _missing(patterns: Sequence[str], installed: Sequence[EntryPoint]) -> Iterator[str]:
    names = [point.name for point in installed]
    for pattern in patterns:
        if pattern not in names and not _PATTERN & set(pattern):
            known = ", ".join(names) or "(none)"
            yield (
                f"[tools] entry_points names {pattern!r}, which no installed package offers; "
                f"offered: {known}"
            )


def _loaded(point: EntryPoint) -> list[Tool]:
    label = _label(point)
    try:
        source = point.load()
        if inspect.isclass(source) and hasattr(source, "register"):
            source = source()
    except (Exception, SystemExit) as error:  # another author's code may raise anything
        raise Unusable(f"{named(label, error)}; {_OTHERWISE}") from error
    return check(label, source)


def _label(point: EntryPoint) -> str:
    owner = f" of {point.dist.name} {point.dist.version}" if point.dist is not None else ""
    return f"tools entry point {point.name!r} ({point.value}{owner})"
