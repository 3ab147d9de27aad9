"""What a call answers: one shape for success, failure, questions and plans."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, overload


class ErrorCode(StrEnum):
    """Why a call did not succeed, for programs."""

    TOOL_NOT_FOUND = "TOOL_NOT_FOUND"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    NOT_FOUND = "NOT_FOUND"
    UNAUTHORIZED = "UNAUTHORIZED"
    FORBIDDEN = "FORBIDDEN"
    CONFIRMATION_REQUIRED = "CONFIRMATION_REQUIRED"
    TIMEOUT = "TIMEOUT"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    RATE_LIMITED = "RATE_LIMITED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"


_encode = json.JSONEncoder(ensure_ascii=False, default=str).encode


def _written(shape: Mapping[str, Any], indent: int | None) -> str:
    if indent is None:
        return _encode(shape)
    return json.dumps(shape, ensure_ascii=False, default=str, indent=indent)


def _text(value: object) -> str | None:
    if value is None:
        return None
    try:
        return str(value)
    except Exception:  # the value's own conversion
        return f"({type(value).__name__})"


class _Success:
    """`ToolResult.success(...)` makes a result; `result.success` tells whether it is one."""

    @overload
    def __get__(self, result: None, owner: type["ToolResult"]) -> Callable[..., "ToolResult"]: ...
    @overload
    def __get__(self, result: "ToolResult", owner: type["ToolResult"]) -> bool: ...
    def __get__(
        self, result: "ToolResult | None", owner: type["ToolResult"]
    ) -> "Callable[..., ToolResult] | bool":
        return owner.succeeded if result is None else result.ok


class _Error:
    """`ToolResult.error(...)` makes a failure; `result.error` is its sentence."""

    @overload
    def __get__(self, result: None, owner: type["ToolResult"]) -> Callable[..., "ToolResult"]: ...
    @overload
    def __get__(self, result: "ToolResult", owner: type["ToolResult"]) -> str | None: ...
    def __get__(
        self, result: "ToolResult | None", owner: type["ToolResult"]
    ) -> "Callable[..., ToolResult] | str | None":
        return owner.failed if result is None else result.problem


class ToolResult:
    """The answer of one call; frozen.

    `data` is JSON-shaped, `message` and `error` are sentences for people, `meta` is read-only and
    holds `type` (confirmation, pending, blocked, error, list, detail; absent for a plain success)
    and `code`. Factories: `success(data, message=, meta=)`, `error(text, code=, data=, meta=)`,
    `paginated`, `detail`, `confirmation`, `pending`, `blocked`.
    """

    __slots__ = ("data", "message", "meta", "ok", "problem")

    ok: bool
    data: Any
    message: str | None
    problem: str | None
    meta: Mapping[str, Any]

    success = _Success()
    error = _Error()

    def __init__(
        self,
        ok: bool,
        data: Any = None,
        message: str | None = None,
        problem: str | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        _put_ok(self, ok)
        _put_data(self, data)
        _put_message(self, message)
        _put_problem(self, problem)
        _put_meta(self, MappingProxyType({**meta} if meta else {}))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ToolResult is frozen; use with_meta() or a new one to set {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolResult) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.ok, self.message, self.problem))

    def __repr__(self) -> str:
        return f"<ToolResult {self.type} ok={self.ok} code={self.code}>"

    @property
    def type(self) -> str:
        """What kind of answer this is; `generic` for a plain success."""
        kind = self.meta.get("type")
        return str.__str__(kind) if isinstance(kind, str) else "generic"

    @property
    def code(self) -> ErrorCode | str | None:
        """The machine's reason for a failure, or None."""
        return self.meta.get("code")

    @property
    def requires_confirmation(self) -> bool:
        """Whether the call asks instead of having run."""
        return self.meta.get("requires_confirmation") is True

    @property
    def confirm_token(self) -> str | None:
        """The secret that redeems the question, when this result carries one."""
        token = self.data.get("confirm_token") if isinstance(self.data, Mapping) else None
        return token if isinstance(token, str) else None

    def with_meta(self, **meta: Any) -> "ToolResult":
        """Return this result with `meta` added; given keys replace existing ones."""
        made = object.__new__(ToolResult)
        _put_ok(made, self.ok)
        _put_data(made, self.data)
        _put_message(made, self.message)
        _put_problem(made, self.problem)
        _put_meta(made, MappingProxyType(self.meta | meta))  # type: ignore[operator]
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return the wire shape: success, data, message, error, meta."""
        return {
            "success": self.ok,
            "data": self.data,
            "message": self.message,
            "error": self.problem,
            "meta": dict(self.meta),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the wire shape as JSON; what JSON lacks is written as text, never raised.

        Args:
            indent: Spaces a level; None writes one line.
        """
        try:
            text = _written(self.to_dict(), indent)
        except Exception:  # what a tool gave may raise when it is written out
            text = _written(self._named(), indent)
        return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")

    def _named(self) -> dict[str, Any]:
        """Return the wire shape of what JSON cannot hold: its data are named only."""
        kind = type(self.data).__name__
        return {
            "success": bool(self.ok),
            "data": None if self.data is None else f"({kind} that JSON cannot hold)",
            "message": _text(self.message),
            "error": _text(self.problem),
            "meta": {"type": self.type, "code": _text(self.code)},
        }

    @classmethod
    def succeeded(
        cls, data: Any = None, message: str | None = None, meta: Mapping[str, Any] | None = None
    ) -> "ToolResult":
        """Make a plain success; `ToolResult.success` is the public spelling."""
        return cls(True, data, message, None, meta)

    @classmethod
    def failed(
        cls,
        error: str,
        *,
        code: ErrorCode | str | None = None,
        data: Any = None,
        meta: Mapping[str, Any] | None = None,
    ) -> "ToolResult":
        """Make a failure; `ToolResult.error` is the public spelling."""
        extra = {} if code is None else {"code": code}
        return cls(False, data, None, error, {**(meta or {}), **extra, "type": "error"})

    @classmethod
    def paginated(
        cls, items: Sequence[Any], *, page: int, total: int, limit: int, message: str | None = None
    ) -> "ToolResult":
        """Make one page of a list of `total` items; `limit` (items a page) is at least 1."""
        if limit < 1:
            raise ValueError(f"limit must be at least 1, not {limit}")
        pages = -(-total // limit)  # rounded up, whatever the size; none of nothing
        pagination = {
            "page": page,
            "total_pages": pages,
            "total_items": total,
            "limit": limit,
            "has_prev": page > 1,
            "has_next": page < pages,
        }
        return cls(True, list(items), message, None, {"type": "list", "pagination": pagination})

    @classmethod
    def detail(cls, data: Mapping[str, Any], message: str | None = None) -> "ToolResult":
        """Make the full view of one thing."""
        return cls(True, dict(data), message, None, {"type": "detail"})

    @classmethod
    def confirmation(
        cls,
        message: str,
        data: Mapping[str, Any] | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> "ToolResult":
        """Ask the requester: nothing has run yet."""
        kind = {"type": "confirmation", "requires_confirmation": True}
        return cls(True, dict(data or {}), message, None, {**(meta or {}), **kind})

    @classmethod
    def pending(
        cls,
        message: str,
        data: Mapping[str, Any] | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> "ToolResult":
        """Say that other people were asked: nothing has run yet."""
        return cls(True, dict(data or {}), message, None, {**(meta or {}), "type": "pending"})

    @classmethod
    def blocked(cls, error: str, suggestion: str | None = None) -> "ToolResult":
        """Say that a rule or listener stopped the call."""
        return cls(
            False,
            None,
            None,
            error,
            {"type": "blocked", "blocked_by_rule": True, "suggestion": suggestion},
        )


_put_ok, _put_data, _put_message, _put_problem, _put_meta = (
    getattr(ToolResult, name).__set__ for name in ("ok", "data", "message", "problem", "meta")
)


def asks_for_confirmation(payload: object) -> bool:
    """Tell a call that asks from a call that did, from the result, its dict or its JSON."""
    if isinstance(payload, ToolResult):
        return payload.requires_confirmation
    if isinstance(payload, str):
        try:
            payload = json.loads(payload)
        except ValueError:
            return False
    if not isinstance(payload, Mapping):
        return False
    meta = payload.get("meta")
    nested = isinstance(meta, Mapping) and meta.get("requires_confirmation") is True
    return nested or payload.get("requires_confirmation") is True
