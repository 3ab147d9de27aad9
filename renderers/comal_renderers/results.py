"""Reads a tool's result as a document; secrets and ids of questions are left out."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from comal_runtime.result import ToolResult

from .concealing import concealed
from .document import Block, Code, Document, Field, Fields, Heading, Item, List, Notice, Table, Text
from .i18n import text

_NESTED: Final = 2  # Levels shown as blocks; what is deeper is shown as JSON.
_COLUMNS: Final = 6
_NOTHING: Final = "—"
_PLANNED: Final = frozenset(("tool", "args", "mutating", "requires_confirmation"))


def document_of(result: ToolResult, language: str | None = None) -> Document:
    """Return what to show of a result; any shape of data will do, and nothing raises.

    Args:
        language: An IETF tag of the reader, such as `es-MX`; None is English.
    """
    shown = concealed(result)
    if shown.type in ("confirmation", "pending"):
        blocks = list(_question(shown))
    else:
        blocks = [*_words(shown, language), *_answer(shown, language)]
        blocks.extend(_notes(shown.meta, language))
    if not blocks:
        blocks.append(Text(content=text("result.done", language)))
    return Document(blocks=tuple(blocks), language=language)


def _question(shown: ToolResult) -> Iterator[Block]:
    if shown.message:
        yield Notice(content=shown.message)
    summary = shown.data.get("action_summary") if isinstance(shown.data, dict) else None
    if summary and summary != shown.message:
        yield from _blocks(summary, _NESTED)


def _words(shown: ToolResult, language: str | None) -> Iterator[Block]:
    error = shown.error
    if not error and not shown.success and not shown.message:
        error = text("result.failed", language)
    if error:
        yield Notice(content=error, tone="error")
    if shown.message:
        yield Text(content=shown.message)
    suggestion = shown.meta.get("suggestion")
    if isinstance(suggestion, str) and suggestion:
        yield Text(content=suggestion)


def _answer(shown: ToolResult, language: str | None) -> Iterator[Block]:
    plan = _plan_in(shown)
    yield from _blocks(shown.data, _NESTED) if plan is None else _plan(plan, language)


def _plan_in(shown: ToolResult) -> dict[str, Any] | None:
    """Return the plan that a call in plan mode answered, known by what it says."""
    if not shown.success or not isinstance(shown.data, dict) or len(shown.data) != 1:
        return None
    plan = shown.data.get("plan")
    return plan if isinstance(plan, dict) and plan.keys() >= _PLANNED else None


def _plan(plan: Mapping[str, Any], language: str | None) -> Iterator[Block]:
    """Say that nothing was run, who would be asked, and what would be called."""
    asks = "nobody"
    if plan.get("requires_approval"):
        asks = "approval"
    elif plan["requires_confirmation"]:
        asks = "confirmation"
    yield Notice(content=text("plan.nothing_run", language))
    yield Text(content=text(f"plan.asks_{asks}", language))
    changes = text("word.yes" if plan["mutating"] else "word.no", language)
    facts = {
        text("card.tool", language): _scalar(plan["tool"]),
        text("plan.changes", language): changes,
    }
    scopes, timeout = plan.get("scopes_required"), plan.get("timeout")
    if isinstance(scopes, list) and scopes:
        facts[text("plan.scopes", language)] = ", ".join(map(_scalar, scopes))
    if timeout is not None:
        facts[text("plan.timeout", language)] = f"{_scalar(timeout)} s"
    yield Fields(fields=tuple(Field(label=k, value=v) for k, v in facts.items()))
    if plan["args"]:
        yield from _blocks(plan["args"], _NESTED)


def _notes(meta: Mapping[str, Any], language: str | None) -> Iterator[Block]:
    """Say what the call's meta tells a person: page, changed arguments, code, when to try again."""
    if not meta:
        return
    if isinstance(meta.get("pagination"), dict):
        yield Text(content=_page(meta["pagination"], language))
    if isinstance(meta.get("clamped"), dict):
        changes = ", ".join(_change(name, each) for name, each in meta["clamped"].items())
        yield Text(content=text("result.clamped", language, changes=changes))
    if meta.get("cache_served") is True:
        yield Text(content=text("result.cached", language))
    if meta.get("code"):
        yield Text(content=text("result.code", language, code=_scalar(meta["code"])))
    wait = meta.get("retry_after_seconds")
    if isinstance(wait, int | float) and not isinstance(wait, bool):
        yield Text(content=text("result.retry", language, seconds=_scalar(wait)))


def _page(pagination: Mapping[str, Any], language: str | None) -> str:
    """Name the page, and the numbers of those before and after it where there are any."""
    names = {"page": "page", "pages": "total_pages", "total": "total_items"}
    values = {name: _scalar(pagination.get(key)) for name, key in names.items()}
    told = [text("result.page", language, **values)]
    page = pagination.get("page")
    if isinstance(page, int):
        told += [f"← {page - 1}"] if pagination.get("has_prev") is True else []
        told += [f"{page + 1} →"] if pagination.get("has_next") is True else []
    return " · ".join(told)


def _change(name: str, change: object) -> str:
    if isinstance(change, dict) and change.keys() >= {"from", "to"}:
        return f"{name} {_scalar(change['from'])} → {_scalar(change['to'])}"
    return f"{name} {_scalar(change)}"


def _blocks(data: Any, nested: int) -> Iterator[Block]:
    if isinstance(data, dict):
        yield from _mapping(data, nested) if data else (Text(content=_NOTHING),)
    elif isinstance(data, list):
        yield from _sequence(data, nested) if data else (Text(content=_NOTHING),)
    elif data is not None:
        yield Text(content=_scalar(data))


def _mapping(data: dict[str, Any], nested: int) -> Iterator[Block]:
    fields: list[Field] = []
    for key, value in data.items():
        if _is_scalar(value):
            fields.append(Field(label=key, value=_scalar(value)))
            continue
        if fields:
            yield Fields(fields=tuple(fields))
            fields = []
        yield Heading(content=key, level=3)
        yield from _blocks(value, nested - 1) if nested else (_as_json(value),)
    if fields:
        yield Fields(fields=tuple(fields))


def _sequence(data: list[Any], nested: int) -> Iterator[Block]:
    columns = _columns(data)
    if columns:
        rows = tuple(tuple(_scalar(row.get(name, "")) for name in columns) for row in data)
        yield Table(header=columns, rows=rows)
    elif nested == 0:
        yield _as_json(data)
    else:
        yield List(items=tuple(Item(blocks=tuple(_blocks(e, nested - 1))) for e in data))


def _columns(data: list[Any]) -> tuple[str, ...]:
    """Name the columns if the entries are alike enough for a table, else none."""
    if not all(isinstance(row, dict) and all(map(_is_scalar, row.values())) for row in data):
        return ()
    columns = tuple(dict.fromkeys(name for row in data for name in row))
    return columns if len(columns) <= _COLUMNS else ()


def _as_json(value: Any) -> Code:
    return Code(text=json.dumps(value, ensure_ascii=False, indent=2), language="json")


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _scalar(value: Any) -> str:
    if value is None:
        return _NOTHING
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
