"""Sets logging up: text for people or JSON lines for programs, and no secrets in either."""

import logging
import re
import sys
from collections.abc import Mapping
from typing import Any, Final, Literal, TextIO

import structlog

from comal_runtime.redact import MASK, redact

_BOT_TOKEN: Final = re.compile(r"\d+:[\w-]{30,}", re.ASCII)  # also inside `/bot123:AA.../getMe`
_NOISY: Final = ("asyncio", "httpcore", "httpx", "uvicorn", "uvicorn.access", "uvicorn.error")

Event = dict[str, Any]
"""One log line as structlog passes it along: JSON-shaped once it is scrubbed."""


def set_up_logs(form: Literal["text", "json"], *, stream: TextIO | None = None) -> None:
    """Send every log line from INFO up to `stream`, stderr unless given."""
    target = stream or sys.stderr
    handler = logging.StreamHandler(target)
    handler.setFormatter(_formatter(form, colours=target.isatty()))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)


def scrub(logger: object, method: str, event: Mapping[str, Any]) -> Event:
    """Mask what is or looks like a secret: keys, bot tokens, bearer keys; a structlog processor."""
    tokenless = {key: _without_tokens(value) for key, value in event.items()}
    scrubbed = redact(tokenless)
    assert isinstance(scrubbed, dict)
    return dict(scrubbed)


def _without_tokens(value: object) -> object:
    match value:
        case str():
            return _BOT_TOKEN.sub(MASK, value)
        case Mapping():
            return {key: _without_tokens(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_without_tokens(item) for item in value]
        case BaseException():
            return _BOT_TOKEN.sub(MASK, f"{type(value).__name__}: {value}")
        case _:
            return value


def _formatter(form: Literal["text", "json"], *, colours: bool) -> logging.Formatter:
    renderer: structlog.typing.Processor
    if form == "json":
        renderer = structlog.processors.JSONRenderer(ensure_ascii=False)
    else:
        renderer = structlog.dev.ConsoleRenderer(
            colors=colours, exception_formatter=structlog.dev.plain_traceback
        )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            scrub,
            renderer,
        ],
    )
