"""What an area of vectors is, and the comparison that most areas share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.vectors.decisions import Decision
from tests.vectors.rows import Row
from tests.vectors.values import difference

Facets = dict[str, Any]
"""What an area compares of a row, by name; JSON-shaped."""

Differs = Callable[[Row, Decision | None], Awaitable[str | None]]

_ABSENT: Final = "nothing of the kind"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What is right instead of the recorded output for every row of a kind, and by which line."""

    expected: Facets
    line: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One kind of vectors.

    Args:
        name: The stem of the file the kind was recorded in.
        prefix: What its ids begin with in `decisions.toml` and in the list of faults.
        fits: Tells by the shape of a row's input whether it is of this kind.
        differs: Runs a row and says what differs from the decision, or from the recorded
            output if there is none; None when nothing does. Raises NotApplicable, with the
            reason, for a row that says nothing about this project.
        recorded: Returns the recorded output as facets, so that a decision can be held
            against it; None where an area has no facets.
        ruled: Returns what a rule of the area says of a row, if one does.
    """

    name: str
    prefix: str
    fits: Callable[[dict[str, Any]], bool]
    differs: Differs
    recorded: Callable[[Row], Facets] | None = None
    ruled: Callable[[Row], Ruling | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How an area of facets finds, reads and rules them."""

    found: Callable[[Row], Awaitable[Facets]]
    recorded: Callable[[Row], Facets]
    ruled: Callable[[Row], Ruling | None]

    async def differs(self, row: Row, decision: Decision | None) -> str | None:
        """Compare the facets that the decision, else a rule, else the record names.

        What a rule says beside the decision on a row holds too.
        """
        found = await self.found(row)
        ruling = self.ruled(row)
        by_rule = ruling.expected if ruling else {}
        decided = decision or ruling
        if decided is None:
            return first_difference(self.recorded(row), found)
        expected = {**by_rule, **decided.expected}
        why = first_difference(expected, found)
        return f"{why} (by {decided.line}: {decided.why})" if why else None


def first_difference(expected: Facets, found: Facets) -> str | None:
    """Say which of the expected facets is another; None if each is as expected."""
    differences = (
        difference(name, wanted, found.get(name, _ABSENT)) for name, wanted in expected.items()
    )
    return next(filter(None, differences), None)


def compared(
    name: str, prefix: str, fits: Callable[[dict[str, Any]], bool], comparison: Comparison
) -> Area:
    """Make the area of a comparison of facets."""
    return Area(
        name=name,
        prefix=prefix,
        fits=fits,
        differs=comparison.differs,
        recorded=comparison.recorded,
        ruled=comparison.ruled,
    )
