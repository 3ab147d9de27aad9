"""Writing an outcome down: its arguments without their secrets, its texts as single lines."""

import json
import logging
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ..call import Arguments
from ..consent.question import digest
from ..context import ToolContext
from ..record import AuditRecord
from ..redact import printable, redact, redact_text
from ..result import ToolResult

log = logging.getLogger(__name__)

MAX_ARGUMENT_BYTES: Final = 262_144
"""Bytes of JSON that the arguments of one call may have, unless a registry is told otherwise."""

_LONGEST: Final = 512  # characters of one field that a caller chose
_REMEMBERED: Final = 64  # characters of a text that is worth remembering the line of

_BREAKS: Final = re.compile("[\x7f-\x9f\u2028\u2029]")
"""What JSON leaves as it is although a reader may break a line or obey a command at it."""

_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


@dataclass(slots=True)
class Outcome:
    """What one call was and how it ended, as it was handed over; nobody changes it after."""

    at: float
    ctx: ToolContext
    tool: str
    args: Arguments = field(repr=False)
    result: ToolResult
    decision: str
    took_ms: float
    question: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How outcomes are written down; `extra_keys` add to the names that are secret."""

    extra_keys: frozenset[str] = frozenset()
    max_argument_bytes: int = MAX_ARGUMENT_BYTES


def entry(outcome: Outcome, how: Writing) -> AuditRecord:
    """Return the record of an outcome: arguments redacted, digests over the true ones.

    Never raises: an outcome that cannot be written down leaves a record of that.
    """
    try:
        return _entry(outcome, how)
    except Exception as fault:  # what a tool or a caller gave may raise when it is read
        log.exception("audit.not_written_down", extra={"decision": outcome.decision})
        return _minimal(outcome, fault)


def dropped(count: int, *, at: float) -> AuditRecord:
    """Return the record that says how many outcomes could not be kept until they were stored."""
    args = _encode({"records": count})
    return AuditRecord(
        at=float(at),
        request_id="",
        ip=None,
        channel="",
        principal=None,
        conversation=None,
        origin="service",
        tool="(audit)",
        decision="dropped",
        code=None,
        took_ms=0.0,
        output_bytes=0,
        args=args,
        args_digest=digest(args),
        question=None,
    )


def result_json(result: ToolResult) -> str:
    """Return a result's wire shape as JSON; what JSON cannot hold is named only. Never raises."""
    try:
        return result.to_json()
    except Exception:  # what a tool gave may raise when it is written out
        kind = type(result.data).__name__
        named = f"({kind} that JSON cannot hold)"
        meta = {
            "type": _own_text(result.meta.get("type", "generic")),
            "code": _own_text(result.code),
        }
        message, problem = _own_text(result.message), _own_text(result.problem)
        return ToolResult(bool(result.ok), named, message, problem, meta).to_json()


def _entry(outcome: Outcome, how: Writing) -> AuditRecord:
    canonical, is_json = _canonical(outcome.args)
    args = _shown(outcome.args, canonical, is_json, how)
    args_digest = digest(canonical)
    ctx, text = outcome.ctx, result_json(outcome.result)
    return AuditRecord(
        at=float(outcome.at),
        request_id=_line(ctx.request_id),
        ip=_line_or_none(ctx.ip),
        channel=_line(ctx.channel),
        principal=_line_or_none(ctx.principal),
        conversation=_line_or_none(ctx.conversation),
        origin=_line(ctx.origin),
        tool=_tool(outcome.tool),
        decision=_line(outcome.decision),
        code=_line_or_none(outcome.result.code),
        took_ms=float(outcome.took_ms),
        output_bytes=len(text) if text.isascii() else len(text.encode()),
        args=args,
        args_digest=args_digest,
        question=outcome.question,
        shown_digest=None if args is canonical else digest(args),
    )


def _shown(args: Arguments, canonical: str, is_json: bool, how: Writing) -> str:
    """Return the arguments without their secrets; too many to look through are counted."""
    if len(canonical) > how.max_argument_bytes:
        size = len(canonical.encode())
        return _encode({"(left out)": f"{size} bytes of arguments"})
    redacted = redact(args, how.extra_keys)
    shown = canonical if is_json and redacted == args else _canonical(redacted)[0]
    if shown.isascii() or not _BREAKS.search(shown):
        return shown
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", shown)


def _canonical(value: object) -> tuple[str, bool]:
    """Return the canonical JSON of a value, and whether it is JSON at all; else its kind."""
    try:
        text = _encode(value)
    except (TypeError, ValueError, RecursionError):
        return _encode(repr(type(value))), False
    if text.isascii():
        return text, True
    return text.encode("utf-8", "backslashreplace").decode(), True


def _tool(name: object) -> str:
    """Return a tool's name; one that nobody registered may be any text, a secret too."""
    text = name if type(name) is str else str(name)
    return _line(text) if text.isidentifier() else _line(redact_text(printable(text)))


def _line(value: object) -> str:
    text = value if type(value) is str else str(value)
    return _remembered(text) if len(text) <= _REMEMBERED else _cut(printable(text))


@lru_cache(maxsize=2048)
def _remembered(text: str) -> str:
    return _cut(printable(text))


def _cut(line: str) -> str:
    if len(line) <= _LONGEST:
        return line
    return f"{line[:_LONGEST]}… ({len(line)} characters)"


def _line_or_none(value: object) -> str | None:
    return None if value is None else _line(value)


def _own_text(value: object) -> str | None:
    if value is None:
        return None
    try:
        return str(value)
    except Exception:  # the value's own conversion
        return f"({type(value).__name__})"


def _minimal(outcome: Outcome, fault: Exception) -> AuditRecord:
    """Return what can be said of an outcome that cannot be written down."""
    fields = ("request_id", "channel", "principal", "conversation", "origin", "ip")
    said = {name: _own_text(getattr(outcome.ctx, name, None)) for name in fields}
    known = {name: None if text is None else _cut(printable(text)) for name, text in said.items()}
    args = _encode({"(not recorded)": type(fault).__name__})
    return AuditRecord(
        at=outcome.at,
        request_id=known["request_id"] or "",
        ip=known["ip"],
        channel=known["channel"] or "",
        principal=known["principal"],
        conversation=known["conversation"],
        origin=known["origin"] or "",
        tool=_cut(redact_text(printable(_own_text(outcome.tool) or ""))),
        decision=printable(_own_text(outcome.decision) or ""),
        code=None,
        took_ms=outcome.took_ms,
        output_bytes=0,
        args=args,
        args_digest=digest(""),
        question=outcome.question,
        shown_digest=digest(args),
    )
