"""What a model reads of a result: bounded JSON without tokens, ids of questions or callbacks."""

import json
import math
from collections.abc import Mapping
from typing import Final

from ..result import ToolResult

LIMIT: Final = 8000  # characters
_HIDDEN: Final = frozenset({"confirm_token", "callback_data"})
_WAITING: Final = frozenset({"awaiting_confirmation", "awaiting_approval", "running"})
_DEEPEST: Final = 60  # levels of nested data

Fields = dict[str, object]


def model_view(result: ToolResult, *, limit: int = LIMIT) -> str:
    """Return the JSON text a model reads; at most `limit` characters, a cut is said in it."""
    return _fitted(_fields(result), limit)


def not_run(reason: str) -> str:
    """Return what a model reads of a call that nobody ran."""
    return _fitted({"status": "not_run", "reason": reason}, LIMIT)


def not_run_waiting(waits_for: str) -> str:
    """Return what a model reads of a call held back by a question asked before it."""
    return _fitted({"status": "not_run", "waits_for": waits_for}, LIMIT)


def refused(reason: str) -> str:
    """Return what a model reads of a call that a gate refused."""
    return _fitted({"status": "refused", "reason": reason}, LIMIT)


def waiting_for(text: str) -> str | None:
    """Return the summary of what a stored answer waits for; None if it waits for nobody."""
    fields = _standing(text)
    return str(fields.get("summary", "")) if fields.get("status") in _WAITING else None


def refusal_in(text: str) -> str | None:
    """Return the gate's reason that a stored answer holds; None if it is no refusal."""
    fields = _standing(text)
    return str(fields.get("reason", "")) if fields.get("status") == "refused" else None


def waits(result: ToolResult) -> bool:
    """Tell whether the outcome comes later: it asks somebody, or still runs elsewhere."""
    return result.requires_confirmation or result.type in ("confirmation", "pending")


def ordinary(result: ToolResult) -> ToolResult:
    """Return a result that only says it asks, though nobody is asked, as one that waits not."""
    if not waits(result):
        return result
    said = ("type", "requires_confirmation")
    meta = {name: value for name, value in result.meta.items() if name not in said}
    return ToolResult(result.ok, result.data, result.message, result.problem, meta)


def _standing(text: str) -> Fields:
    if not text.startswith('{"status":'):
        return {}
    fields: Fields = json.loads(text)
    return fields


def _fields(result: ToolResult) -> Fields:
    if waits(result):
        return {"status": _status(result), "summary": _summary(result)}
    fields: Fields
    if result.success:
        fields = {"ok": True, "data": _shown(result.data), "message": result.message}
    else:
        code = None if result.code is None else str(result.code)
        fields = {"ok": False, "error": result.error or "it failed", "code": code}
    for name in ("pagination", "clamped", "suggestion"):
        fields[name] = _shown(result.meta.get(name))
    return {k: v for k, v in fields.items() if v is not None or k == "data"}


def _status(result: ToolResult) -> str:
    if result.type != "pending":
        return "awaiting_confirmation"
    running = isinstance(result.data, Mapping) and result.data.get("status") == "running"
    return "running" if running else "awaiting_approval"


def _summary(result: ToolResult) -> str:
    summary = result.data.get("action_summary") if isinstance(result.data, Mapping) else None
    return summary if isinstance(summary, str) else result.message or ""


def _shown(value: object, depth: int = 0) -> object:
    """Return `value` as JSON values, secrets left out; what JSON lacks becomes text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth >= _DEEPEST:
        return "(nested too deep)"
    if isinstance(value, Mapping):
        return {
            str(key): _shown(item, depth + 1) for key, item in value.items() if key not in _HIDDEN
        }
    if isinstance(value, list | tuple):
        return [_shown(item, depth + 1) for item in value]
    return str(value)


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


def _fitted(fields: Fields, limit: int) -> str:
    text = _json(fields)
    if len(text) <= limit:
        return text
    kept = {k: v for k, v in fields.items() if k not in ("data", "clamped")}
    cut: Fields = {
        **{k: _start(v, limit // 4) if isinstance(v, str) else v for k, v in kept.items()},
        "truncated": True,
        "total_characters": len(text),
    }
    if "data" in fields:
        whole = _json(fields["data"])
        cut["data_start"] = ""
        cut["data_start"] = _start(whole, limit - len(_json(cut)))
    return _json(cut)


def _start(text: str, room: int) -> str:
    """Return the longest start of `text` that takes at most `room` characters as JSON."""
    low, high = 0, min(len(text), max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if len(_json(text[:middle])) - 2 <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low]
