"""How many tokens models hold."""

import pytest

from comal_runtime.windows import DEFAULT_WINDOW, known_window, model_window

TOO_LOW = "TE:model-claude-3-5-sonnet-20241022", "TE:model-gpt-4.1", "TE:model-o1"
OTHERWISE_SPELT = "TE:model-openai/gpt-4o", "TE:model-GPT-4o"


@pytest.mark.runtime_line(58)
@pytest.mark.original_fault(*TOO_LOW)
@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("gpt-4-32k-0613", 32_768),
        ("gpt-4-turbo-2024-04-09", 128_000),
        ("gpt-4o-2024-05-13", 128_000),
        ("gpt-4.1-mini", 1_047_576),
        ("gpt-5", 400_000),
        ("gpt-5-chat-latest", 128_000),
        ("gpt-5.4-mini", 400_000),
        ("o1", 200_000),
        ("o1-mini", 128_000),
        ("o4-mini", 200_000),
        ("claude-3-haiku-20240307", 200_000),
        ("claude-3-5-sonnet-20241022", 200_000),
        ("claude-3.5-sonnet", 200_000),
        ("claude-3-7-sonnet-latest", 200_000),
        ("claude-opus-4-1", 200_000),
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-6", 1_000_000),
        ("claude-2", 100_000),
        ("claude-2.1", 200_000),
        ("gemini-1.5-pro-latest", 2_097_152),
        ("gemini-2.5-flash", 1_048_576),
        ("llama3.1:8b", 131_072),
        ("llama-2-70b", 4_096),
        ("qwen3", 32_768),
        ("mistral-nemo", 131_072),
        ("mixtral-8x7b", 32_768),
        ("deepseek-chat", 65_536),
    ],
)
def test_the_longest_known_beginning_of_the_name_decides(model: str, tokens: int) -> None:
    assert known_window(model) == tokens


@pytest.mark.runtime_line(58)
@pytest.mark.original_fault(*OTHERWISE_SPELT)
@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("GPT-4o", 128_000),
        (" gpt-4o ", 128_000),
        ("openai/gpt-4o", 128_000),
        ("openrouter/anthropic/claude-opus-4.6:beta", 1_000_000),
        ("openai:gpt-4.1", 1_047_576),
        ("models/gemini-2.5-pro", 1_048_576),
        ("ft:gpt-4o:my-org::abc", 128_000),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("mistral:7b", 32_768),
        ("mistral:mistral-nemo", 131_072),
        ("meta-llama/Llama-3.3-70B-Instruct", 131_072),
    ],
)
def test_neither_a_provider_before_the_name_nor_its_case_matters(model: str, tokens: int) -> None:
    assert known_window(model) == tokens


@pytest.mark.runtime_line(58)
def test_an_unknown_model_has_the_window_that_was_configured_or_asked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert model_window("house-model-a", 50_000) == 50_000
    assert model_window("gpt-4o", 50_000) == 128_000
    assert not caplog.records


@pytest.mark.runtime_line(58)
def test_an_unknown_model_without_one_has_a_small_window_and_is_warned_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    windows = [model_window("house-model-b\n"), model_window("house-model-b\n"), model_window("")]

    assert windows == [DEFAULT_WINDOW] * 3
    told = [vars(one)["model"] for one in caplog.records if one.message == "model.unknown_window"]
    [house] = [name for name in told if "house" in name]
    assert "\n" not in house
