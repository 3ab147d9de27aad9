"""The seal: it covers everything that people were shown, and everything that says who decides."""

from dataclasses import replace
from typing import Any

import pytest

from comal_runtime.consent.question import subject_question
from comal_runtime.consent.seal import is_intact, sealed
from comal_runtime.context import ToolContext

ASKED = subject_question("q", "the till", ToolContext(principal="a:1"), now=0.0, ttl=60.0)


@pytest.mark.failure_mode(8)
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("id", "r"),
        ("kind", "confirmation"),
        ("tool", "pay"),
        ("definition_digest", "0" * 64),
        ("args", '{"amount":2}'),
        ("args_digest", "0" * 64),
        ("subject", "the safe"),
        ("summary", "the safe"),
        ("principal", "a:2"),
        ("channel", "web"),
        ("conversation", "another"),
        ("origin", "model"),
        ("route", '{"approvers": ["a:1"]}'),
        ("idempotency_key", "another"),
        ("masked", '["/amount"]'),
        ("preview", '{"effect": 1}'),
        ("supersedes", "p"),
        ("edited_by", "a:2"),
        ("repeats", "p"),
        ("created_at", 1.0),
        ("expires_at", 61.0),
    ],
)
def test_what_was_asked_and_is_another_by_now_breaks_the_seal(name: str, other: Any) -> None:
    asked = sealed(ASKED)

    assert is_intact(asked)
    assert getattr(asked, name) != other
    assert not is_intact(replace(asked, **{name: other}))
