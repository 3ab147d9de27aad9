"""The code for the first owner, shown where only whoever starts the host reads it."""

import logging
import sys

from comal_bot.owners import OWNER
from comal_bot.owning import LASTS, issue_code
from comal_bot.settings import Settings
from comal_bot.tooling import directory
from comal_runtime.clock import SystemClock
from comal_runtime.record import Record

from .complaints import complain

log = logging.getLogger(__name__)


async def show_owner_code(settings: Settings, record: Record) -> None:
    """Show a fresh code while there is no owner: on a terminal, never in what is logged."""
    people = directory(settings)
    async with record.reading() as stored:
        await people.refresh(stored)
    if people.holders(OWNER):
        return
    log.warning("host.no_owner", extra={"mend": "`comal people owner-code` prints a code"})
    if sys.stderr.isatty():
        code = await issue_code(record, SystemClock())
        complain(f"no owner yet: {how_to_own(code)}")


def how_to_own(code: str) -> str:
    """Say what to do with a code."""
    minutes = round(LASTS / 60)
    return f"send `/owner {code}` to the bot in a private chat within {minutes} minutes"
