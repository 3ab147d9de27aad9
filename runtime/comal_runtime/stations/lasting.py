"""Work that outlives its call: kept, and tried until the record takes it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from ..deps import Deps
from ..record import RecordError, Transaction

log = logging.getLogger(__name__)

_FIRST_PAUSE: Final = 0.25  # seconds before the second try
_LONGEST_PAUSE: Final = 30.0

_T = TypeVar("_T")


def keep(deps: Deps, work: Coroutine[object, object, _T]) -> asyncio.Task[_T]:
    """Begin work that goes on when its call is cancelled."""
    task = asyncio.get_running_loop().create_task(work)
    deps.late.add(task)
    task.add_done_callback(deps.late.discard)
    return task


def outlive(deps: Deps, running: "asyncio.Future[Any] | None") -> None:
    """Keep the author's code that could not be stopped until it ends by itself."""
    if isinstance(running, asyncio.Task):
        deps.late.add(running)
        running.add_done_callback(deps.late.discard)


async def until_stored(
    deps: Deps, key: str, write: Callable[[Transaction], Awaitable[object]], *, pause: float = 0.0
) -> None:
    """Try to store what is known of an act until it is stored; begin after `pause` seconds."""
    while True:
        if pause:
            await asyncio.sleep(pause)
        try:
            async with deps.record.transaction() as tx:
                await write(tx)
        except RecordError:
            pause = min(_LONGEST_PAUSE, max(_FIRST_PAUSE, pause * 2))
            log.exception("act.not_stored", extra={"act": key, "again_in": pause})
        else:
            return
