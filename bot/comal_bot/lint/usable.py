"""Whether people can use a tool here: its scopes, its approval, its time."""

from collections.abc import Iterator, Mapping
from typing import Final

from comal_runtime.callables import Way
from comal_runtime.faults import pointer
from comal_runtime.tools import Tool

from .finding import Finding, Severity
from .yardstick import Yardstick

_LONG: Final = 60.0  # seconds that nobody can end
_BOUNDED: Final[Mapping[str, tuple[str, ...]]] = {
    "min": ("integer", "number"),
    "max": ("integer", "number"),
    "maxLength": ("string",),
}


def unusable(tool: Tool, yardstick: Yardstick) -> Iterator[Finding]:
    """Find what keeps everybody from using a tool, or opens it to everybody."""
    yield from _scopes(tool, yardstick)
    yield from _approval(tool, yardstick)
    yield from _time(tool)
    yield from _clamps(tool)


def _scopes(tool: Tool, yardstick: Yardstick) -> Iterator[Finding]:
    options = tool.options
    wanted = " or ".join(options.scopes)
    if options.scopes and yardstick.granted.isdisjoint({"*", *options.scopes}):
        yield Finding(
            severity=Severity.WARNING,
            rule="scope-unreachable",
            tool=tool.name,
            pointer="/scopes",
            what=f"it needs {wanted}, which no role that somebody holds grants",
            mend=f'[roles.NAME] scopes = ["{options.scopes[0]}"], and a [[people]] entry with it',
        )
    guarded = options.scopes or options.approval or yardstick.routes.about(tool.name)
    if options.mutating and not guarded:
        yield Finding(
            severity=Severity.WARNING,
            rule="mutating-open",
            tool=tool.name,
            pointer="/scopes",
            what="it changes something, and anybody who reaches the bot may ask and say yes",
            mend="@tool(scopes=...) for those who may, or a [[routes]] entry for who approves it",
        )


def _approval(tool: Tool, yardstick: Yardstick) -> Iterator[Finding]:
    named, routes = tool.options.approval, yardstick.routes
    if named is None or routes.named(named) is not None:
        return
    matching = routes.about(tool.name)
    if matching and matching[-1].when is None:
        return
    yield Finding(
        severity=Severity.ERROR,
        rule="approval-unrouted",
        tool=tool.name,
        pointer="/approval",
        what=f"its approval names route {named!r}, which is not configured: calls are refused",
        mend=f'add [[routes]] with name = "{named}" and tool = "{tool.name}"',
    )


def _time(tool: Tool) -> Iterator[Finding]:
    timeout = tool.options.timeout
    if timeout == 0:
        yield Finding(
            severity=Severity.WARNING,
            rule="timeout-none",
            tool=tool.name,
            pointer="/timeout",
            what="its timeout is 0 seconds, which ends every call that waits for anything",
            mend="@tool(timeout=...) with the seconds it may take",
        )
    elif timeout > _LONG and tool.way is Way.THREADED:
        yield Finding(
            severity=Severity.WARNING,
            rule="timeout-sync",
            tool=tool.name,
            pointer="/timeout",
            what=f"it is not async, so nothing can stop it in the {timeout:g} s it may take",
            mend=f"write it as `async def`, or let it take {_LONG:g} s at most",
        )


def _clamps(tool: Tool) -> Iterator[Finding]:
    properties = tool.input_schema.get("properties", {})
    for name, bounds in tool.options.clamps.items():
        if name not in properties:
            what = f"it clamps {name!r}, which is no argument of its schema"
            yield _clamp(tool, name, what, "name an argument, or leave the clamp out")
            continue
        taken = _types(properties[name])
        bounded = {kind for bound in bounds for kind in _BOUNDED[bound]}
        if taken and not taken & bounded:
            what = (
                f"it clamps {name!r}, which is {' or '.join(sorted(taken))}: nothing is brought in"
            )
            yield _clamp(tool, name, what, "min and max bound numbers, and maxLength texts")


def _clamp(tool: Tool, name: str, what: str, mend: str) -> Finding:
    return Finding(
        severity=Severity.WARNING,
        rule="clamp-useless",
        tool=tool.name,
        pointer=f"/clamps{pointer((name,))}",
        what=what,
        mend=mend,
    )


def _types(shape: object) -> set[str]:
    """Return the JSON types an argument may have; none where they are not said."""
    if not isinstance(shape, dict):
        return set()
    said = shape.get("type", [])
    inner = [_types(form) for form in shape.get("anyOf", ())]
    if not all(inner):
        return set()
    return set([said] if isinstance(said, str) else said).union(*inner) - {"null"}
