"""What an act was said to change, and what it changed."""

from typing import Any

import pytest

from comal_renderers import CardView, Effect, card_document, labels, spell_telegram

BEFORE = {"balance": [900, 800]}


def shown(effect: Effect, arguments: dict[str, Any] | None = None, *masked: str, **to: Any) -> str:
    """Return the text of a card with this effect."""
    view = CardView(
        title="Pay?",
        tool="pay",
        arguments=arguments or {"to": "Bo"},
        requester="Ana",
        ends_at="14:12",
        masked=frozenset(masked),
        effect=effect,
        **to,
    )
    return str(spell_telegram(card_document(view)).parts[0]["text"])


def test_what_is_foretold_is_shown_as_exactly_as_an_argument() -> None:
    assert shown(Effect(foretold=BEFORE)).endswith(
        "What will change:\n  balance:\n    1. 900\n    2. 800"
    )
    assert shown(Effect(foretold="x\u202e")).endswith("What will change: x⟨U+202E⟩")


def test_why_nothing_is_foretold_cannot_pass_for_an_effect() -> None:
    text = shown(Effect(unknown="it failed"))

    assert text.endswith("⚠ What will change cannot be told: it failed")
    assert "What will change: " not in text


def test_an_effect_that_came_as_foretold_is_told_once() -> None:
    text = shown(Effect(foretold=BEFORE, observed=dict(BEFORE)), outcome="done")

    assert "What changed, as foretold:\n  balance:" in text
    assert text.count("balance") == 1


@pytest.mark.parametrize("observed", [{"balance": [900, 700]}, {"balance": [900, 800.0]}, "x"])
def test_an_effect_that_came_otherwise_stands_beside_what_was_foretold(observed: object) -> None:
    text = shown(Effect(foretold=BEFORE, observed=observed), outcome="done")

    assert "What will change:\n  balance:\n    1. 900\n    2. 800\n" in text
    assert "⚠ What changed, not as foretold:" in text


def test_an_effect_nobody_foretold_is_told_as_it_came() -> None:
    assert "What changed: 3 rows" in shown(Effect(observed="3 rows"), outcome="done")
    assert "What changed: 3 rows" in shown(Effect(unknown="slow", observed="3 rows"))


@pytest.mark.parametrize("where", ["foretold", "unknown", "observed"])
def test_a_masked_argument_is_shown_in_no_effect(where: str) -> None:
    arguments = {"login": {"key": "hunter2", "pin": 4711, "cvv": "123", "off": False}}
    effect = Effect(**{where: "by hunter2/4711, code 123 of 1123"})

    text = shown(effect, arguments, "/login")

    assert "by ••••/••••, code •••• of 1123" in text
    assert "hunter2" not in text


def test_a_masked_argument_is_shown_at_no_depth_of_an_effect_nor_in_notes_and_outcome() -> None:
    effect = Effect(foretold={"hunter2": 1, "n": [4711, "hunter2x"], "ok": [None, True, 4712]})

    text = shown(
        effect,
        {"key": "hunter2", "pin": 4711},
        "/key",
        "/pin",
        why="for hunter2",
        notes=("✎ Edited: hunter2 → 4711",),
        outcome="✅ Approved — hunter2 is set",
    )

    assert "hunter2" not in text
    assert "4711" not in text
    assert "3. 4712" in text


def test_the_words_of_effects_are_in_the_readers_language() -> None:
    text = shown(Effect(foretold="x    y"), labels=labels("es"))

    assert "Qué cambiará: x⟨4 espacios⟩y" in text
