"""The cache of docs/how-to/cache.md, as it stands there."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.events import EventDispatcher
from comal_runtime.policy import PolicyGate
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from ..runtime.stations.arranging import decisions, in_code, made, registry_with

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "cache.md"


def shown() -> dict[str, Any]:
    """Run every Python block of the page, in order, in one namespace."""
    names: dict[str, Any] = {"__name__": "read_cache"}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(compile(block, str(PAGE), "exec"), names)
    return names


class Notes:
    """Notes that count how often they were read, and tools over them."""

    def __init__(self) -> None:
        self.reads = 0
        self.entered = asyncio.Event()
        self.go = asyncio.Event()

    async def list_notes(self, **asked: object) -> dict[str, Any]:
        self.reads += 1
        if asked.get("fail"):
            raise ToolError("the drawer is stuck")
        return {"read": self.reads, "of": []}

    async def list_slowly(self, **asked: object) -> int:
        self.reads += 1
        self.entered.set()
        await self.go.wait()
        return self.reads

    async def change(self, **asked: object) -> str:
        if asked.get("fail"):
            raise ConnectionError("gone")
        return "changed"


class Desk:
    """A registry with the cache of the page."""

    def __init__(self, *, policy: PolicyGate | None = None, **options: Any) -> None:
        self.clock, self.notes = FakeClock(), Notes()
        dispatcher = EventDispatcher()
        now: Callable[[], float] = self.clock.now
        self.cache = shown()["ReadCache"](["list_*", "asks_*"], **{"now": now, **options})
        self.cache.listen_to(dispatcher)
        notes = self.notes
        self.registry: ToolRegistry = registry_with(
            made(notes.list_notes, "list_notes", category="notes", scopes=("read",)),
            made(notes.list_slowly, "list_slowly", category="notes"),
            made(notes.list_notes, "list_mail", category="mail"),
            made(notes.list_notes, "time_now"),
            made(notes.list_notes, "asks_first", confirm=True),
            made(notes.change, "change_notes", category="notes", mutating=True),
            made(notes.change, "change_all", mutating=True),
            dispatcher=dispatcher,
            clock=self.clock,
            policy=policy or PolicyGate(),
        )

    async def read(
        self, tool: str = "list_notes", args: dict[str, Any] | None = None, **ctx: Any
    ) -> Any:
        ctx.setdefault("scopes", ("read",))
        return await self.registry.call(tool, args or {}, in_code(**ctx))


def test_the_page_shows_a_module_that_comal_run_can_load() -> None:
    dispatcher = EventDispatcher()

    shown()["register_listeners"](dispatcher)

    assert dispatcher.has_listeners("tool.executing")


async def test_the_second_read_is_served_and_audited_as_such() -> None:
    desk = Desk()
    first = await desk.read(args={"a": 1, "b": 2})

    second = await desk.read(args={"b": 2, "a": 1})

    assert second.data == first.data
    assert (first.meta.get("cache_served"), second.meta["cache_served"]) == (None, True)
    assert desk.notes.reads == 1
    assert (await decisions(desk.registry))[-1] == "cache_served"


@pytest.mark.parametrize(
    "other",
    [
        {"args": {"a": 1.0}},
        {"principal": "cli:bo"},
        {"scopes": ("read", "more")},
        {"channel": "tui"},
        {"conversation": "c2"},
        {"origin": "model"},
        {"tool": "list_mail"},
    ],
)
async def test_whoever_asks_otherwise_is_not_served_the_same(other: dict[str, Any]) -> None:
    desk = Desk()
    await desk.read(args={"a": 1})

    result = await desk.read(**{"args": {"a": 1}, **other})

    assert "cache_served" not in result.meta
    assert desk.notes.reads == 2


@pytest.mark.runtime_line(30, 31)
async def test_a_denied_call_is_never_served_whatever_is_cached() -> None:
    gate = PolicyGate()
    desk = Desk(policy=gate)
    await desk.read()
    gate.set_channel_policy("cli", require_auth=True)

    denied = await desk.registry.call("list_notes", {}, ToolContext.cli(scopes=("read",)))
    unscoped = await desk.read(scopes=())

    assert (denied.code, unscoped.code) == (ErrorCode.FORBIDDEN, ErrorCode.FORBIDDEN)
    assert (denied.data, unscoped.data) == (None, None)


async def test_what_is_old_is_read_again() -> None:
    desk = Desk(ttl=60.0)
    await desk.read()
    desk.clock.advance(59)
    within = await desk.read()
    desk.clock.advance(1)

    after = await desk.read()

    assert (within.data["read"], after.data["read"]) == (1, 2)


async def test_the_oldest_answers_make_room() -> None:
    desk = Desk(most=2)
    for number in (1, 2, 3):
        await desk.read(args={"n": number})

    again = [(await desk.read(args={"n": number})).data["read"] for number in (3, 2, 1)]

    assert again == [3, 2, 4]


async def test_failures_are_not_kept() -> None:
    desk = Desk()
    await desk.read(args={"fail": True})

    await desk.read(args={"fail": True})

    assert desk.notes.reads == 2


@pytest.mark.parametrize("tool", ["time_now", "change_notes"])
async def test_what_nobody_named_or_what_changes_is_never_served(tool: str) -> None:
    desk = Desk()
    await desk.read(tool)

    result = await desk.read(tool)

    assert "cache_served" not in result.meta


async def test_a_call_that_somebody_is_asked_about_is_asked_about_again() -> None:
    desk = Desk()
    first = await desk.read("asks_first")
    done = await desk.registry.call(
        "asks_first", {}, in_code(scopes=("read",)), confirm_token=first.confirm_token
    )

    second = await desk.read("asks_first")

    assert done.success
    assert second.type == "confirmation"


@pytest.mark.parametrize(
    ("change", "args", "mail_served"),
    [
        ("change_notes", {}, True),
        ("change_notes", {"fail": True}, True),
        ("change_all", {}, False),
    ],
)
async def test_a_change_forgets_its_family_and_one_without_a_family_forgets_all(
    change: str, args: dict[str, Any], mail_served: bool
) -> None:
    desk = Desk()
    await desk.read()
    await desk.read("list_mail")

    await desk.read(change, args)

    notes, mail = await desk.read(), await desk.read("list_mail")
    assert "cache_served" not in notes.meta
    assert ("cache_served" in mail.meta) is mail_served


async def test_a_read_that_began_before_a_change_is_not_kept() -> None:
    desk = Desk()
    reading = asyncio.ensure_future(desk.read("list_slowly"))
    await desk.notes.entered.wait()
    await desk.read("change_notes")
    desk.notes.go.set()
    await reading

    result = await desk.read("list_slowly")

    assert "cache_served" not in result.meta


async def test_what_a_caller_does_to_its_answer_reaches_nobody_else() -> None:
    desk = Desk()
    first = await desk.read()
    first.data["of"].append("mine")
    second = await desk.read()
    second.data["of"].append("mine too")

    third = await desk.read()

    assert third.data["of"] == []


@pytest.mark.runtime_line(31)
async def test_a_cache_that_fails_stops_the_call() -> None:
    def broken() -> float:
        raise OSError("no clock")

    desk = Desk()
    await desk.read()
    desk.cache._now = broken

    result = await desk.read()

    assert result.type == "blocked"
    assert "ReadCache.answer" in str(result.error)
    assert desk.notes.reads == 1
