"""Trying changes by the thousand: what ran all the same is told, with the seed that finds it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from comal_runtime.record import RecordError

from .changes import CHANGES, Attempt, Change
from .shown import Stage, as_host, as_shown, store

_BATCH: Final = 500  # changes on one record, so that none grows for long
_UNCHANGED_EACH: Final = 50  # changes to one call that is as it was shown, and runs


@dataclass(slots=True)
class Tried:
    """What came of it: `ran` names the changes that did not keep a call from running."""

    seed: int
    changes: int = 0
    ran: list[str] = field(default_factory=list)
    stopped_as_shown: list[str] = field(default_factory=list)
    executed_as_shown: int = 0

    @property
    def line(self) -> str:
        """The result in one line."""
        return f"{self.changes} mutations, {len(self.ran)} executions"


async def tried(count: int, seed: int, changes: Sequence[Change] = CHANGES) -> Tried:
    """Try so many changes, one each on a call of its own that was approved."""
    found, chance = Tried(seed), Random(seed)
    while found.changes < count:
        stage = Stage()
        for number in range(min(_BATCH, count - found.changes)):
            await _try(stage, chance, chance.choice(changes), found)
            if number % _UNCHANGED_EACH == 0:
                await _try(stage, chance, None, found)
        await stage.registry.audit.flush()
        await stage.registry.record.aclose()
    return found


async def _try(stage: Stage, chance: Random, change: Change | None, found: Tried) -> None:
    name, by_token = chance.choice([("pay", False), ("send", False), ("send", True)])
    rows, secret = stage.approved(name, by_token=by_token)
    ctx = as_host(rows.question)
    attempt = Attempt(rows=rows, name=name, ctx=ctx)
    if by_token:
        attempt.token, attempt.args = secret, {}
        object.__setattr__(attempt.ctx, "consent", None)
    if change is not None:
        change(attempt, stage, chance)
    before = len(stage.ran.calls)
    stage.whispers = attempt.whispers
    with suppress(RecordError):  # such as a row that names no question
        async with stage.registry.record.transaction() as tx:
            await store(tx, attempt.rows)
    await stage.registry.call(attempt.name, attempt.args, attempt.ctx, confirm_token=attempt.token)
    for undo in attempt.undo:
        undo()
    stage.whispers, stage.foretells = None, stage.effect
    ran = stage.ran.calls[before:]
    if change is None:
        found.executed_as_shown += ran == [as_shown(rows)]
        if ran != [as_shown(rows)]:
            found.stopped_as_shown.append(f"{name}, by_token={by_token}: {ran}")
        return
    found.changes += 1
    if ran:
        found.ran.append(f"{change.__name__} #{found.changes}, by_token={by_token}: {ran}")
