"""How many tokens models hold, by the beginning of their names."""

import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .redact import printable

log = logging.getLogger(__name__)

DEFAULT_WINDOW: Final = 8_192  # tokens; what an unknown model is trusted with
_PROVIDERS: Final = frozenset(
    {"ai21", "amazon", "anthropic", "azure", "azure_openai", "bedrock", "cohere", "deepseek", "ft"}
    | {"gemini", "google", "google-gla", "google-vertex", "groq", "meta", "mistral", "mistralai"}
    | {"ollama", "openai", "openai-chat", "openai-responses", "openrouter", "qwen", "vertex_ai"}
    | {"xai", "x-ai", "us", "eu", "apac", "global"}
)
"""What may stand before a model's name, with `:` or `.` after it; anything may with `/`."""

_TOKENS: Final[Mapping[str, int]] = {
    # Source: platform.openai.com/docs/models; where a name had several, the smallest.
    "gpt-3.5-turbo": 4_096,
    "gpt-4": 8_192,
    "gpt-4-32k": 32_768,
    "gpt-4-turbo": 128_000,
    "gpt-4-1106": 128_000,
    "gpt-4-0125": 128_000,
    "gpt-4-vision": 128_000,
    "gpt-4o": 128_000,
    "chatgpt-4o": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-4.5": 128_000,
    "gpt-5": 400_000,
    "gpt-5-chat": 128_000,
    "gpt-5.1-chat": 128_000,
    "gpt-5.2-chat": 128_000,
    "gpt-5.3-chat": 128_000,
    "gpt-5.4": 1_050_000,
    "gpt-5.4-mini": 400_000,
    "gpt-5.4-nano": 400_000,
    "gpt-oss": 131_072,
    "codex-mini": 200_000,
    "o1": 200_000,
    "o1-mini": 128_000,
    "o1-preview": 128_000,
    "o3": 200_000,
    "o4": 200_000,
    # Source: docs.anthropic.com, "Models overview" and "Context windows"; a million tokens are
    # counted only where no beta header has to ask for them.
    "claude-2": 100_000,
    "claude-2-1": 200_000,
    "claude-3": 200_000,
    "claude-opus": 200_000,
    "claude-sonnet": 200_000,
    "claude-haiku": 200_000,
    "claude-opus-4-6": 1_000_000,
    "claude-opus-4-7": 1_000_000,
    "claude-opus-4-8": 1_000_000,
    "claude-opus-5": 1_000_000,
    "claude-sonnet-4-6": 1_000_000,
    "claude-sonnet-5": 1_000_000,
    # Source: ai.google.dev/gemini-api/docs/models.
    "gemini-pro": 32_768,
    "gemini-1.0": 32_768,
    "gemini-1.5-flash": 1_048_576,
    "gemini-1.5-pro": 2_097_152,
    "gemini-2": 1_048_576,
    "gemini-3": 1_048_576,
    "gemma": 8_192,
    "gemma-3": 32_768,
    "gemma3": 32_768,
    # Source: the model cards at github.com/meta-llama/llama-models.
    "llama": 4_096,
    "llama2": 4_096,
    "llama-3": 8_192,
    "llama3": 8_192,
    "meta-llama-3": 8_192,
    "llama-3.1": 131_072,
    "llama3.1": 131_072,
    "llama3-1": 131_072,
    "meta-llama-3.1": 131_072,
    "llama-3.2": 131_072,
    "llama3.2": 131_072,
    "llama3-2": 131_072,
    "llama-3.3": 131_072,
    "llama3.3": 131_072,
    "llama3-3": 131_072,
    "llama-4": 1_048_576,
    "llama4": 1_048_576,
    # Source: the model cards at huggingface.co/Qwen, without YaRN.
    "qwen": 32_768,
    "qwq": 32_768,
    "qwen3-coder": 262_144,
    "qwen3-next": 262_144,
    # Source: docs.mistral.ai/getting-started/models; where a name had several, the smallest.
    "mistral": 32_768,
    "open-mistral": 32_768,
    "mixtral": 32_768,
    "open-mixtral": 32_768,
    "codestral": 32_768,
    "magistral": 40_960,
    "ministral": 131_072,
    "mistral-large": 32_768,
    "mistral-medium": 32_768,
    "mistral-nemo": 131_072,
    "open-mistral-nemo": 131_072,
    "pixtral": 131_072,
    "devstral": 131_072,
    # Source: api-docs.deepseek.com/quick_start/pricing; where a name had several, the smallest.
    "deepseek": 65_536,
    # Source: docs.x.ai/docs/models, docs.cohere.com/docs/models.
    "grok": 131_072,
    "command-r": 128_000,
    "command-a": 256_000,
}
_MARK: Final = re.compile("[:.]")
_LONGEST_FIRST: Final = sorted(_TOKENS, key=len, reverse=True)


def model_window(model: str, default: int | None = None) -> int:
    """Return how many tokens a model holds, prompt and answer together.

    Args:
        default: Tokens of a model that is not known, as configured or as its host told; None takes
            `DEFAULT_WINDOW` and warns, once a model.
    """
    window = known_window(model) or default
    if window is not None:
        return window
    _warn(printable(model))
    return DEFAULT_WINDOW


def known_window(model: str) -> int | None:
    """Return how many tokens a known model holds; None for any other.

    The longest known beginning of its name decides; case and what names a provider (`openai/`,
    `models/`, `us.anthropic.`) do not matter.
    """
    for name in _spellings(model):
        for known in _LONGEST_FIRST:
            if name.startswith(known):
                return _TOKENS[known]
    return None


@lru_cache(maxsize=1_000)
def _warn(model: str) -> None:
    """Warn of an unknown model; the cache lets each be told once."""
    log.warning(
        "model.unknown_window",
        extra={"model": model, "window": DEFAULT_WINDOW, "hint": "say how many tokens it holds"},
    )


def _spellings(model: str) -> list[str]:
    """Return the name in small letters without any provider, then with one more at a time.

    `mistral:codestral` is the provider's model, and `mistral:7b` a model with its tag.
    """
    name = model.strip().lower().rpartition("/")[2]
    found = [name]
    while (parts := _MARK.split(name, maxsplit=1))[0] in _PROVIDERS and len(parts) > 1:
        name = parts[1]
        found.insert(0, name)
    return [one.replace(".", "-") if one.startswith("claude-") else one for one in found]
