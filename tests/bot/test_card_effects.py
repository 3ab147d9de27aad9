"""What a card tells of what changes: foretold in the question, observed in the act's result."""

import json
from typing import Any

import pytest

from comal_bot.cards import card_view, effect_of
from comal_bot.facts import REQUESTER
from comal_renderers import Effect
from comal_runtime.record import ActState, QuestionState
from comal_runtime.result import ToolResult
from tests.bot.test_cards import act, card, facts, question, shown_of


def ended(**meta: Any) -> str:
    return ToolResult.success("ok").with_meta(**meta).to_json()


@pytest.mark.parametrize(
    ("preview", "result", "effect"),
    [
        (None, None, None),
        (None, ended(took_ms=1), None),
        ({"effect": {"n": 1}}, None, Effect(foretold={"n": 1})),
        ({"unknown": "it failed"}, None, Effect(unknown="it failed")),
        (None, ended(effect="2 rows"), Effect(observed="2 rows")),
        ({"effect": 1}, ended(effect=2), Effect(foretold=1, observed=2)),
    ],
)
def test_an_effect_is_what_was_foretold_beside_what_the_result_reports(
    preview: object, result: str | None, effect: Effect | None
) -> None:
    asked = question(preview=None if preview is None else json.dumps(preview))

    assert effect_of(asked, act(ActState.DONE, result=result)) == effect


def test_an_open_card_shows_what_will_change() -> None:
    asked = question(preview='{"effect":{"balance":[900,800]}}')

    assert "What will change:\n  balance:\n    1. 900\n    2. 800" in shown_of(asked)


def test_a_masked_argument_is_in_no_effect_of_a_card() -> None:
    asked = question(
        {"key": "hunter2"}, masked='["/key"]', preview='{"effect":"sets hunter2 for all"}'
    )

    assert "What will change: sets •••• for all" in shown_of(asked)


def test_a_decided_card_tells_that_something_else_came() -> None:
    asked = question(state=QuestionState.APPROVED, preview='{"effect":"1 row"}')
    done = act(ActState.DONE, result=ended(effect="900 rows"))

    view = card_view(facts(asked, done), card(REQUESTER))

    assert view.effect == Effect(foretold="1 row", observed="900 rows")
    assert "⚠ What changed, not as foretold: 900 rows" in shown_of(asked, act=done)
