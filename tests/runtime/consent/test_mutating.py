"""Whatever differs from what was shown does not run; and the search for it would find it."""

import secrets
from collections.abc import Sequence
from typing import Any

import pytest

from comal_runtime.consent import grounds
from comal_runtime.consent.grounds import Grounds
from comal_runtime.stations import acting, promise

from .mutating import changes
from .mutating.changes import CHANGES, Change
from .mutating.trying import tried

FEW = 400


async def _none(*_: object) -> None:
    return None


@pytest.mark.failure_mode(8)
@pytest.mark.failure_mode(20)
async def test_nothing_runs_that_differs_from_what_was_shown() -> None:
    found = await tried(FEW, secrets.randbelow(2**32))

    assert found.ran == [], f"seed {found.seed}"
    assert found.stopped_as_shown == [], f"seed {found.seed}"
    assert found.executed_as_shown > 0


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_each_kind_of_change_is_tried_and_stopped(change: Change) -> None:
    found = await tried(40, 7, [change])

    assert (found.changes, found.ran, found.stopped_as_shown) == (40, [], [])


@pytest.mark.parametrize(
    ("where", "check", "instead", "tries"),
    [
        (grounds, "is_intact", lambda question: True, [changes.a_field_of_the_question]),
        (Grounds, "changed", lambda self, question: None, [changes.the_definition]),
        (Grounds, "_rerouted", lambda *_: None, [changes.the_route]),
        (promise, "_is_of", lambda *_: True, [changes.a_field_of_the_act]),
        (promise, "_no_more", _none, [changes.the_votes]),
        (acting, "foretold_otherwise", _none, [changes.what_is_foretold]),
        (promise, "broken", lambda *_: None, [changes.a_listener_at_the_last_moment]),
    ],
    ids=["seal", "definition", "route", "act", "votes", "preview", "last look"],
)
async def test_without_one_check_something_else_than_was_shown_runs(
    monkeypatch: pytest.MonkeyPatch,
    where: object,
    check: str,
    instead: Any,
    tries: Sequence[Change],
) -> None:
    monkeypatch.setattr(where, check, instead)

    found = await tried(200, 7, tries)

    assert found.ran != []
