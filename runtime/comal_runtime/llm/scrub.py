"""Keeps our own secrets out of texts that come from elsewhere."""

import re
from collections.abc import Mapping, Sequence

MASK = "***"
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)


def secrets_of(api_key: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return what must never be shown: the key, and what headers named like secrets carry."""
    carried = [
        value.split()[-1]
        for name, value in headers.items()
        if _SECRET_HEADER.search(name) and value.strip()
    ]
    return tuple(sorted({s for s in (api_key, *carried) if s}, key=len, reverse=True))


def scrub(text: str, secrets: Sequence[str]) -> str:
    """Return `text` with every secret masked."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text
