"""A vector row, and the files that hold them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class BadRows(Exception):
    """A file that holds no rows, or a row that lacks a part; the sentence says which."""


class NotApplicable(Exception):
    """A row that says nothing about this project; the sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One recorded input with the output that was seen.

    `output` is that of the older release where a row has one. `file` is the stem of the file;
    `lacks` names the part that a broken row does not have.
    """

    file: str
    id: str
    input: dict[str, Any]
    output: Any
    note: str = ""
    lacks: str = ""


def load(path: Path) -> list[Row]:
    """Return the rows of a file, in order.

    Raises:
        BadRows: The file is missing, is not JSON, or holds something else than a list of rows.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRows(f"{path} cannot be read: {error.strerror}; name a file of rows") from error
    except ValueError as error:
        raise BadRows(f"{path} is not JSON: {error}") from error
    if not isinstance(found, list):
        raise BadRows(f"{path} holds a {type(found).__name__}; a list of rows is wanted")
    return [_row(path.stem, place, raw) for place, raw in enumerate(found)]


def _row(file: str, place: int, raw: object) -> Row:
    match raw:
        case {"id": str(id_), "input": dict(given), "output": output, **rest}:
            return Row(
                file=file,
                id=id_,
                input=given,
                output=rest.get("output_v0_7_0", output),
                note=str(rest.get("note") or ""),
            )
        case {"id": str(id_), **rest}:
            lacks = "an output" if isinstance(rest.get("input"), dict) else "an input"
            return Row(file=file, id=id_, input={}, output=None, lacks=lacks)
        case _:
            return Row(file=file, id=f"{file}[{place}]", input={}, output=None, lacks="an id")
