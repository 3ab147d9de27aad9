"""The rows that tell in prose what is scanned: classes, duplicates, interleaved calls."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from comal_runtime import (
    ToolAlreadyRegisteredError,
    ToolContext,
    ToolOptions,
    ToolRegistry,
    ToolScanner,
    tool,
)
from comal_runtime.errors import BadDeclaration
from tests.vectors.areas.area import Facets, Ruling

_COUNT: Final = re.compile(
    r"(?P<public>\d+) public attributed methods(?P<static> incl\. one static)?"
)
_TIMEOUT: Final = re.compile(r"ToolOptions timeout (?P<seconds>[\d.]+)")


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row tells one of the stories."""
    return "methods" in given or (given.keys() == {"op"} and _story(given["op"]) is not None)


async def found(given: dict[str, Any]) -> Facets:
    """Play the row's story."""
    if "methods" in given:
        return _counted(given["methods"])
    story = _story(given["op"])
    assert story is not None
    return await story(given["op"])


def recorded(output: Any) -> Facets:
    """Read what the original did; an exception is that it raised."""
    return {"raised": True} if "exception" in output else dict(output)


def ruled(given: dict[str, Any]) -> Ruling | None:
    """Say how the two stories end that go wrong in the original."""
    op = str(given.get("op", ""))
    if "interleaved" in op:
        sees = {"A_sees": {"principal": "alice"}, "B_sees": {"principal": "bob"}}
        why = "the context travels with the call, not with the service"
        return Ruling(expected=sees, line="faults 6", why=why)
    if "subclass overrides" in op:
        why = "a method that overrides a tool stays one"
        return Ruling(expected={"registered": 1, "has": True}, line="faults 6", why=why)
    return None


def _story(op: Any) -> Callable[[str], Awaitable[Facets]] | None:
    found = (story for words, story in _STORIES if re.search(words, str(op)))
    return next(found, None)


def _counted(methods: str) -> Facets:
    """Scan a class of so many public tools, a static one among them, and of hidden ones."""
    match = _COUNT.search(methods)
    if match is None:
        raise ValueError(f"a count is written 'N public attributed methods', found {methods!r}")
    names = [f"method_{at}" for at in range(int(match["public"]))]
    body: dict[str, Any] = {name: tool(name)(_nothing()) for name in (*names, "_protected")}
    body["_Service__private"] = tool("private")(_nothing())
    body["undecorated"] = _nothing()
    if match["static"]:
        body[names[0]] = staticmethod(tool(names[0])(_static))
    registry = ToolRegistry()
    registered = ToolScanner(registry).scan(type("Service", (), body)())
    return {
        "registered": registered,
        "private_registered": "private" in registry,
        "protected_registered": "_protected" in registry,
        "static_registered": bool(match["static"]) and names[0] in registry,
    }


def _nothing() -> Callable[[Any], None]:
    def method(self: Any) -> None:
        """Do nothing."""

    return method


def _static() -> None:
    """Do nothing."""


class _Service:
    @tool
    async def greet(self) -> str:
        """Greet."""
        return "hello"


class _Heir(_Service):
    pass


class _Overriding(_Service):
    async def greet(self) -> str:
        return "good day"


async def _twice(op: str) -> Facets:
    scanner = ToolScanner(ToolRegistry())
    scanner.scan(_Service())
    try:
        scanner.scan(_Service())
    except ToolAlreadyRegisteredError:
        return {"raised": True}
    return {"raised": False}


async def _interleaved(op: str) -> Facets:
    started, resumed = asyncio.Event(), asyncio.Event()

    @tool
    async def who(suspends: bool, ctx: ToolContext) -> dict[str, Any]:
        """Tell who calls, after a rest if asked to."""
        if suspends:
            started.set()
            await resumed.wait()
        else:
            resumed.set()
        return {"principal": ctx.principal}

    registry = ToolRegistry()
    ToolScanner(registry).scan(who)
    first = asyncio.create_task(
        registry.call("who", {"suspends": True}, ToolContext.cli(principal="alice"))
    )
    await started.wait()
    second = await registry.call("who", {"suspends": False}, ToolContext.cli(principal="bob"))
    return {"A_sees": (await first).data, "B_sees": second.data}


async def _unknown_option(op: str) -> Facets:
    try:
        tool(nope=True)  # type: ignore[call-overload]  # the mistake is the point
    except BadDeclaration:
        return {"raised": True}
    return {"raised": False}


async def _inherited(op: str) -> Facets:
    return _scanned(_Heir())


async def _overridden(op: str) -> Facets:
    return _scanned(_Overriding())


def _scanned(service: _Service) -> Facets:
    registry = ToolRegistry()
    registered = ToolScanner(registry).scan(service)
    return {"registered": registered, "has": "greet" in registry}


async def _timeout(op: str) -> Facets:
    match = _TIMEOUT.search(op)
    assert match is not None
    registry = ToolRegistry()
    options = ToolOptions(timeout=float(match["seconds"]))
    registry.register("vector", "", {}, lambda: None, options)
    known = registry.get("vector")
    return {"timeout": known and known.options.timeout}


_STORIES: Final[tuple[tuple[str, Callable[[str], Awaitable[Facets]]], ...]] = (
    (r"scan the same service twice", _twice),
    (r"interleaved calls", _interleaved),
    (r"unknown named argument", _unknown_option),
    (r"subclass overrides the tool method", _overridden),
    (r"subclass of a service", _inherited),
    (_TIMEOUT.pattern, _timeout),
)
