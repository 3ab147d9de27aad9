"""A receipt's account as a person reads it."""

from typing import Any

import pytest

from comal_bot.receipts.telling import lines

ACCOUNT: dict[str, Any] = {
    "asked": {
        "summary": "pay()",
        "principal": "telegram:1",
        "created_at": 0.0,
        "tool": None,
        "preview": None,
    },
    "requester": "Rosa",
    "votes": [],
    "decided": {"state": "expired", "at": 1.0, "by": None, "reason": None},
    "act": None,
}
CARD = {
    "role": "approver",
    "channel": "main",
    "chat": "-1",
    "thread": "",
    "edited": False,
    "acknowledgedAt": 1.0,
    "buttons": [],
}


def shown(text: str) -> list[str]:
    """Return what is told of a card's text."""
    told = [*lines({**ACCOUNT, "cards": [{**CARD, "text": text}]})]
    return [line for indent, line in told if indent][1:]


def test_the_text_of_a_card_is_told_letter_by_letter_as_it_was_sent() -> None:
    text = "lines:\n  1. item: corn\n     kilos: 40\nto: ACC⟨U+200B⟩9 ⟨⚠ mixed scripts: p⟩"

    assert shown(text) == text.split("\n")


@pytest.mark.failure_mode(10)
def test_what_a_card_would_hide_on_a_terminal_is_seen() -> None:
    assert shown("a\x1b[2Jb\u202ec\u200bd") == ["a⟨U+001B⟩[2Jb⟨U+202E⟩c⟨U+200B⟩d"]
