"""Processes that share a record: each a registry with its tools, its jobs and its fate."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from comal_runtime.consent.question import SHOW_QUESTION, TELL, digest
from comal_runtime.consent.votes import EXECUTE_ACT
from comal_runtime.context import Consent, ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.record import ActState, ClaimedJob, Question, QuestionState, Record
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock
from comal_runtime.tools import Tool
from comal_runtime.wiring import Wiring
from tests.runtime.stations.arranging import Household, made, routes

from .loop import Gates
from .people import ANA, SAME
from .record import Fate, FatefulRecord
from .sequential import HELD, RULES, Asked, Rules, route_of
from .truth import Truth

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"disk": {"type": "string"}},
    "required": ["disk"],
    "additionalProperties": False,
}
TIMEOUT: Final = 30.0
LEASE: Final = 15.0
_FRESH: Final = 1.001  # seconds from a claim to its callback, the looks of the test included
_TICK: Final = 1e-6  # seconds; no machine does anything between two equal readings of its clock


class SteppingClock(FakeClock):
    """A clock whose wall time also steps back; its boot time only grows, with every look."""

    def __init__(self) -> None:
        super().__init__()
        self._behind = 0.0

    def boot(self) -> float:
        self._boot += _TICK
        return self._boot

    def step(self, seconds: float) -> None:
        """Set the wall clock, as an administrator or NTP does."""
        self._now += seconds
        self._behind = max(0.0, self._behind - seconds)

    def set_right(self) -> None:
        """Set a wall clock right that is behind what it has been."""
        self.step(self._behind)


@dataclass(slots=True, kw_only=True)
class Shared:
    """What all processes of a story share. `behaves` says what the tool does about each disk."""

    record: Record
    clock: SteppingClock
    gates: Gates = field(default_factory=Gates)
    truth: Truth = field(default_factory=Truth)
    rules: Rules = RULES["single"]
    directory: Household = field(default_factory=lambda: Household(SAME, HELD))
    asked: dict[str, Asked] = field(default_factory=dict)
    scopes: tuple[str, ...] = ("disk",)
    behaves: dict[str, str] = field(default_factory=dict)


class Process:
    """One process: `version` is that of the tools it was deployed with."""

    def __init__(self, name: str, shared: Shared, record: Record, version: str = "1") -> None:
        self.name = name
        self.fate = Fate(name)
        self.record = FatefulRecord(record, self.fate, shared.gates, shared.truth)
        self.shared = shared
        self.registry = self.deployed(version)

    def deployed(self, version: str) -> ToolRegistry:
        """Return a registry with the tools of one version."""
        shared = self.shared
        registry = ToolRegistry(
            Wiring(
                record=self.record,
                clock=shared.clock,
                instance=self.name,
                directory=shared.directory,
                routes=routes(route_of(shared.rules)),
            )
        )
        for tool, options in _TOOLS.items():
            given = {**options, "version": version, "mutating": True, "timeout": TIMEOUT}
            body = self._tool(tool, registry)
            registry.add(made(body, tool, SCHEMA, scopes=("disk",), **given))
        return registry

    def as_ana(self, **changes: Any) -> ToolContext:
        """Ana, with the rights she has now."""
        fields: dict[str, Any] = {
            "principal": ANA,
            "channel": "cli",
            "conversation": "c1",
            "scopes": self.shared.scopes,
            **changes,
        }
        return ToolContext(**fields)

    async def work(self) -> None:
        """Do every job that is due, once."""
        clock = self.shared.clock
        async with self.record.transaction(durable=False) as tx:
            claimed = await tx.jobs.claim(
                self.name, now=clock.now(), lease_until=clock.now() + LEASE, limit=99
            )
        for job in claimed:
            done = await self._do(job)
            async with self.record.transaction(durable=False) as tx:
                if done:
                    await tx.jobs.finish(job.id, self.name)
                else:
                    run_at = clock.now() + 1
                    await tx.jobs.release(
                        job.id, self.name, run_at=run_at, error="again", failed=False
                    )

    async def _do(self, claimed: ClaimedJob) -> bool:
        key = claimed.job.key
        match claimed.job.kind:
            case kind if kind == EXECUTE_ACT:
                return await self.execute(key)
            case kind if kind in (TELL, SHOW_QUESTION):
                await self.record.stop("tells")
                self.shared.truth.hears(key)
                return True
            case other:
                raise ValueError(f"no such job here: {other}")

    async def execute(self, key: str) -> bool:
        """Run an approved act as its requester; False when it is to be tried again."""
        async with self.record.reading() as stored:
            question, act = await stored.questions.get(key), await stored.acts.get(key)
        if question is None or act is None or act.state is not ActState.APPROVED:
            return True
        result = await self.registry.call(act.tool, {}, self.as_ana(consent=consent(question)))
        self.shared.truth.answers(key, result)
        async with self.record.reading() as stored:
            after = await stored.acts.get(key)
        return after is None or after.state is not ActState.APPROVED

    async def sign(self) -> None:
        """Say that this process lives."""
        clock = self.shared.clock
        async with self.record.transaction(durable=False) as tx:
            await tx.leases.live(
                self.name,
                boot_id=clock.boot_id(),
                lease_boot=clock.boot() + LEASE,
                lease_at=clock.now() + LEASE,
            )

    def _tool(self, name: str, registry: ToolRegistry) -> Any:
        async def body(ctx: ToolContext, disk: str) -> object:
            key = str(ctx.idempotency_key)
            await self._weigh(registry.get(name), key, disk)
            self.shared.truth.begins(key)
            return await self._behave(key, disk)

        return body

    async def _weigh(self, tool: Tool | None, key: str, disk: str) -> None:
        """Note whether somebody entitled said yes to exactly this, and it was claimed just now."""
        if self.fate.dead:
            await self.fate.end()
        async with self.shared.record.reading() as stored:
            question, act = await stored.questions.get(key), await stored.acts.get(key)
        faults, shared = self.shared.truth.faults, self.shared
        if act is None or act.state not in (ActState.STARTED, ActState.UNKNOWN):
            faults.append(f"the tool began while its act is {act and act.state}")
        elif self.shared.clock.boot() - (act.claimed_boot or 0.0) > _FRESH:
            faults.append("the tool began long after its claim")
        assert tool is not None
        if tool.name != "note":
            faults += _not_said_yes_to(question, tool, disk)
        if tool.name == "refund" and not shared.asked[key].is_granted(shared.directory.held):
            faults.append("the tool began, and those who said yes are not enough")

    async def _behave(self, key: str, disk: str) -> object:
        did, record = self.shared.truth.did, self.record
        match self.shared.behaves.get(disk, "does"):
            case "refuses":
                did[key] = "refused"
                raise ToolError("no such disk")
            case "breaks":
                await record.stop("breaks")
                raise ConnectionError("half way")
            case "hangs":
                await self.shared.gates.stop(f"{self.name}'s disk", "hangs")
            case "is late":
                await _whatever_comes(record)
            case _:
                await record.stop("works")
        did[key] = "done"
        return "wiped"


def _not_said_yes_to(question: Question | None, tool: Tool, disk: str) -> Iterator[str]:
    """Say what is wrong with the yes that a tool begins with."""
    if question is None or question.state is not QuestionState.APPROVED:
        yield "the tool began without a yes"
        return
    if (question.decided_at or 0.0) >= question.expires_at:
        yield "the yes came when its time was over"
    if question.args != f'{{"disk":"{disk}"}}':
        yield f"the tool began with {disk!r}, not with {question.args}"
    if question.definition_digest != tool.definition_digest:
        yield "the tool is not the one that was shown"
    if tool.name != "refund" and question.decided_by != ANA:
        yield f"the yes came from {question.decided_by}"


async def _whatever_comes(record: FatefulRecord) -> None:
    """Work on at one gate, cancelled or not."""
    working = asyncio.get_running_loop().create_task(record.stop("works on"))
    while not working.done():
        try:
            await asyncio.shield(working)
        except asyncio.CancelledError:
            continue


def consent(question: Question, **changes: Any) -> Consent:
    """What a host builds for an approved question."""
    fields: dict[str, Any] = {
        "question_id": question.id,
        "tool": question.tool or "",
        "args_digest": digest(question.args),
        "principal": question.principal or "",
        **changes,
    }
    return Consent(**fields)


_TOOLS: Final[Mapping[str, Mapping[str, Any]]] = {
    "wipe": {"confirm": True},
    "refund": {},
    "note": {},
}
