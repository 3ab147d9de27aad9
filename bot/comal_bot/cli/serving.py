"""`comal run`: serves people until stopped, or until nothing is left to do."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Coroutine, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from comal_bot.app import Comal
from comal_bot.logs import set_up_logs
from comal_bot.settings import Settings, load_settings

from .complaints import CommandFailed
from .loading import load_tools

log = logging.getLogger(__name__)


def serve(config: Path | None, tools: Sequence[str], *, data: Path | None, once_idle: bool) -> None:
    """Read the settings and the tools, then serve.

    Raises:
        BadSettings: Settings or tools cannot be used.
        CommandFailed: The record has no place.
    """
    settings = load_settings(config, tools=tools, data=data, serving=True)
    set_up_logs(settings.host.log)
    modules = load_tools(settings.tools.modules, Path.cwd())
    _make_folder(settings.data.path.parent)
    asyncio.run(_serve(settings, modules, once_idle))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandFailed(
            f"the folder {folder} for the record cannot be made: {error.strerror}; "
            "name another with --data or [data] url"
        ) from error


async def _serve(settings: Settings, modules: Sequence[ModuleType], once_idle: bool) -> None:
    stopped = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # not on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await _until_one_ends(_host(settings, modules, once_idle), _wait_for(stopped))


async def _host(settings: Settings, modules: Sequence[ModuleType], once_idle: bool) -> None:
    async with Comal(settings, modules) as app:
        log.info("host.serving", extra={"channels": sorted(settings.channels)})
        if once_idle:
            await _until_one_ends(app.run(), app.until_idle())
        else:
            await app.run()


async def _wait_for(event: asyncio.Event) -> None:
    await event.wait()


async def _until_one_ends(*works: Coroutine[Any, Any, None]) -> None:
    """Run all until the first ends, then end the others; raise what one raised."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if not task.cancelled():
            task.result()
