"""What a tool foretells is shown with the question, and held to when its call runs."""

import asyncio
import json
from typing import Any

import pytest

from comal_runtime.consent.seal import is_intact
from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.policy import PolicyGate
from comal_runtime.record import ActState
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode, ToolResult
from comal_runtime.scanner import ToolScanner
from comal_runtime.stations.foretelling import MOST_SHOWN
from comal_runtime.testing import FakeClock
from comal_runtime.tools import tool

from .arranging import (
    Ran,
    answered,
    by_ana,
    consent_to,
    made,
    newest_question,
    only_act,
    registry_with,
    routes,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}


class Foretelling:
    """A preview that tells `gives`, or raises it, and notes what it was asked."""

    def __init__(self, gives: object) -> None:
        self.gives = gives
        self.asked: list[dict[str, Any]] = []

    def hook(self) -> Any:
        async def preview(disk: str) -> object:
            self.asked.append({"disk": disk})
            if isinstance(self.gives, Exception):
                raise self.gives
            return self.gives

        return preview


def arranged(gives: object, **wiring: Any) -> tuple[ToolRegistry, Ran, Foretelling]:
    ran, foretelling = Ran(), Foretelling(gives)
    subject = made(ran, schema=SCHEMA, mutating=True, preview=foretelling.hook())
    return registry_with(subject, **wiring), ran, foretelling


async def shown(registry: ToolRegistry) -> Any:
    question = await newest_question(registry.record)
    assert is_intact(question)
    return None if question.preview is None else json.loads(question.preview)


@pytest.mark.parametrize(
    ("gives", "preview"),
    [
        ("3 files go", {"effect": "3 files go"}),
        ({"gone": ["a", "b"], "free": 7}, {"effect": {"gone": ["a", "b"], "free": 7}}),
        (0, {"effect": 0}),
        ("", {"effect": ""}),
        (None, None),
        (ToolError("there is no disk a"), {"unknown": "there is no disk a"}),
        (ValueError("secret-7"), {"unknown": "it failed"}),
        ({1, 2}, {"unknown": "what it foretells is no JSON"}),
        (float("nan"), {"unknown": "what it foretells is no JSON"}),
        ("\ud800", {"unknown": "what it foretells is no JSON"}),
    ],
)
async def test_a_question_shows_what_its_tool_foretells_or_why_it_cannot(
    gives: object, preview: object
) -> None:
    registry, ran, foretelling = arranged(gives)

    asked = await registry.call("wipe", {"disk": "a"}, by_ana())

    assert asked.type == "confirmation"
    assert await shown(registry) == preview
    assert (foretelling.asked, ran.calls) == ([{"disk": "a"}], [])


async def test_an_effect_too_long_to_be_read_whole_is_refused_and_not_cut() -> None:
    registry, _, _ = arranged("x" * MOST_SHOWN)

    await registry.call("wipe", {"disk": "a"}, by_ana())

    told = await shown(registry)
    assert told["unknown"].startswith("it is too long to foretell: ")


async def test_a_preview_that_takes_too_long_is_cut_and_fails_no_call() -> None:
    async def preview(disk: str) -> None:
        await asyncio.Event().wait()

    subject = made(Ran(), schema=SCHEMA, mutating=True, preview=preview)
    registry = registry_with(subject, preview_patience=0.01)

    asked = await registry.call("wipe", {"disk": "a"}, by_ana())

    assert asked.type == "confirmation"
    assert await shown(registry) == {"unknown": "it took longer than 0.01 s"}


@pytest.mark.parametrize("refused", ["scope", "plan", "arguments"])
async def test_nobody_whom_the_law_refused_is_foretold_anything(refused: str) -> None:
    foretelling = Foretelling("all of it")
    scopes = ("disk:write",) if refused == "scope" else ()
    subject = made(Ran(), schema=SCHEMA, mutating=True, scopes=scopes, preview=foretelling.hook())
    registry = registry_with(subject, policy=PolicyGate())
    ctx = by_ana(mode="plan") if refused == "plan" else by_ana()

    await registry.call("wipe", {} if refused == "arguments" else {"disk": "a"}, ctx)

    assert foretelling.asked == []


class Disks:
    """A tool and its preview, as methods of one object."""

    def __init__(self) -> None:
        self.free = 7
        self.seen: list[ToolContext] = []

    def left(self, size: int, who: ToolContext) -> dict[str, int]:
        self.seen.append(who)
        return {"free": self.free - size}

    @tool(mutating=True, preview=left)
    async def take(self, name: str, size: int = 2) -> ToolResult:
        """Take some of the disk."""
        self.free -= size
        return ToolResult.success("taken", meta={"effect": {"free": self.free}})


async def test_a_preview_is_called_as_its_tool_is_and_as_its_requester() -> None:
    disks, registry = Disks(), registry_with()
    ToolScanner(registry).scan(disks)

    asked = await registry.call("take", {"name": "a"}, by_ana())
    done = await registry.call("take", {}, by_ana(), confirm_token=asked.confirm_token)

    assert await shown(registry) == {"effect": {"free": 5}}
    assert {one.principal for one in disks.seen} == {"telegram:1"}
    assert done.success


async def test_the_effect_that_was_observed_is_stored_with_the_result() -> None:
    registry = registry_with()
    ToolScanner(registry).scan(Disks())
    asked = await registry.call("take", {"name": "a"}, by_ana())

    await registry.call("take", {}, by_ana(), confirm_token=asked.confirm_token)

    stored = json.loads(str((await only_act(registry)).result))
    assert stored["meta"]["effect"] == {"free": 5}


@pytest.mark.parametrize("by_token", [True, False])
@pytest.mark.parametrize(
    ("first", "then", "why"),
    [
        ({"gone": 1}, {"gone": 2}, 'what it would change is not what was shown: {"gone":2}'),
        ("a", ["a"], 'is not what was shown: ["a"]'),
        (7, 7.0, "is not what was shown: 7.0"),
        ("a", None, "cannot be told any more: nothing is foretold"),
        ("a", ValueError(), "cannot be told any more: it failed"),
        ("a", ToolError("no disk"), "cannot be told any more: no disk"),
    ],
)
async def test_a_call_that_would_change_something_else_than_was_shown_is_void(
    first: object, then: object, why: str, by_token: bool
) -> None:
    clock = FakeClock()
    registry, ran, foretelling = arranged(first, clock=clock)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())
    token = asked.confirm_token if by_token else None
    if not by_token:
        await answered(registry, clock, by="telegram:1")
    consent = None if by_token else await consent_to(registry)
    foretelling.gives = then

    result = await registry.call("wipe", {}, by_ana(consent=consent), confirm_token=token)

    act = await only_act(registry)
    assert result.code == ErrorCode.FORBIDDEN
    assert why in str(result.error)
    assert str(result.error).endswith("ask for it again.")
    assert (act.state, act.reason, ran.calls) == (ActState.VOID, result.error, [])


@pytest.mark.parametrize(
    ("first", "then"), [({"b": 1, "a": 2}, {"a": 2, "b": 1}), (None, "new"), (ValueError(), "now")]
)
async def test_what_promised_nothing_else_runs(first: object, then: object) -> None:
    registry, ran, foretelling = arranged(first)
    asked = await registry.call("wipe", {"disk": "a"}, by_ana())
    foretelling.gives = then

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert (result.success, ran.calls) == (True, [{"disk": "a"}])


async def test_a_secret_of_the_call_is_not_told_with_the_effect_that_changed() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string"}}}
    told = iter(["sets it", "sets it to hunter2"])

    async def preview(password: str) -> str:
        return next(told)

    registry = registry_with(made(Ran(), schema=schema, mutating=True, preview=preview))
    asked = await registry.call("wipe", {"password": "hunter2"}, by_ana())

    result = await registry.call("wipe", {}, by_ana(), confirm_token=asked.confirm_token)

    assert "hunter2" not in str(result.error)
    assert "is not what was shown" in str(result.error)


@pytest.mark.parametrize(
    ("options", "wiring", "lasts"),
    [
        ({}, {}, 60.0),
        ({"answer_within": 900}, {}, 900.0),
        ({}, {"routes": routes()}, 86400.0),
        ({"answer_within": 900}, {"routes": routes()}, 900.0),
    ],
)
async def test_a_question_stays_open_for_as_long_as_its_tool_says(
    options: dict[str, Any], wiring: dict[str, Any], lasts: float
) -> None:
    registry = registry_with(made(Ran(), mutating=True, **options), **wiring)

    await registry.call("wipe", {}, by_ana())

    question = await newest_question(registry.record)
    assert question.expires_at - question.created_at == lasts
