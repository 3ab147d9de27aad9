"""Reads an HTTP answer: the payload it carries, or the typed error it is."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from comal_runtime.http import HttpResponse

from .errors import (
    EXCERPT_LIMIT,
    ContextTooLong,
    Fault,
    LlmAuthError,
    LlmBadResponse,
    LlmError,
    LlmOverloaded,
    LlmRateLimited,
    LlmRefused,
)
from .retry import asked_wait, may_retry
from .scrub import scrub

EMPTY_BODY = "(empty response body)"

_SHOWABLE = 64 * 1024  # bytes looked at for an excerpt; enough to mask before cutting
_CONTEXT_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_CONTEXT_WORDS = re.compile(
    r"maximum context length|prompt is too long|exceeds? the (available |model's )?context",
    re.IGNORECASE,
)
# Source: MiniMax, "Error Codes": base_resp.status_code inside HTTP 200.
_MINIMAX_STATUS = {1000: 500, 1001: 504, 1002: 429, 1004: 401, 1008: 402, 1024: 500, 2049: 401}


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What an error body says; `status` is the HTTP status it stands for, if it names one."""

    message: str = ""
    codes: tuple[str, ...] = ()
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Whose answers are read, when (epoch seconds), and which secrets they must not show."""

    provider: str
    now: float
    secrets: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A successful answer's JSON object, and what an error about it would say."""

    payload: Mapping[str, object]
    fault: Fault


def read_answer(response: HttpResponse, reading: Reading) -> Answer:
    """Return the JSON object of a successful answer.

    Raises:
        LlmError: The answer is an error, also one inside HTTP 200, or not a JSON object.
    """
    payload = _parse(response.body)
    fault = _fault(response, reading)
    if not 200 <= response.status < 300:
        raise _http_error(response, _complaint(payload) or Complaint(), fault, reading)
    complaint = _inner_complaint(payload)
    if complaint is not None:
        raise _inner_error(complaint, fault)
    if not isinstance(payload, dict):
        raise bad_response("the body is not a JSON object", fault)
    return Answer(payload=payload, fault=fault)


def bad_response(problem: str, fault: Fault) -> LlmBadResponse:
    """Word an answer outside the protocol."""
    shown = fault.excerpt or EMPTY_BODY
    return LlmBadResponse(f"{fault.provider} answered, but {problem}: {shown}", fault)


def _fault(response: HttpResponse, reading: Reading) -> Fault:
    start = response.body.lstrip()[:_SHOWABLE].decode("utf-8", "replace")
    named = response.headers.get("x-request-id") or response.headers.get("request-id")
    return Fault(
        provider=reading.provider,
        status=response.status,
        request_id=scrub(named, reading.secrets)[:200] if named else None,
        excerpt=scrub(start, reading.secrets).rstrip()[:EXCERPT_LIMIT],
    )


def _http_error(
    response: HttpResponse, complaint: Complaint, fault: Fault, reading: Reading
) -> LlmError:
    fault = replace(
        fault,
        code=complaint.codes[0] if complaint.codes else None,
        retry_after=asked_wait(response.headers, reading.now),
        retryable=may_retry(response.status, response.headers, complaint.codes),
    )
    shown = fault.excerpt or EMPTY_BODY
    sentence = f"{fault.provider} answered HTTP {fault.status}: {shown}"
    return _kind(response.status, complaint)(sentence, fault)


def _inner_error(complaint: Complaint, fault: Fault) -> LlmError:
    status = complaint.status or 200
    fault = replace(
        fault,
        code=complaint.codes[0] if complaint.codes else None,
        retryable=may_retry(status, {}, complaint.codes),
    )
    sentence = f"{fault.provider} answered HTTP {fault.status} with an error: {fault.excerpt}"
    return _kind(status, complaint)(sentence, fault)


def _kind(status: int, complaint: Complaint) -> type[LlmError]:
    too_long = _CONTEXT_CODES.intersection(complaint.codes) or _CONTEXT_WORDS.search(
        complaint.message
    )
    if too_long and status in (200, 400, 413, 422):
        return ContextTooLong
    if status in (401, 403):
        return LlmAuthError
    if status == 429:
        return LlmRateLimited
    if status >= 500:
        return LlmOverloaded
    return LlmRefused if status >= 400 else LlmBadResponse


def _inner_complaint(payload: object) -> Complaint | None:
    """Find the error that came with HTTP 200, if there is one."""
    if isinstance(payload, list):
        return _complaint(payload)
    if not isinstance(payload, dict):
        return None
    base = payload.get("base_resp")
    if payload.get("error") or (isinstance(base, dict) and base.get("status_code")):
        return _complaint(payload)
    choices = payload.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _complaint(first) if isinstance(first, dict) and first.get("error") else None


def _complaint(payload: object) -> Complaint | None:
    """Read the known spellings of an error body; None if it is none of them."""
    if isinstance(payload, list) and payload:
        payload = payload[0]
    if not isinstance(payload, dict):
        return None
    base = payload.get("base_resp")
    if isinstance(base, dict) and base.get("status_code"):
        code = base["status_code"]
        status = _MINIMAX_STATUS.get(code) if isinstance(code, int) else None
        return Complaint(message=str(base.get("status_msg", "")), codes=(str(code),), status=status)
    error = payload.get("error") or payload.get("detail") or payload
    if not isinstance(error, dict):
        return Complaint(message=str(error))
    codes = tuple(str(error[name]) for name in ("code", "type") if error.get(name))
    return Complaint(
        message=str(error.get("message", "")), codes=codes, status=_status_in(error.get("code"))
    )


def _status_in(code: object) -> int | None:
    text = str(code)
    return int(text) if text.isascii() and text.isdigit() and 400 <= int(text) < 600 else None


def _parse(body: bytes) -> object:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed
