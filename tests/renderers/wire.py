"""The Bot API's rules for a message body, checked strictly."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from comal_renderers import Rendered

ALONE = ("pre", "code", "text_link")


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def covered(body: Mapping[str, Any], entity: Mapping[str, Any]) -> str:
    """Return the text an entity covers; a cut surrogate pair does not decode."""
    raw = body["text"].encode("utf-16-le")
    start, end = entity["offset"] * 2, (entity["offset"] + entity["length"]) * 2
    return raw[start:end].decode("utf-16-le")


def entities(body: Mapping[str, Any], kind: str) -> list[str]:
    return [covered(body, entity) for entity in body["entities"] if entity["type"] == kind]


def check_telegram(rendered: Rendered) -> None:
    for body in rendered.parts:
        check_body(body)
    assert all("reply_markup" not in body for body in rendered.parts[:-1])


def check_body(body: Mapping[str, Any]) -> None:
    text, found = body["text"], body["entities"]
    assert set(body) <= {"text", "entities", "reply_markup"}
    assert 1 <= units(text) <= 4096
    assert text == text.rstrip()
    first_is_code = any(e["type"] == "pre" and e["offset"] == 0 for e in found)
    assert not text[0].isspace() or (first_is_code and text[0] != "\n")
    assert len(found) <= 100
    assert found == sorted(found, key=lambda e: (e["offset"], -e["length"], e["type"]))
    for entity in found:
        assert entity["length"] > 0
        assert entity["offset"] + entity["length"] <= units(text)
        assert covered(body, entity).strip()
    for one, other in combinations(found, 2):
        check_pair(one, other)


def check_pair(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    end = one["offset"] + one["length"]
    if other["offset"] >= end:
        return
    assert other["offset"] + other["length"] <= end, "entities cross"
    kinds = {one["type"], other["type"]}
    assert len(kinds) == 2, "an entity holds one of its kind"
    if kinds & {"pre", "code"}:
        assert "blockquote" in kinds, "code shares its text"
