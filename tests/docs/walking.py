"""The code that each ending of a call carries, found by letting calls end so."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from comal_runtime.events import EventDispatcher
from comal_runtime.stations.paths import ANYWHERE, PATHS
from tests.runtime.audit.walks import WALKS, Scene, Walk
from tests.runtime.stations.arranging import made, records

Ending = tuple[str, str]
"""A station, and the decision that the audit names there."""


async def _no_caller(scene: Scene) -> None:
    scene.with_tools()
    await scene.registry.call("wipe", {}, "somebody")


async def _a_token_that_is_no_text(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    await scene.call(token=7)


async def _raised(scene: Scene) -> None:
    async def body() -> None:
        raise ValueError

    scene.with_tools(made(body))
    await scene.call()


_MORE: Final[Mapping[Ending, Sequence[Walk]]] = {
    ("resolve", "refused_at_resolve"): (_a_token_that_is_no_text, _no_caller),
    ("execute", "failed"): (_raised,),
}
"""Endings that carry several codes, walked in the other ways."""


async def codes() -> dict[Ending, list[str | None]]:
    """Return the codes of every ending; None for one that carries none."""
    found: dict[Ending, list[str | None]] = {}
    with _quiet():
        for ending, walks in WALKS.items():
            for walk in (*walks, *_MORE.get(ending, ())):
                code = await _code(walk, ending)
                if code not in found.setdefault(ending, []):
                    found[ending].append(code)
    return found


def at_stations(found: Mapping[Ending, Sequence[str | None]]) -> dict[str, list[str]]:
    """Return the codes by station; those of what ends a call anywhere are the boundary's."""
    by_station: dict[str, list[str]] = {station: [] for station in PATHS}
    for (station, decision), carried in found.items():
        place = by_station["contain_exception" if decision in ANYWHERE else station]
        place += [code for code in carried if code is not None and code not in place]
    return by_station


async def _code(walk: Walk, ending: Ending) -> str | None:
    scene = Scene(EventDispatcher())
    await walk(scene)
    last = (await records(scene.registry))[-1]
    if last.decision != ending[1]:
        raise ValueError(f"{walk.__name__} ends as {last.decision!r}, not as {ending[1]!r}")
    return last.code


@contextmanager
def _quiet() -> Iterator[None]:  # what the walks provoke would be logged
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
