"""`comal run`: serves people until stopped, or until nothing is left to do."""

import asyncio
import gc
import logging
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from comal_bot.app import Comal
from comal_bot.logs import set_up_logs
from comal_bot.settings import Settings, load_settings
from comal_bot.tooling import offered
from comal_runtime.registry import ToolRegistry

from .complaints import CommandFailed
from .ending import Ending, leave_on_sigterm
from .first_owner import show_owner_code
from .sources import tool_sources

log = logging.getLogger(__name__)


def serve(config: Path | None, tools: Sequence[str], *, data: Path | None, once_idle: bool) -> int:
    """Read the settings and the tools, then serve; return the exit code.

    Raises:
        BadSettings: Settings or tools cannot be used.
        CommandFailed: The record has no place.
    """
    settings = load_settings(config, tools=tools, data=data, serving=True)
    set_up_logs(settings.host.log)
    leave_on_sigterm()
    found = tool_sources(settings, config)
    _make_place(settings.data.path)
    _warn(settings)
    return asyncio.run(_serve(settings, found, once_idle))


def _make_place(record: Path) -> None:
    if record.is_dir():
        raise CommandFailed(f"the record {record} is a folder; [data] url names a file in it")
    try:
        record.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandFailed(
            f"the folder {record.parent} for the record cannot be made: {error.strerror}; "
            "name another with --data or [data] url"
        ) from error


def _warn(settings: Settings) -> None:
    for route in settings.routes:
        hung = route.cards or all(one.cards for one in route.groups or (route,))
        if route.asks_people and not hung:
            effect = "approvers see its questions only in the requester's own chat"
            hint = "cards = ['main:-100...'] in its [[routes]] names the chats to hang them in"
            extra = {"route": route.title, "effect": effect, "hint": hint}
            log.warning("route.without_cards", extra=extra)


async def _serve(settings: Settings, tools: Sequence[object], once_idle: bool) -> int:
    ending = Ending()
    await _until_one_ends(_host(settings, tools, once_idle), ending.wait())
    return ending.code


async def _host(settings: Settings, tools: Sequence[object], once_idle: bool) -> None:
    async with Comal(settings, tools) as app:
        gc.freeze()  # what start-up made lives as long as the host: nothing need look through it
        log.info("host.serving", extra=_served(settings, app.registry))
        await show_owner_code(settings, app.registry.record)
        if once_idle:
            await _until_one_ends(app.run(), app.until_idle())
        else:
            await app.run()


def _served(settings: Settings, registry: ToolRegistry) -> dict[str, object]:
    """Say what is served, with nothing secret: of a token only the bot's id, which is public."""
    model, channels = settings.model, settings.channels
    tokens = {name: one.token.get_secret_value() for name, one in channels.items()}
    return {
        "channels": sorted(channels),
        "bots": [f"{name}:{token.partition(':')[0]}" for name, token in sorted(tokens.items())],
        "model": model.name or model.provider,
        "model_address": model.address or "inside the host",
        "tools": len(offered(registry)),
        "record": str(settings.data.path.absolute()),
    }


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
