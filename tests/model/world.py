"""One question and its act as two workers, people, time and faults see them: a state of the model.

Rows are apart by their keys, so that asking again is a world of its own.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from comal_runtime.record import ActState, QuestionState

from .table import ACT, NONE, QUESTION, steps

_QUESTION: Final[Mapping[tuple[str, str], str]] = steps(QUESTION)
_ACT: Final[Mapping[tuple[str, str], str]] = steps(ACT)

OPEN: Final = str(QuestionState.OPEN)
APPROVED: Final = str(ActState.APPROVED)  # of a question too
STARTED: Final = str(ActState.STARTED)
UNKNOWN: Final = str(ActState.UNKNOWN)

JOB: Final = "job"
TOKEN: Final = "token"
DIRECT: Final = "direct"


class At(IntEnum):
    """Where a worker stands; between two of these it can be stopped, frozen or killed."""

    IDLE = 0
    CHECKED = 1
    CLAIMED = 2
    RUNNING = 3
    ENDING = 4
    LATE = 5
    ENDING_LATE = 6


class Worker(NamedTuple):
    """A process that runs acts. `frozen`: since its claim; `lapsed`: its lease has run out.

    `came` is how its callback ended, which is still to be stored; `goes_on` tells that the callback
    outlives its time limit. `job` is False once another may take the job it works on.
    """

    at: At = At.IDLE
    mode: str = ""
    claim: int = 0
    attempt: int = 0
    frozen: bool = False
    lapsed: bool = False
    came: str = ""
    goes_on: bool = False
    job: bool = False


class Undoing(NamedTuple):
    """A claim that may or may not be stored, which its process is about to give back."""

    worker: int
    claim: int
    attempt: int
    mode: str


class World(NamedTuple):
    """Everything that decides what may come next.

    `claim` and `holder` name who started the act (its worker, or -1 once that process is gone);
    `real` is what the tool truly did; `shown` is what people were told last, `telling` that a job
    to tell them waits; `jobs` counts those to execute that wait; `faults` says how many deaths,
    freezes, cancellations, outages and steps of the clock may still come.
    """

    question: str = OPEN
    act: str = NONE
    attempt: int = 0
    claim: int = 0
    holder: int = -1
    claims: int = 0
    expired: bool = False
    overdue: bool = False
    past_deadline: bool = False
    jobs: int = 0
    telling: bool = False
    shown: tuple[str, str] | None = (OPEN, NONE)
    real: str = NONE
    runs: int = 0
    unbidden: bool = False
    workers: tuple[Worker, ...] = (Worker(), Worker())
    undoing: tuple[Undoing, ...] = ()
    faults: int = 2

    def asked(self, event: str) -> "World | None":
        """Return what a statement on the question makes of it; None when it does not win."""
        to = _QUESTION.get((event, self.question))
        if to is None or (event in TIMELY_QUESTION and self.expired):
            return None
        return self._replace(question=to).to_tell(event in TELLS_QUESTION)

    def acted(self, event: str) -> "World | None":
        """Return what a statement on the act makes of it; None when it does not win."""
        to = _ACT.get((event, self.act))
        if to is None or (event in TIMELY_ACT and self.overdue):
            return None
        return self._replace(act=to).to_tell(event in TELLS_ACT)

    def to_tell(self, tells: bool) -> "World":
        """Return this world with a job to tell people, where what they know is of no more use."""
        return self._replace(telling=True, shown=None) if tells else self

    def put(self, number: int, worker: Worker, **changes: object) -> "World":
        """Return this world with one worker changed."""
        workers = (worker, self.workers[1]) if number == 0 else (self.workers[0], worker)
        return self._replace(workers=workers, **changes)

    @property
    def at_rest(self) -> bool:
        """Whether everything has ended and people know how."""
        ended = self.question != OPEN and self.act not in (APPROVED, STARTED)
        return ended and not self.telling and self.shown == (self.question, self.act)


TIMELY_QUESTION: Final = frozenset(edge.event for edge in QUESTION if edge.timely)
TIMELY_ACT: Final = frozenset(edge.event for edge in ACT if edge.timely)
TELLS_QUESTION: Final = frozenset(edge.event for edge in QUESTION if edge.tells)
TELLS_ACT: Final = frozenset(edge.event for edge in ACT if edge.tells)


def faults(world: World) -> list[str]:
    """Return what of the promise does not hold in this state."""
    found = []
    if world.runs > 1:
        found.append("the tool ran twice for one yes")
    if world.unbidden:
        found.append("the tool ran without a yes")
    if world.runs and world.question not in (APPROVED, NONE):
        found.append(f"the tool ran though the question is {world.question}")
    if world.act in _TRUTH and world.real not in _TRUTH[world.act]:
        found.append(f"the act is {world.act}, but in truth the tool did: {world.real}")
    return found


_TRUTH: Final[Mapping[str, tuple[str, ...]]] = {
    NONE: (NONE,),
    APPROVED: (NONE,),
    str(ActState.VOID): (NONE,),
    str(ActState.DONE): ("done",),
    str(ActState.DONE_LATE): ("done",),
    str(ActState.FAILED): ("refused",),
    str(ActState.SETTLED_DONE): ("done",),
    str(ActState.SETTLED_NOT_DONE): (NONE, "refused"),
}
