"""The rows whose right value differs from the recorded one, as `decisions.toml` lists them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NULL = "<null>"
TABLE = Path(__file__).with_name("decisions.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is right for one row instead of the recorded output.

    Args:
        id: The area's prefix and the row's id: `SV:nested-wrong-type`.
        expected: The right value, in the terms its area compares.
        line: The number in runtime-behaviours, or the section of original-faults, that decides.
        why: One sentence.
    """

    id: str
    expected: Any
    line: str
    why: str


def load_decisions(path: Path = TABLE) -> dict[str, Decision]:
    """Return the decisions by id; a row without `expected`, `line` or `why` is a KeyError.

    TOML has no null; the text `<null>` stands for it.
    """
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        id_: Decision(
            id=id_, expected=_with_nulls(raw["expected"]), line=str(raw["line"]), why=raw["why"]
        )
        for id_, raw in found.items()
    }


def _with_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_nulls(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_nulls(inner) for inner in value]
    return None if value == NULL else value
