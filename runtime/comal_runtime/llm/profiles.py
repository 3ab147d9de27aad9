"""What hosts of one wire want differently, as data."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

LimitField = Literal["max_completion_tokens", "max_tokens"]

OLLAMA_PORT = 11434  # Source: Ollama, default of OLLAMA_HOST.
_HTTPS_PORT = 443


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How one kind of host reads a Chat Completions request."""

    name: str
    limit_field: LimitField = "max_completion_tokens"
    tool_choice: bool = True
    standard_fields_only: bool = False


OPENAI = Profile(name="openai")
OLLAMA = Profile(name="ollama", limit_field="max_tokens")
OLLAMA_CLOUD = Profile(
    name="ollama-cloud", limit_field="max_tokens", tool_choice=False, standard_fields_only=True
)


def profile_for(provider: str, base_url: str) -> Profile:
    """Return the profile of a host: Ollama Cloud by its exact address, Ollama by name or port."""
    url = urlsplit(base_url)
    if (
        url.scheme == "https"
        and url.netloc.lower() in ("ollama.com", f"ollama.com:{_HTTPS_PORT}")
        and url.path.rstrip("/") in ("", "/v1")
    ):
        return OLLAMA_CLOUD
    if provider == "ollama" or url.port == OLLAMA_PORT:
        return OLLAMA
    return OPENAI
