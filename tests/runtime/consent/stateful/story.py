"""One story: two processes, three people, time and faults, told step by step from outside."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from comal_runtime.consent.question import digest
from comal_runtime.consent.votes import Answer, answer
from comal_runtime.context import CallKey
from comal_runtime.record import Record, SqliteRecord, StoreUnavailable, memory_record
from comal_runtime.result import ToolResult

from .holding import hold_against
from .house import Process, Shared, SteppingClock
from .loop import Gate, SteppedLoop
from .misuse import forged, redeemed_wrongly
from .sequential import RULES, Rules

_LONG: Final = 100_000.0  # seconds after which every deadline, lease and expiry is over
_EXPECTED: Final = (StoreUnavailable,)  # what a tap or a job's worker meets when the record fails


class Broken(AssertionError):
    """The promise does not hold; the text tells the story."""


@dataclass(slots=True, kw_only=True)
class Token:
    """A question and the secret that redeems it."""

    key: str
    tool: str
    secret: str = field(repr=False)


class Story:
    """A record in memory, or in a file that each process opens for itself."""

    def __init__(self, folder: Path | None = None, rules: Rules = RULES["single"]) -> None:
        self.loop = SteppedLoop()
        self.steps: list[str] = []
        self.tokens: list[Token] = []
        self.calls: list[asyncio.Task[None]] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self._folder = folder
        self._opened: list[Record] = []
        self._born = 0
        clock = SteppingClock()
        self.shared = Shared(record=self._open(clock), clock=clock, rules=rules)
        self.processes = [self._new(), self._new()]
        self._all = list(self.processes)

    @property
    def questions(self) -> list[str]:
        """The ids of every question, oldest first."""
        return [key for kind, key in self.shared.truth.states if kind == "question"]

    def can_go_on(self) -> list[Gate]:
        """Return the gates that may be opened now."""
        held = {one.name for one in self._all if one.fate.dead or one.fate.frozen}
        return [
            gate
            for gate in self.shared.gates.waiting
            if gate.owner not in held and gate.place != "hangs"
        ]

    def open(self, gate: Gate) -> None:
        """Let one task go on to its next gate."""
        self._note(f"{gate.owner} {gate.place}")
        if gate.place == "committed" and self._is_slow(gate.owner):
            self.jump(1.5)
        self.shared.gates.open(gate)
        self._settle()

    def let_time_pass(self) -> None:
        """Let the earliest timer come due."""
        seconds = self.loop.next_timer
        if seconds is not None:
            self._note(f"{seconds:g} s pass")
            self.shared.clock.advance(seconds)
            self.loop.pass_time(seconds)
            self._settle()

    def ask(self, process: Process, tool: str, disk: str, call_key: CallKey | None = None) -> None:
        """Ana asks for something."""
        self._note(f"{process.name}: Ana asks {tool}({disk})")

        async def asking() -> None:
            ctx = process.as_ana(call_key=call_key)
            result = await process.registry.call(tool, {"disk": disk}, ctx)
            secret = result.confirm_token
            async with self.shared.record.reading() as stored:
                questions = stored.questions
                found = await questions.by_secret(digest(secret)) if secret else None
                again = await questions.by_call(str(call_key))
            if found is not None and secret is not None:
                self.tokens.append(Token(key=found.id, tool=tool, secret=secret))
            elif call_key is not None:
                key = str(call_key) if again is None else again.id
                self.shared.truth.answers(key, result)

        self.calls.append(self._begin(asking()))

    def redeem(self, process: Process, token: Token) -> None:
        """Ana redeems a token, sending other arguments along."""
        self._note(f"{process.name}: Ana redeems")

        async def redeeming() -> None:
            result = await process.registry.call(
                token.tool, {"disk": "other"}, process.as_ana(), confirm_token=token.secret
            )
            self.shared.truth.answers(token.key, result)

        self.calls.append(self._begin(redeeming()))

    def misuse(self, process: Process, token: Token, how: str) -> None:
        """Somebody else redeems, or Ana something else; it must do nothing."""
        self._note(f"{process.name}: a token is misused: {how}")
        self._must_fail(how, redeemed_wrongly(process, token.tool, token.secret, how))

    def forge(self, process: Process, key: str, how: str) -> None:
        """Ana's host is made to hand over a consent that differs from its question."""
        self._note(f"{process.name}: a consent is forged: {how}")
        self._must_fail(how, forged(process, key, how))

    def tap(
        self, process: Process, key: str, voter: str, *, yes: bool, reason: str | None = None
    ) -> None:
        """Somebody answers a question on its card."""
        self._note(f"{process.name}: {voter} says {'yes' if yes else 'no'}")

        async def tapping() -> None:
            given = Answer(voter=voter, yes=yes, reason=reason, at=self.shared.clock.now())
            async with process.record.transaction() as tx:
                verdict, question = await answer(tx, key, given, self.shared.directory)
                assert question is not None
                hold = partial(hold_against, self.shared, verdict, question, given)
                self.shared.truth.if_stored.append(hold)

        self._begin(tapping())

    def work(self, process: Process) -> None:
        """A process does the jobs that are due."""
        self._note(f"{process.name} looks for jobs")
        self._begin(process.work())

    def sweep(self, process: Process) -> None:
        """A process sweeps."""
        self._note(f"{process.name} sweeps")
        self._begin(process.registry.sweep())

    def sign(self, process: Process) -> None:
        """A process signs that it lives."""
        self._note(f"{process.name} signs")
        self._begin(process.sign())

    def cancel(self, number: int) -> None:
        """Somebody calls a call off."""
        self._note(f"call {number} is cancelled")
        self.calls[number].cancel()
        self._settle()

    def kill(self, process: Process) -> None:
        """A process is gone between two statements, and another takes its place."""
        self._note(f"{process.name} is killed")
        process.fate.dead = True
        self._replace(process)

    def strike(self, process: Process, what: str, value: object) -> None:
        """Let the record fail for a process, or the process die or freeze, at some statement."""
        self._note(f"{process.name}: {what} = {value}")
        setattr(process.fate, what, value)

    def deploy(self, process: Process, version: str) -> None:
        """A process gets other tools; calls that run keep theirs."""
        self._note(f"{process.name} runs version {version} of its tools")
        process.registry = process.deployed(version)

    def jump(self, seconds: float) -> None:
        """The machine sleeps: its clocks go on, its timers do not."""
        self._note(f"{seconds:g} s are lost")
        self.shared.clock.advance(seconds)

    def step_clock(self, seconds: float) -> None:
        """The wall clock is set."""
        self._note(f"the wall clock steps by {seconds:g} s")
        self.shared.clock.step(seconds)

    def finish(self) -> None:
        """Let everything end without another fault; what is left then is wrong."""
        self._note("from here on all goes well")
        self.shared.clock.set_right()  # jobs are due by it
        for process in self._all:
            fate = process.fate
            fate.frozen = fate.slow = False
            fate.fails_in = fate.dies_in = None
            fate.silent_commits = fate.lost_commits = 0
        self._round(0.0, 20.0, 20.0, 20.0)
        self.shared.truth.check_waiting()
        self._round(_LONG, 0.0, 20.0, 20.0)
        self.shared.truth.check_rest()
        self._complain()

    def close(self) -> None:
        """Clear up."""
        for process in self._all:
            process.fate.released = True
        for _ in range(50):
            left = asyncio.all_tasks(self.loop)
            if not left:
                break
            for task in left:
                task.cancel()
            self.loop.settle()
        for record in self._opened:
            self.loop.create_task(record.aclose())
        self.loop.settle()
        self.loop.close()

    def _round(self, *pauses: float) -> None:
        for pause in pauses:
            self.shared.clock.advance(pause)
            for process in list(self.processes):
                self._quiet()
                self.sweep(process)
                self.work(process)
            self._quiet()

    def _is_slow(self, owner: str) -> bool:
        return any(one.fate.slow for one in self._all if one.name == owner)

    def _quiet(self) -> None:
        for _ in range(5_000):
            gates = self.can_go_on()
            if gates:
                self.open(gates[0])
            elif self.loop.next_timer is not None:
                self.let_time_pass()
            else:
                return
        raise Broken("it never comes to rest: " + "; ".join(self.steps[-20:]))

    def _replace(self, process: Process) -> None:
        fresh = self._new()
        self._all.append(fresh)
        self.processes[self.processes.index(process)] = fresh

    def _new(self) -> Process:
        self._born += 1
        own = self.shared.record if self._folder is None else self._open(self.shared.clock)
        return Process(f"p{self._born}", self.shared, own)

    def _open(self, clock: SteppingClock) -> Record:
        if self._folder is None:
            record = memory_record(clock=clock, hosted=True)
        else:
            record = SqliteRecord(self._folder / "comal.db", clock=clock)
        self._opened.append(record)
        return record

    def _begin(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = self.loop.create_task(work)
        self._tasks.append(task)
        self._settle()
        return task

    def _settle(self) -> None:
        self.loop.settle()
        for process in list(self.processes):
            if process.fate.dead:  # at one of its own statements
                self._replace(process)
        self._complain()

    def _complain(self) -> None:
        check = self.loop.create_task(self.shared.truth.check(self.shared.record))
        self.loop.settle()
        check.result()
        faults = self.shared.truth.faults
        for task in [one for one in self._tasks if one.done()]:
            self._tasks.remove(task)
            fault = None if task.cancelled() else task.exception()
            if fault is not None and not isinstance(fault, _EXPECTED):
                faults.append(f"{type(fault).__name__}: {fault}")
        if faults:
            raise Broken("; ".join(faults) + "\n  " + "\n  ".join(self.steps))

    def _must_fail(self, how: str, calling: Coroutine[Any, Any, ToolResult]) -> None:
        async def trying() -> None:
            result = await calling
            if result.success and result.data == "wiped":
                self.shared.truth.faults.append(f"a misuse passed: {how}")

        self._begin(trying())

    def _note(self, step: str) -> None:
        self.steps.append(step)
