"""What tools are judged against: the model that is told of them and the people who use them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from comal_runtime.consent import Routes


class Provider(StrEnum):
    """Those whose limits are known."""

    OPENAI = "OpenAI"
    ANTHROPIC = "Anthropic"
    GEMINI = "Gemini"


_HOSTS: Mapping[str, Provider] = {
    "openai.com": Provider.OPENAI,
    "openai.azure.com": Provider.OPENAI,
    "anthropic.com": Provider.ANTHROPIC,
    "googleapis.com": Provider.GEMINI,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """Where tools are used. `granted` are the scopes that somebody's role gives."""

    provider: Provider | None = None
    model: str = ""
    routes: Routes = field(default_factory=Routes)
    granted: frozenset[str] = frozenset()


def provider_at(address: str) -> Provider | None:
    """Return whose limits hold at a model's address; None for a server of unknown limits."""
    host = urlsplit(address).hostname or ""
    return next((one for end, one in _HOSTS.items() if f".{host}".endswith(f".{end}")), None)
