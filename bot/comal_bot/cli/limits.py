"""`comal limits`: what callers have spent, and how to give one of them a full budget again."""

import asyncio
import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comal_bot.settings import load_settings
from comal_runtime.clock import SystemClock
from comal_runtime.rate_limit import Limit, Limits
from comal_runtime.record import Moment, Spent
from comal_runtime.record.limits import Limits as Budgets
from comal_runtime.record.sqlite import SqliteSql

from .complaints import CommandFailed, complain
from .opening import opened
from .printing import print_json, print_table, print_text

_MOST: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A budget as it may be shown; `full_in` is in seconds."""

    key: str
    limit: Limit
    spent: float
    full_in: float

    def to_dict(self) -> dict[str, object]:
        """Return the budget as JSON-shaped data; an amount without limit is null."""
        return {
            "key": self.key,
            "spent": round(self.spent, 3),
            "amount": None if self.limit.endless else self.limit.amount,
            "perSeconds": self.limit.per,
            "fullInSeconds": round(self.full_in, 3),
        }


def show_limits(config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print every budget that is not full, the one that takes longest to be first.

    Raises:
        CommandFailed: There is no record to read.
    """
    settings = load_settings(config, data=data)
    found = asyncio.run(_read(settings.data.path))
    limits = settings.limits.budgets()
    shown = [_shown(one, limits) for one in found]
    if as_json:
        print_json([one.to_dict() for one in shown])
    elif shown:
        rows = [
            (one.key, f"{one.spent:.3g} of {one.limit}", f"{one.full_in:.0f} s") for one in shown
        ]
        print_table(("budget", "spent", "full in"), rows)
    else:
        complain("every budget is full")
    if len(found) == _MOST:
        complain(f"only {_MOST} budgets were read")


def refill(key: str, config: Path | None, data: Path | None) -> None:
    """Fill one budget up. Whoever may write the record may do it: no account is asked for.

    Raises:
        CommandFailed: There is no record, or nothing was spent of such a budget.
    """
    path = load_settings(config, data=data).data.path
    if not asyncio.run(_refill(path, key)):
        known = [one.key for one in asyncio.run(_read(path))]
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`comal limits list` shows those that are"
        raise CommandFailed(f"no budget {key!r} is less than full; {hint}")
    print_text(f"{key} is full again")


async def _read(path: Path) -> list[Spent]:
    with opened(path) as connection:
        budgets = Budgets(SqliteSql(connection))
        return await budgets.spent(Moment.of(SystemClock()), limit=_MOST)


async def _refill(path: Path, key: str) -> bool:
    with opened(path, writing=True) as connection:
        return await Budgets(SqliteSql(connection)).refill(key)


def _shown(one: Spent, limits: Limits) -> Shown:
    """Say how much of a budget is spent, by the limit that the settings give it now."""
    channel, _, rest = one.key.partition(":")
    tool = rest.rpartition(":")[2]
    limit = limits.principal if tool == "*" else limits.for_use(channel, tool)
    ahead = min(one.ahead, limit.per)
    spent = 0.0 if limit.endless else ahead * limit.amount / limit.per
    return Shown(key=one.key, limit=limit, spent=spent, full_in=ahead)
