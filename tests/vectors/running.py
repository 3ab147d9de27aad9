"""Runs rows: finds the area of each and asks it what differs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from tests.vectors.areas import AREAS
from tests.vectors.areas.area import Area
from tests.vectors.decisions import Decision
from tests.vectors.rows import NotApplicable, Row


class Verdict(Enum):
    """How a row ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A row, how it ended, why if it did not pass, and the decision that was asserted."""

    row: Row
    verdict: Verdict
    why: str = ""
    decision: Decision | None = None


def area_of(row: Row) -> Area | None:
    """Return the area a row is of: by the shape of its input, then by the name of its file."""
    fitting = [area for area in AREAS if _fits(area, row)]
    named = [area for area in fitting if area.name in row.file]
    return next(iter(named or fitting), None)


def _fits(area: Area, row: Row) -> bool:
    try:
        return area.fits(row.input)
    except (TypeError, ValueError, AttributeError, LookupError):
        return False  # an input whose parts are of another kind is of another shape


def decision_for(row: Row, decisions: Mapping[str, Decision]) -> Decision | None:
    """Return the decision on a row, if there is one."""
    area = area_of(row)
    return decisions.get(f"{area.prefix}:{row.id}") if area else None


async def run_row(row: Row, decision: Decision | None) -> Outcome:
    """Run one row; an area that breaks on it fails it."""
    area = area_of(row)
    if row.lacks:
        why = f"the row lacks {row.lacks}; a row is {{id, input, output, note}}"
        return Outcome(row=row, verdict=Verdict.FAILED, why=why)
    if area is None:
        return Outcome(row=row, verdict=Verdict.FAILED, why=_unknown(row))
    try:
        differs = await area.differs(row, decision)
    except NotApplicable as reason:
        return Outcome(row=row, verdict=Verdict.SKIPPED, why=str(reason))
    except Exception as error:
        differs = f"the row could not be run: {type(error).__name__}: {error}"
    verdict = Verdict.PASSED if differs is None else Verdict.FAILED
    return Outcome(row=row, verdict=verdict, why=differs or "", decision=decision)


async def run_rows(rows: Iterable[Row], decisions: Mapping[str, Decision]) -> list[Outcome]:
    """Run rows one after another."""
    return [await run_row(row, decision_for(row, decisions)) for row in rows]


def _unknown(row: Row) -> str:
    keys = ", ".join(sorted(row.input)) or "nothing"
    known = ", ".join(area.name for area in AREAS)
    return f"unknown shape: its input holds {keys}; known kinds are {known}"
