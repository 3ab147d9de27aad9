"""Reads lists of tools, which the vectors write out or tell in a few words."""

import re
from typing import Any, Final

_ONE: Final = re.compile(r"one tool, desc (?P<size>\d+) x")
_RANGE: Final = re.compile(
    r"(?P<count>\d+) tools (?P<stem>[a-z]+)1\.\.[a-z]+\d+, desc (?P<each>i\*)?(?P<size>\d+) x"
)
_BYTES: Final = re.compile(r"\b0xFF\b|UTF-8|utf-?8", re.IGNORECASE)
_NAMED: Final = re.compile(r"(?P<name>\w+)\((?:desc )?(?P<size>\d+)[^)]*\)")


def read_tools(written: Any) -> list[dict[str, Any]]:
    """Return the tools as a model is told of them.

    Raises:
        ValueError: The words tell no tools.
    """
    if isinstance(written, dict):
        return [written]
    if isinstance(written, list):
        return written
    if _BYTES.search(written):
        return [{**_tool("x", 0), "description": "\udcff"}]  # the byte as Python reads it
    one, several = _ONE.match(written), _RANGE.match(written)
    if one:
        return [_tool("x", int(one["size"]))]
    if several:
        size, stem = int(several["size"]), several["stem"]
        numbers = range(1, int(several["count"]) + 1)
        return [_tool(f"{stem}{i}", size * i if several["each"] else size) for i in numbers]
    named = [_tool(match["name"], int(match["size"])) for match in _NAMED.finditer(written)]
    if not named:
        raise ValueError(f"no tools are told by {written!r}")
    return named


def _tool(name: str, size: int) -> dict[str, Any]:
    return {"name": name, "description": "d" * size, "inputSchema": {"type": "object"}}
