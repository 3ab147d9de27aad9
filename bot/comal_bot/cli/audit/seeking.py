"""Which records a command is about, and reading them a page at a time."""

import time
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Final

import typer
from pydantic_core import PydanticCustomError

from comal_bot.settings.wording import seconds
from comal_runtime.record import Filed, Sought
from comal_runtime.record.audit import Audit

_PAGE: Final = 1000


def sought(
    *,
    tool: str | None = None,
    principal: str | None = None,
    decision: str | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Sought:
    """Return which records are meant.

    Raises:
        typer.BadParameter: A time cannot be read.
    """
    return Sought(
        tool=tool,
        principal=principal,
        decision=decision,
        since=None if since is None else moment(since, "--since"),
        until=None if until is None else moment(until, "--until"),
    )


def moment(text: str, option: str) -> float:
    """Return epoch seconds of `2h` (ago) or of a date, which without a zone is a local one.

    Raises:
        typer.BadParameter: It is neither.
    """
    try:
        return time.time() - seconds(text)
    except PydanticCustomError:
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(
            f"{option} is {text!r}; allowed: '90s', '10m', '2h', '7d', or a date such as "
            "'2026-11-30' or '2026-11-30T12:00'"
        ) from error


async def pages(audit: Audit, wanted: Sought) -> AsyncIterator[list[Filed]]:
    """Yield the records sought, oldest first, a page at a time."""
    after: int | None = None
    while page := await audit.page(wanted, after=after, limit=_PAGE):
        yield page
        after = page[-1].seq
