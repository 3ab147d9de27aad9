"""The result and its factories, and telling a call that asks from a call that did.

Facets: the parts of the result and what its accessors say; `raised`; `asks`; `json`.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final

from comal_runtime import ToolResult
from comal_runtime.result import asks_for_confirmation
from tests.vectors.areas.area import Comparison, Facets, Ruling
from tests.vectors.areas.notation import Written, read_arguments
from tests.vectors.rows import Row

_FACTORIES: Final = ("success", "error", "paginated", "detail", "confirmation", "blocked")
_OP: Final = re.compile(rf"(?P<json>toJson of )?(?P<factory>{'|'.join(_FACTORIES)})\(")
_WITH_META: Final = re.compile(r"\.withMeta\(")
_ACCESSORS: Final = {
    "requiresConfirmation()": "asks",
    "isBlocked()": "blocked",
    "getType()": "type",
    "getPagination()": "pagination",
    "getConfirmToken()": "token",
}


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row makes a result or asks whether one asks."""
    op = given.get("op")
    asks = op == "asksForConfirmation" and "payload" in given
    return asks or (given.keys() == {"op"} and isinstance(op, str) and bool(_OP.match(op)))


async def found(row: Row) -> Facets:
    """Make the row's result, or look at its payload."""
    if "payload" in row.input:
        return {"asks": asks_for_confirmation(row.input["payload"])}
    match = _OP.match(row.input["op"])
    assert match is not None
    try:
        result = _made(row.input["op"], match)
    except ValueError as error:
        return {"raised": type(error).__name__}
    if match["json"]:
        return {"json": _without_nulls(json.loads(result.to_json()))}
    return {
        **_parts(result.to_dict()),
        "asks": result.requires_confirmation,
        "blocked": result.type == "blocked",
        "type": result.type,
        "pagination": result.meta.get("pagination"),
        "token": result.confirm_token,
        "raised": "",
    }


def recorded(row: Row) -> Facets:
    """Read the original's result."""
    match row.output:
        case {"json": str(text)}:
            return {"json": _without_nulls(json.loads(text))}
        case {"result": bool(asks)}:
            return {"asks": asks}
        case {"result": dict(result), **rest}:
            names = {ours: rest[theirs] for theirs, ours in _ACCESSORS.items() if theirs in rest}
            return {**_parts(result), **names, "raised": ""}
        case _:
            return {"raised": row.output}


def ruled(row: Row) -> Ruling | None:
    """Say what a result is where the original raises."""
    if "exception" not in row.output:
        return None
    if row.input["op"].startswith("paginated"):
        return Ruling(
            expected={"raised": "ValueError"}, line="55", why="a limit below 1 raises and says so"
        )
    why = "no accessor raises; what is no text is no token"
    return Ruling(expected={"raised": "", "token": None}, line="faults 10", why=why)


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


def _made(op: str, match: re.Match[str]) -> ToolResult:
    written, at = read_arguments(op, match.end())
    result = _MAKERS[match["factory"]](written)
    more = _WITH_META.match(op, at)
    if more:
        extra, _ = read_arguments(op, more.end())
        result = result.with_meta(**extra.positional[0])
    return result


def _success(written: Written) -> ToolResult:
    return ToolResult.success(**written.take("data", "message", "meta"))


def _error(written: Written) -> ToolResult:
    given = written.take("error", "data", "meta")
    return ToolResult.error(given.pop("error"), **given)


def _paginated(written: Written) -> ToolResult:
    given = written.take("items", "page", "total", "limit", "message")
    return ToolResult.paginated(given.pop("items"), **given)


def _detail(written: Written) -> ToolResult:
    given = written.take("data", "entity", "actions", "message")
    made = ToolResult.detail(given.pop("data"), given.pop("message", None))
    return made.with_meta(**given)


def _confirmation(written: Written) -> ToolResult:
    given = written.take("message", "data", "action", "target", "target_id")
    given["target_id"] = given.pop("targetId", given.get("target_id"))
    return ToolResult.confirmation(given.pop("message"), given.pop("data", None), given)


def _blocked(written: Written) -> ToolResult:
    return ToolResult.blocked(*written.take("reason", "suggestion").values())


_MAKERS: Final[dict[str, Callable[[Written], ToolResult]]] = {
    "success": _success,
    "error": _error,
    "paginated": _paginated,
    "detail": _detail,
    "confirmation": _confirmation,
    "blocked": _blocked,
}


def _parts(result: dict[str, Any]) -> Facets:
    names = ("success", "data", "message", "error")
    return {**{name: result[name] for name in names}, "meta": _without_nulls(result["meta"])}


def _without_nulls(value: Any) -> Any:
    """Drop the empty entries of a map, which the original may write or leave out."""
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return value
