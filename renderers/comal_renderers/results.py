"""Reads a tool's result as a document; secrets and ids of questions are left out."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from comal_runtime.result import ToolResult

from .document import Block, Code, Document, Field, Fields, Heading, Item, List, Notice, Table, Text
from .i18n import text

_HIDDEN: Final = frozenset(("confirmtoken", "requestid", "questionid"))
_DEPTH: Final = 16  # Levels of data that are read.
_NESTED: Final = 2  # Levels shown as blocks; what is deeper is shown as JSON.
_COLUMNS: Final = 6
_BITS: Final = 10_000  # Python writes longer integers in no decimal; sys.int_info.
_NOTHING: Final = "—"
_MASK: Final = "••••"


def document_of(result: ToolResult, language: str | None = None) -> Document:
    """Return what to show of a result; any shape of data will do."""
    data = conceal(result.data)
    if result.type in ("confirmation", "pending"):
        blocks = list(_question(result, data))
    else:
        blocks = [*_words(result), *_blocks(data, _NESTED), *_pages(result, language)]
    return Document(blocks=tuple(blocks))


def conceal(value: Any) -> Any:
    """Return JSON-shaped data without confirm tokens and ids of questions, at any depth.

    A token that stands in another text is masked there too.
    """
    tokens = frozenset(_tokens(value, _DEPTH))
    return _open(value, tokens, _DEPTH)


def conceal_text(sentence: str, data: Any) -> str:
    """Mask in a sentence the confirm tokens that `data` holds."""
    return _mask(sentence, frozenset(_tokens(data, _DEPTH)))


def _is_hidden(key: object) -> bool:
    return str(key).replace("_", "").replace("-", "").lower() in _HIDDEN


def _tokens(value: Any, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if _is_hidden(key) and "token" in str(key).lower() and isinstance(inner, str):
                yield inner
            yield from _tokens(inner, depth - 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _tokens(inner, depth - 1)


def _mask(sentence: str, tokens: frozenset[str]) -> str:
    for token in tokens:
        sentence = sentence.replace(token, _MASK) if token else sentence
    return sentence


def _open(value: Any, tokens: frozenset[str], depth: int) -> Any:
    if isinstance(value, int) and value.bit_length() > _BITS:
        return hex(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        pairs = ((str(key), inner) for key, inner in value.items() if not _is_hidden(key))
        return {_mask(key, tokens): _open(inner, tokens, depth - 1) for key, inner in pairs}
    if isinstance(value, list | tuple | set | frozenset):
        return [_open(inner, tokens, depth - 1) for inner in value]
    return _mask(str(value), tokens)


def _question(result: ToolResult, data: Any) -> Iterator[Block]:
    message = conceal_text(result.message or "", result.data)
    if message:
        yield Notice(content=message)
    summary = data.get("action_summary") if isinstance(data, Mapping) else None
    if summary and summary != message:
        yield from _blocks(summary, _NESTED)


def _words(result: ToolResult) -> Iterator[Block]:
    if result.error:
        yield Notice(content=conceal_text(str(result.error), result.data), tone="error")
    if result.message:
        yield Text(content=conceal_text(result.message, result.data))
    suggestion = result.meta.get("suggestion")
    if isinstance(suggestion, str) and suggestion:
        yield Text(content=suggestion)


def _pages(result: ToolResult, language: str | None) -> Iterator[Block]:
    pagination = result.meta.get("pagination")
    if not isinstance(pagination, Mapping):
        return
    names = {"page": "page", "pages": "total_pages", "total": "total_items"}
    values = {name: pagination.get(key, _NOTHING) for name, key in names.items()}
    yield Text(content=text("result.page", language, **values))


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
    return value if isinstance(value, str) else json.dumps(value)
