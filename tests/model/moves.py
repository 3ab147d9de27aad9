"""What can happen next: every step of every worker, of people, of time and of the sweep."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from .finding_out import settlings
from .move import Move
from .table import NONE
from .world import APPROVED, DIRECT, JOB, OPEN, STARTED, TOKEN, UNKNOWN, At, Undoing, Worker, World

_MOST_JOBS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the runtime keeps to. The model's own test takes one away at a time."""

    claims_what_is_approved: bool = True
    a_claim_is_more_than_its_number: bool = True
    gives_back_only_before_the_tool: bool = True
    looks_at_the_clock: bool = True
    asks_when_over: bool = True
    sweeps: bool = True
    tells: bool = True


def moves(world: World, rules: Rules) -> Iterator[Move]:
    """Yield every next state."""
    yield from _people(world)
    yield from _time(world)
    yield from _telling(world, rules)
    yield from settlings(world, asks_when_over=rules.asks_when_over)
    if rules.sweeps:
        yield from _sweep(world)
    for undoing in world.undoing:
        yield Move("undo", _undone(world, undoing, rules), fair=True)
    for number, worker in enumerate(world.workers[: 1 if _are_alike(world) else 2]):
        yield from _STEPS[worker.at](world, number, worker, rules)
        yield from _faults(world, number, worker)


def _are_alike(world: World) -> bool:
    """Tell whether what one worker does next stands for what the other could do."""
    return world.workers[0] == world.workers[1] and world.holder < 0 and not world.undoing


def _people(world: World) -> Iterator[Move]:
    approved = world.asked("approve")
    if approved is not None:
        opened = approved.acted("open")
        if opened is not None:
            yield Move("yes", _more_jobs(opened))
    for event in ("cancel", "reject", "change"):
        decided = world.asked(event)
        if decided is not None:
            yield Move(event, decided)


def _time(world: World) -> Iterator[Move]:
    if world.question == OPEN and not world.expired:
        yield Move("expires", world._replace(expired=True), fair=True)
    if world.act == APPROVED and not world.overdue:
        yield Move("overdue", world._replace(overdue=True), fair=True)
    if world.act == STARTED and not world.past_deadline:
        yield Move("deadline", world._replace(past_deadline=True), fair=True)
    if world.faults and (world.expired or world.overdue):
        back = world._replace(expired=False, overdue=False, faults=world.faults - 1)
        yield Move("the wall clock steps back", back)


def _telling(world: World, rules: Rules) -> Iterator[Move]:
    if world.telling and rules.tells:
        told = world._replace(telling=False, shown=(world.question, world.act))
        yield Move("tell", told, fair=True)


def _sweep(world: World) -> Iterator[Move]:
    expired = world.asked("expire") if world.expired else None
    void = world.acted("void") if world.overdue else None
    held = world.holder >= 0 and not world.workers[world.holder].lapsed
    lost = world.acted("lose") if world.past_deadline and not held else None
    for name, swept in (("expire", expired), ("void", void), ("lose", lost)):
        if swept is not None:
            yield Move(f"sweep: {name}", swept, fair=True)


def _faults(world: World, number: int, worker: Worker) -> Iterator[Move]:
    if worker.lapsed:
        signed = world.put(number, worker._replace(lapsed=False))
        yield Move(f"w{number} signs again", signed, fair=True)
    if worker.at is At.IDLE and not any(undo.worker == number for undo in world.undoing):
        return
    if world.faults:
        yield Move(f"w{number} dies", _died(world, number, worker))
        frozen = worker._replace(frozen=True, lapsed=True, job=False)
        waiting = _more_jobs(world) if worker.job else world
        yield Move(f"w{number} freezes", waiting.put(number, frozen, faults=world.faults - 1))


def _died(world: World, number: int, worker: Worker) -> World:
    waiting = _more_jobs(world) if worker.job else world
    left = tuple(undo for undo in world.undoing if undo.worker != number)
    holder = -1 if world.holder == number else world.holder
    dead = {"undoing": left, "holder": holder, "faults": world.faults - 1}
    return waiting.put(number, Worker(), **dead)


def _idle(world: World, number: int, worker: Worker, rules: Rules) -> Iterator[Move]:
    if world.jobs:
        taken = world._replace(jobs=world.jobs - 1)
        begun = Worker(at=At.CHECKED, mode=JOB, job=True, lapsed=worker.lapsed)
        runs = taken.put(number, begun) if world.act == APPROVED else taken
        yield Move(f"w{number} takes the job", runs, fair=True)
    if world.question == OPEN and not world.expired:
        yield Move(f"w{number} finds the token", world.put(number, Worker(At.CHECKED, TOKEN)))
    if world.question == NONE and world.claims == 0:
        yield Move(f"w{number} needs no yes", world.put(number, Worker(At.CHECKED, DIRECT)))


def _checked(world: World, number: int, worker: Worker, rules: Rules) -> Iterator[Move]:
    if worker.mode != DIRECT:
        yield Move(f"w{number} is refused by the law", _left(_refused(world), number, worker))
    claimed = _opened(world, worker).acted("claim")
    if claimed is None and not rules.claims_what_is_approved and world.act == STARTED:
        claimed = world._replace(act=STARTED)
    if claimed is None:
        lost = _opened(world, worker)
        yield Move(f"w{number} does not win the claim", _left(lost, number, worker), fair=True)
        return
    claim, attempt = world.claims + 1, world.attempt + 1
    holder = worker._replace(at=At.CLAIMED, claim=claim, attempt=attempt, frozen=False)
    stored = claimed._replace(
        attempt=attempt, claim=claim, claims=claim, holder=number, past_deadline=False
    )
    yield Move(f"w{number} claims", stored.put(number, holder), fair=True)
    if world.faults:
        for name, after in (("stored", stored), ("not stored", world._replace(claims=claim))):
            failed = _to_undo(after, number, holder)._replace(faults=world.faults - 1)
            left = _left(failed, number, worker)
            yield Move(f"w{number} hears nothing of its claim, {name}", left)


def _claimed(world: World, number: int, worker: Worker, rules: Rules) -> Iterator[Move]:
    if worker.frozen and rules.looks_at_the_clock:
        back = _given_back(world, worker.claim, worker.attempt, rules)
        again = worker._replace(at=At.CHECKED, frozen=False)
        if back.act == APPROVED:
            yield Move(f"w{number} gives back and tries again", back.put(number, again), fair=True)
        else:
            yield Move(f"w{number} woke too late", _left(back, number, worker), fair=True)
    else:
        bidden = world.question in (APPROVED, NONE)
        runs = {"runs": world.runs + 1, "unbidden": world.unbidden or not bidden, "real": "began"}
        running = worker._replace(at=At.RUNNING)
        yield Move(f"w{number} runs the tool", world.put(number, running, **runs), fair=True)
    if world.faults:
        stopped = _to_undo(world._replace(faults=world.faults - 1), number, worker)
        yield Move(f"w{number} is called off", _left(stopped, number, worker))


def _running(world: World, number: int, worker: Worker, rules: Rules) -> Iterator[Move]:
    ending = worker._replace(at=At.ENDING)
    for came, real in (("done", "done"), ("failed", "refused"), (UNKNOWN, "cut")):
        ended = world.put(number, ending._replace(came=came), real=real)
        yield Move(f"w{number}'s tool: {came}", ended, fair=True)
    slow = ending._replace(came=UNKNOWN, goes_on=True)
    yield Move(f"w{number}'s tool is too slow", world.put(number, slow), fair=True)
    if not rules.gives_back_only_before_the_tool and world.faults:
        stopped = _to_undo(world._replace(faults=world.faults - 1), number, worker)
        yield Move(f"w{number} is called off", _left(stopped, number, worker))


def _ending(world: World, number: int, worker: Worker, rules: Rules) -> Iterator[Move]:
    stored = _ended(world, worker, rules)
    if worker.goes_on:
        after = stored.put(number, worker._replace(at=At.LATE, came="", job=False))
    else:
        after = _left(stored, number, worker)
    yield Move(f"w{number} stores the end", after, fair=True)
    if world.faults:
        again = worker._replace(job=False)
        for name, left in (("stored", stored), ("not stored", world)):
            heard = left.put(number, again, faults=world.faults - 1)
            yield Move(f"w{number} hears nothing of the end, {name}", heard)


def _late(world: World, number: int, worker: Worker, rules: Rules) -> Iterator[Move]:
    for came, real in (("done", "done"), ("failed", "refused")):
        ended = worker._replace(at=At.ENDING_LATE, came=came, goes_on=False)
        yield Move(
            f"w{number}'s tool, late: {came}", world.put(number, ended, real=real), fair=True
        )


Step = Callable[[World, int, Worker, Rules], Iterator[Move]]

_STEPS: Final[dict[At, Step]] = {
    At.IDLE: _idle,
    At.CHECKED: _checked,
    At.CLAIMED: _claimed,
    At.RUNNING: _running,
    At.ENDING: _ending,
    At.LATE: _late,
    At.ENDING_LATE: _ending,
}


def _opened(world: World, worker: Worker) -> World:
    """What a claim's transaction does before it claims."""
    if worker.mode == DIRECT:
        return world.acted("open") or world
    if worker.mode == TOKEN:
        redeemed = world.asked("redeem")
        return world if redeemed is None else redeemed.acted("open") or redeemed
    return world


def _refused(world: World) -> World:
    closed = world.asked("refuse")
    opened = world if closed is None else closed.acted("open") or closed
    return opened.acted("void") or opened


def _ended(world: World, worker: Worker, rules: Rules) -> World:
    if not _is_held(world, worker.claim, worker.attempt, rules):
        return world
    if world.past_deadline and worker.came != UNKNOWN:
        world = world.acted("lose") or world
    return world.acted(f"end_{worker.came}") or world.acted(f"late_{worker.came}") or world


def _given_back(world: World, claim: int, attempt: int, rules: Rules) -> World:
    if not _is_held(world, claim, attempt, rules):
        return world
    return world.acted("abandon") or world.acted("late_failed") or world


def _undone(world: World, undo: Undoing, rules: Rules) -> World:
    before = world._replace(undoing=tuple(one for one in world.undoing if one != undo))
    after = _given_back(before, undo.claim, undo.attempt, rules)
    if before.act != STARTED or after.act != APPROVED:
        return after
    return _more_jobs(after) if undo.mode == JOB else after.acted("void") or after


def _is_held(world: World, claim: int, attempt: int, rules: Rules) -> bool:
    if rules.a_claim_is_more_than_its_number:
        return world.claim == claim
    return world.attempt == attempt


def _to_undo(world: World, number: int, worker: Worker) -> World:
    undo = Undoing(number, worker.claim, worker.attempt, worker.mode)
    return world._replace(undoing=(*world.undoing, undo))


def _left(world: World, number: int, worker: Worker) -> World:
    """A worker's call is over; what is still approved is its job's to try again."""
    waiting = _more_jobs(world) if worker.job and world.act == APPROVED else world
    return waiting.put(number, Worker(lapsed=worker.lapsed))


def _more_jobs(world: World) -> World:
    return world._replace(jobs=min(_MOST_JOBS, world.jobs + 1))
