"""Thousands of stories by chance: two processes interleaved between all that they store."""

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.model.table import ACT, QUESTION, changes

from .stateful.chance import Chance
from .stateful.story import Broken

SEED = os.environ.get("COMAL_FUZZ_SEED")
RUNS = int(os.environ.get("COMAL_FUZZ_RUNS", "10000"))
FIRST = int(SEED or "100000")

Change = tuple[str, str, str]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """What goes wrong on purpose is logged by the thousand."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def told(seeds: range, folder: Path | None = None) -> set[Change]:
    """Tell a story for each seed; return every change of state that was stored in them."""
    met: set[Change] = set()
    for seed in seeds:
        try:
            own = None if folder is None else folder / str(seed)
            if own is not None:
                own.mkdir()
            story = Chance(seed, own).tell()
        except Broken as broken:
            where = "" if folder is None else " in a file"
            raise AssertionError(f"COMAL_FUZZ_SEED={seed}{where}: {broken}") from None
        met |= {(kind, frm, to) for kind, _, frm, to in story.shared.truth.met}
    return met


@pytest.mark.runtime_line(22, 23, 24, 29, 37)
def test_no_story_runs_a_tool_twice_or_without_a_yes_or_leaves_anything_untold() -> None:
    told(range(150))


@pytest.mark.runtime_line(29, 37)
def test_no_story_of_two_processes_on_one_file_breaks_the_promise(tmp_path: Path) -> None:
    told(range(12), tmp_path)


def test_a_seed_tells_the_same_story_every_time() -> None:
    one, two = (Chance(seed).tell().steps for seed in (7, 7))

    assert one == two
    assert one != Chance(8).tell().steps


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
def test_ten_thousand_interleavings_keep_the_promise_and_meet_every_transition() -> None:
    seeds = range(FIRST, FIRST + (1 if SEED else RUNS))
    sys.stderr.write(f"\nstories {seeds[0]} to {seeds[-1]}; one again: COMAL_FUZZ_SEED=<seed>\n")

    met = told(seeds)

    every = {("question", frm, to) for frm, to in changes(QUESTION) if frm != to}
    every |= {("act", frm, to) for frm, to in changes(ACT) if frm != to}
    assert met <= every
    assert SEED or RUNS < 5_000 or met == every


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
def test_a_thousand_interleavings_on_a_file_keep_the_promise(tmp_path: Path) -> None:
    told(range(FIRST, FIRST + (1 if SEED else max(1, RUNS // 10))), tmp_path)
