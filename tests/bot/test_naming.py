"""How questions are called in what the host says beside cards."""

import pytest

from comal_bot.naming import named
from tests.runtime.record.contracts.rows import question


@pytest.mark.failure_mode(10)
def test_what_is_hidden_in_a_call_is_seen_in_a_sentence_about_it() -> None:
    asked = question(summary='pay(to="ACC-1\u200b9\u202e")')

    assert named(asked) == 'pay(to="ACC-1⟨U+200B⟩9⟨U+202E⟩")'


def test_a_long_call_is_cut_and_no_word_of_it_comes_to_life() -> None:
    asked = question(summary=f"pay(/start {'x' * 200})")

    said = named(asked)

    assert said.startswith("pay(/\u2060start x")
    assert said.endswith("x…")
    assert len(said) == len("/\u2060") - 1 + 81
