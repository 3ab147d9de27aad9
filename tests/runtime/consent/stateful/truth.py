"""What truly happened, seen from outside, and whether the record and people's words agree."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from comal_runtime.consent.question import SHOW_QUESTION, TELL
from comal_runtime.consent.votes import EXECUTE_ACT
from comal_runtime.record import ActState, QuestionState, Record, Repositories, Transaction
from comal_runtime.result import ToolResult
from tests.model.table import ACT, ENDED_ACTS, NONE, QUESTION, RUNNING_ACTS, changes

from .record import Observer

Key = tuple[str, str]
"""`question` or `act`, and the key of the row."""

Change = tuple[str, str, str, str]
"""Kind, key, from, to."""

_TABLE: Final[Mapping[str, frozenset[tuple[str, str]]]] = {
    "question": changes(QUESTION),
    "act": changes(ACT),
}
_UNTOLD: Final[Mapping[str, frozenset[tuple[str, str]]]] = {
    "question": changes(tuple(edge for edge in QUESTION if not edge.tells)),
    "act": changes(tuple(edge for edge in ACT if not edge.tells)),
}
_STATES: Final = (
    "SELECT 'question', id, state FROM questions UNION ALL SELECT 'act', key, state FROM acts"
)

_MAY_BE: Final[Mapping[str, frozenset[str]]] = {
    ActState.APPROVED: frozenset({NONE}),
    ActState.VOID: frozenset({NONE}),
    ActState.DONE: frozenset({"done"}),
    ActState.DONE_LATE: frozenset({"done"}),
    ActState.FAILED: frozenset({"refused"}),
    ActState.SETTLED_NOT_DONE: frozenset({NONE, "refused"}),
}


@dataclass(slots=True)
class Truth(Observer):
    """Follows rows through the table, tools through their runs, people through what they hear."""

    faults: list[str] = field(default_factory=list)
    states: dict[Key, str] = field(default_factory=dict)
    did: dict[str, str] = field(default_factory=dict)
    runs: Counter[str] = field(default_factory=Counter)
    heard: dict[str, tuple[str, str]] = field(default_factory=dict)
    met: set[Change] = field(default_factory=set)
    to_execute: set[str] = field(default_factory=set)
    seen: dict[Key, str] = field(default_factory=dict)
    changed: list[Change] = field(default_factory=list)
    if_stored: list[Callable[[], None]] = field(default_factory=list)

    async def wrote(self, tx: Repositories) -> None:
        """Note every row that the last statement moved."""
        for kind, key, state in await tx.acts._sql.all(_STATES, {}):
            before = self.seen.get((kind, key), NONE)
            if before != state:
                self.seen[kind, key] = state
                self.changed.append((kind, key, before, state))
                if (before, state) not in _TABLE[kind]:
                    self.faults.append(f"{kind} {before} -> {state} is not in the table")

    def undone(self) -> None:
        """Forget what the transaction did."""
        self.seen = dict(self.states)
        self.changed = []
        self.if_stored = []

    def stored(self, tx: Transaction) -> None:
        """Keep what the transaction did; what people want to know has left a job."""
        self.states = dict(self.seen)
        for note in self.if_stored:
            note()
        self.if_stored = []
        self.to_execute |= {job.key for job, _ in tx.deferred if job.kind == EXECUTE_ACT}
        told = {job.key for job, _ in tx.deferred if job.kind in (TELL, SHOW_QUESTION)}
        starts = any(
            change[0] == "act" and change[3] == ActState.STARTED for change in self.changed
        )
        for kind, key, before, after in self.changed:
            self.met.add((kind, "", before, after))
            may_be_silent = (before, after) in _UNTOLD[kind] and (kind == "act" or starts)
            if key not in told and not may_be_silent:
                self.faults.append(f"{kind} {before} -> {after} is told to nobody")
        self.changed = []

    def begins(self, key: str) -> None:
        """Note that a tool's body began."""
        self.runs[key] += 1
        self.did[key] = "began"
        if self.runs[key] > 1:
            self.faults.append(f"the tool ran {self.runs[key]} times for one yes")

    def hears(self, key: str) -> None:
        """Note what people and the model are told now."""
        states = self.states
        self.heard[key] = (states.get(("question", key), NONE), states.get(("act", key), NONE))

    def answers(self, key: str, result: ToolResult) -> None:
        """Hold what a caller was told against what the tool did."""
        did = self.did.get(key, NONE)
        if result.success and result.data == "wiped" and did != "done":
            self.faults.append(f"a caller heard that it was done; the tool: {did}")
        if "othing was done" in str(result.error) and did in ("began", "done"):
            self.faults.append(f"a caller heard that nothing was done; the tool: {did}")

    async def check(self, record: Record) -> None:
        """Hold every stored end against what the tool did."""
        async with record.reading() as stored:
            rows = await stored.acts._sql.all("SELECT key, state FROM acts", {})
        for key, state in rows:
            did = self.did.get(key, NONE)
            if did not in _MAY_BE.get(state, frozenset({did})):
                self.faults.append(f"the act is {state}; the tool: {did}")

    def check_waiting(self) -> None:
        """Once every job is done: what people approved does not wait for one that is not there."""
        for key in self.to_execute:
            if self.states.get(("act", key)) == ActState.APPROVED:
                self.faults.append("an approved act waits, and no job comes for it")

    def check_rest(self) -> None:
        """Once all is quiet: everything has ended, and people heard how."""
        for (kind, key), state in self.states.items():
            if kind == "question" and state == QuestionState.OPEN:
                self.faults.append("a question stays open")
            if kind == "act" and state in RUNNING_ACTS:
                self.faults.append(f"an act stays {state}")
            question = self.states.get(("question", key), NONE)
            act = self.states.get(("act", key), NONE)
            if self.heard.get(key) != (question, act):
                self.faults.append(f"people heard {self.heard.get(key)}, not {(question, act)}")
            if kind == "question" and state == QuestionState.APPROVED and act not in ENDED_ACTS:
                self.faults.append(f"a yes got lost: its act is {act}")
