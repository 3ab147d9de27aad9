"""A Bot API request's parameters, from wherever a client put them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from urllib.parse import parse_qsl

from starlette.requests import Request

from .refusal import Refusal, bad_request

MAX_BODY = 20 * 1024 * 1024  # bytes
LEADING_NUMBER = re.compile(r"-?\d{1,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Every value as text, the way the server holds them; objects stay JSON."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return a value as it came; empty when absent."""
        return self.values.get(name, "")

    def integer(self, name: str, default: int = 0) -> int:
        """Return a value's leading number; 0 when it has none, as the server reads it."""
        if not self.text(name):
            return default
        match = LEADING_NUMBER.match(self.text(name))
        return int(match.group()) if match else 0

    def flag(self, name: str) -> bool:
        """Return whether a value means yes."""
        return self.text(name).lower() in ("true", "yes", "1")

    def decoded(self, name: str, complaint: str) -> object:
        """Return a JSON value; None when absent.

        Raises:
            Refusal: 400 with `complaint`, when it is no JSON.
        """
        if not self.text(name):
            return None
        try:
            value: object = json.loads(self.text(name))
        except (ValueError, RecursionError):
            raise bad_request(complaint) from None
        _utf8(json.dumps(value, ensure_ascii=False))
        return value


async def read_parameters(request: Request) -> Parameters:
    """Read the query string and a JSON, form or multipart body.

    Raises:
        Refusal: 413 for a body over 20 MB; 400 for one that cannot be read.
    """
    body = await _body(request)
    kind = Message()
    kind["content-type"] = request.headers.get("content-type", "")
    values = dict(request.query_params)
    match kind.get_content_type() if body else "":
        case "application/json":
            values |= _from_json(body)
        case "application/x-www-form-urlencoded":
            values |= dict(parse_qsl(_decode(body), keep_blank_values=True))
        case "multipart/form-data":
            values |= _from_multipart(body, str(kind.get_param("boundary", "")))
    for value in values.values():
        _utf8(value)
    return Parameters(values=values)


async def _body(request: Request) -> bytes:
    """Read the whole body; an oversized one is read to its end, so that the answer arrives."""
    body = bytearray()
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY:
            body += chunk
    if size > MAX_BODY:
        raise Refusal(413, "Request Entity Too Large")
    return bytes(body)


def _from_json(body: bytes) -> dict[str, str]:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        raise bad_request("can't parse request body as JSON object") from None
    if not isinstance(value, dict):
        raise bad_request("can't parse request body as JSON object")
    return {str(name): _as_text(item) for name, item in value.items() if item is not None}


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _from_multipart(body: bytes, boundary: str) -> dict[str, str]:
    """Read the plain fields; uploaded files are ignored."""
    values: dict[str, str] = {}
    if not boundary:
        raise bad_request("boundary not found")
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode())[1:]:
        head, gap, content = part.partition(b"\r\n\r\n")
        if not gap:
            continue
        name = re.search(rb'[; ]name="?([^";\r\n]+)', head)
        if name is not None and b"filename" not in head:
            values[_decode(name.group(1))] = _decode(content)
    return values


def _decode(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise bad_request("strings must be encoded in UTF-8") from None


def _utf8(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise bad_request("strings must be encoded in UTF-8") from None
