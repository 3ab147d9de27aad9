"""Whose limits hold."""

import pytest

from comal_bot.lint import Provider, provider_at


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("https://api.openai.com/v1", Provider.OPENAI),
        ("https://mine.openai.azure.com/openai/v1", Provider.OPENAI),
        ("https://api.anthropic.com", Provider.ANTHROPIC),
        ("https://generativelanguage.googleapis.com/v1beta/openai", Provider.GEMINI),
        ("http://127.0.0.1:11434/v1", None),
        ("https://notopenai.com/v1", None),
        ("", None),
    ],
)
def test_a_provider_is_known_by_its_address(address: str, provider: Provider | None) -> None:
    assert provider_at(address) is provider
