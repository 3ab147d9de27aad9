"""Looks host texts up; what a language lacks is said in English."""

from collections.abc import Mapping
from typing import Final

from .en import EN
from .es import ES

LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {"en": EN, "es": ES}


def text(key: str, language: str | None = None, **values: object) -> str:
    """Return a host text with its values filled in.

    Args:
        key: A key of the English catalogue.
        language: An IETF tag such as `es-MX`; an unknown one or None is English.

    Raises:
        KeyError: No such key, or a value that the text names is missing.
    """
    tag = (language or "en").replace("_", "-").split("-")[0].lower()
    template = LANGUAGES.get(tag, EN).get(key) or EN[key]
    return template.format_map(values)
