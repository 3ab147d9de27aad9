"""`comal approvals watch`: what waits, and every change of it, a line each."""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from comal_bot.settings import load_settings
from comal_renderers.visible import visible
from comal_runtime.record import QuestionState
from comal_runtime.record.sqlite import SqliteSql
from comal_runtime.record.standings import Standing, Standings

from ..opening import opened
from ..printing import print_cut

_POLL: Final = 0.5  # seconds between two looks
_MOST: Final = 500  # questions that are watched, the newest
_SHORT: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something new about a question: it was asked, voted on, decided, or its act went on."""

    what: str
    now: Standing


def watch_questions(config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print what waits and then what changes, until interrupted. Reading the record is enough.

    Raises:
        CommandFailed: There is no record to read.
    """
    path = load_settings(config, data=data).data.path
    asyncio.run(_watch(path, as_json=as_json))


def changes(before: Mapping[str, Standing], now: Mapping[str, Standing]) -> Iterator[Change]:
    """Yield what is new, oldest question first."""
    for key, stands in now.items():
        was = before.get(key)
        if was is None:
            yield Change(what="asked", now=stands)
        elif was.state != stands.state:
            yield Change(what=str(stands.state), now=stands)
        elif was.votes != stands.votes:
            yield Change(what="voted", now=stands)
        if stands.act is not None and (was is None or was.act != stands.act):
            yield Change(what=f"act {stands.act}", now=stands)


async def _watch(path: Path, *, as_json: bool) -> None:
    with opened(path) as connection:
        questions = Standings(SqliteSql(connection))
        before = await _standing(questions)
        for one in before.values():
            if one.state == QuestionState.OPEN:
                _print(Change(what="open", now=one), as_json=as_json)
        while True:
            await asyncio.sleep(_POLL)
            now = await _standing(questions)
            for change in changes(before, now):
                _print(change, as_json=as_json)
            before = now


async def _standing(questions: Standings) -> dict[str, Standing]:
    return {one.id: one for one in await questions.newest(limit=_MOST)}


def _print(change: Change, *, as_json: bool) -> None:
    one, at = change.now, time.time()
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "at": at,
                    "event": change.what,
                    "id": one.id,
                    "state": one.state,
                    "votes": one.votes,
                    "act": one.act,
                    "summary": one.summary,
                }
            )
        )
        return
    clock = time.strftime("%H:%M:%S", time.localtime(at))
    print_cut(f"{clock}  {one.id[:_SHORT]}  {change.what:<12} {visible(one.summary)}")
