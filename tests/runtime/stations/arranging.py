"""Registries, callers and tools with defaults, for the tests of the law and of consent."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from comal_runtime.clock import Clock
from comal_runtime.consent import Directory, Route, Routes, Strangers
from comal_runtime.consent.question import digest
from comal_runtime.consent.verification import HumanVerifier, VerificationTool
from comal_runtime.consent.votes import Answer, Verdict, answer
from comal_runtime.context import CallKey, Consent, ToolContext
from comal_runtime.record import (
    Act,
    AuditRecord,
    Question,
    Record,
    Repositories,
    StoreUnavailable,
    Transaction,
    memory_record,
)
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock
from comal_runtime.tools import Callback, Tool, ToolOptions
from comal_runtime.wiring import Wiring

ANY: Mapping[str, Any] = {"type": "object", "properties": {}}


@dataclass(slots=True)
class Ran:
    """A tool's body that notes what it was called with and answers `gives`."""

    gives: object = "done"
    calls: list[dict[str, Any]] = field(default_factory=list)

    async def __call__(self, **keywords: Any) -> object:
        self.calls.append(keywords)
        return self.gives

    def as_callback(self) -> Callback:
        async def body(**keywords: Any) -> object:
            return await self(**keywords)

        return body


def made(
    callback: Callback | Ran,
    name: str = "wipe",
    schema: Mapping[str, Any] = ANY,
    **options: Any,
) -> Tool:
    return Tool(
        name=name,
        description="Wipe a disk.",
        input_schema=schema,
        callback=callback.as_callback() if isinstance(callback, Ran) else callback,
        options=ToolOptions(**options),
    )


def registry_with(*tools: Tool, clock: Clock | None = None, **wiring: Any) -> ToolRegistry:
    clock = clock or FakeClock()
    wiring.setdefault("record", memory_record(clock=clock, hosted=True))
    registry = ToolRegistry(Wiring(clock=clock, **wiring))
    registry.add_all(list(tools))
    return registry


def by_ana(**changes: Any) -> ToolContext:
    """Ana in her private Telegram chat."""
    return replace(ToolContext.telegram(1, 1), request_id="r1", **changes)


def in_code(**changes: Any) -> ToolContext:
    return replace(ToolContext.cli(principal="cli:ana"), request_id="r1", **changes)


def key(index: int = 0) -> CallKey:
    return CallKey(turn="t", step=1, index=index)


async def decisions(registry: ToolRegistry) -> list[str]:
    return [one.decision for one in await records(registry)]


async def records(registry: ToolRegistry) -> list[AuditRecord]:
    await registry.audit.flush()
    async with registry.record.reading() as stored:
        return [one for _, one in await stored.audit.after(0, limit=1000)]


async def newest_question(record: Record) -> Question:
    async with record.reading() as stored:
        [question, *_] = await stored.questions.recent(state=None, limit=1)
    return question


async def act_at(record: Record, key: str) -> Act:
    async with record.reading() as stored:
        act = await stored.acts.get(key)
    assert act is not None
    return act


async def eventually(holds: Callable[[], object]) -> None:
    """Wait until something holds that another task brings about."""
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to hold")


async def only_act(registry: ToolRegistry) -> Act:
    """The one act there is."""
    async with registry.record.reading() as stored:
        rows = await stored.acts._sql.all("SELECT key FROM acts", {})
    [[found]] = rows
    return await act_at(registry.record, found)


async def answered(
    registry: ToolRegistry,
    clock: Clock,
    *,
    by: str,
    yes: bool = True,
    directory: Directory | None = None,
) -> Verdict:
    """Answer the newest question as a card's button does."""
    question = await newest_question(registry.record)
    given = Answer(voter=by, yes=yes, at=clock.now())
    async with registry.record.transaction() as tx:
        verdict, _ = await answer(tx, question.id, given, directory or Strangers())
    return verdict


async def consent_to(registry: ToolRegistry) -> Consent:
    """What the host builds for the newest question once it is approved."""
    question = await newest_question(registry.record)
    assert question.tool is not None
    assert question.principal is not None
    return Consent(
        question_id=question.id,
        tool=question.tool,
        args_digest=digest(question.args),
        principal=question.principal,
    )


def verifying(registry: ToolRegistry, clock: Clock, directory: Directory, **options: Any) -> None:
    """Add the two verification tools to a registry."""
    verifier = HumanVerifier(registry.record, clock, directory)
    VerificationTool(verifier, registry.record, **options).register(registry)


def route(**changes: Any) -> Route:
    fields: dict[str, Any] = {
        "name": "owners",
        "tool": "wipe",
        "approvers": ("telegram:2",),
        **changes,
    }
    return Route(**fields)


def routes(*given: Route) -> Routes:
    return Routes(given or (route(),))


class Household(Strangers):
    """A directory: `people` names each principal's person, `held` each person's roles."""

    def __init__(self, people: Mapping[str, str], held: Mapping[str, frozenset[str]]) -> None:
        self.people = dict(people)
        self.held = dict(held)

    def person(self, principal: str) -> str:
        return self.people.get(principal, principal)

    def roles(self, principal: str) -> frozenset[str]:
        return self.held.get(self.person(principal), frozenset())


class LosableRecord:
    """A record whose store can go away."""

    def __init__(self, inner: Record) -> None:
        self._inner = inner
        self.gone = False

    @asynccontextmanager
    async def transaction(self, *, durable: bool = True) -> AsyncIterator[Transaction]:
        if self.gone:
            raise StoreUnavailable("the store is gone")
        async with self._inner.transaction(durable=durable) as tx:
            yield tx

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Repositories]:
        if self.gone:
            raise StoreUnavailable("the store is gone")
        async with self._inner.reading() as stored:
            yield stored

    def on_work(self, listener: Callable[[], None]) -> None:
        self._inner.on_work(listener)

    async def aclose(self) -> None:
        await self._inner.aclose()
