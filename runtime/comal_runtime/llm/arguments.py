"""What a model wrote as a call's arguments, read as JSON object text."""

import json


def object_text(text: str) -> str | None:
    """Return the JSON object `text` stands for, as text, or None if it stands for none.

    Blank and `null` stand for no arguments; an object encoded twice is unwrapped once.
    """
    try:
        value = _loads(text)
        if isinstance(value, str):
            text = value
            value = _loads(text)
    except (ValueError, RecursionError):
        return None
    if value is None:
        return "{}"
    return text if isinstance(value, dict) else None


def _loads(text: str) -> object:
    return json.loads(text, parse_constant=_refuse) if text.strip() else None


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
