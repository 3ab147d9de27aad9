"""Which host gets which profile."""

import pytest

from comal_runtime.llm.profiles import OLLAMA, OLLAMA_CLOUD, OPENAI, Profile, profile_for


@pytest.mark.parametrize(
    ("provider", "base", "profile"),
    [
        ("openai-chat", "https://ollama.com", OLLAMA_CLOUD),
        ("openai-chat", "https://ollama.com/v1", OLLAMA_CLOUD),
        ("openai-chat", "https://OLLAMA.com/v1/", OLLAMA_CLOUD),
        ("ollama", "https://ollama.com:443/v1", OLLAMA_CLOUD),
        ("openai-chat", "http://ollama.com/v1", OPENAI),
        ("openai-chat", "https://ollama.com:8443/v1", OPENAI),
        ("openai-chat", "https://api.ollama.com/v1", OPENAI),
        ("openai-chat", "https://ollama.com.evil.test/v1", OPENAI),
        ("openai-chat", "https://user@ollama.com/v1", OPENAI),
        ("openai-chat", "https://ollama.com/v2", OPENAI),
        ("openai-chat", "http://127.0.0.1:11434/v1", OLLAMA),
        ("openai-chat", "http://gpu.lan:11434", OLLAMA),
        ("ollama", "http://gpu.lan:8080", OLLAMA),
        ("openai-chat", "https://api.openai.com", OPENAI),
    ],
)
def test_a_profile_is_chosen_by_exact_host_name_or_port(
    provider: str, base: str, profile: Profile
) -> None:
    assert profile_for(provider, base) == profile
