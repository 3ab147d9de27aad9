"""Tracebacks for the log, with what must not stand there taken out."""

import logging
import traceback
from collections.abc import Iterator, Mapping
from typing import Final

from .redact import MASK, is_sensitive, printable, redact_text

_SHORTEST: Final = 3  # characters; what is shorter masks more than it hides


def log_fault(
    log: logging.Logger, event: str, error: BaseException, arguments: object, **facts: object
) -> None:
    """Log an exception as an error, its traceback without secrets.

    The facts and the traceback are keys of the record, and stand below the line that an ordinary
    formatter prints, so that a program without a log of its own shows them too.
    """
    if not log.isEnabledFor(logging.ERROR):
        return
    trace = trace_of(error, arguments)
    path, line, name, _ = log.findCaller(stacklevel=2)
    extra = {**facts, "trace": trace}
    record = log.makeRecord(
        log.name, logging.ERROR, path, line, event, (), None, func=name, extra=extra
    )
    told = ", ".join(f"{key}={_told(value)}" for key, value in facts.items())
    record.exc_text = f"{told}\n{trace.rstrip()}"
    log.handle(record)


def _told(value: object) -> str:
    try:
        return printable(str(value))
    except Exception:  # what a caller gave may raise when it is read
        return f"({type(value).__name__})"


def trace_of(error: BaseException, arguments: object) -> str:
    """Return an exception's traceback without the call's secrets, wherever the text repeats them.

    Args:
        arguments: Those of the call; the values of sensitive names are masked, and whatever looks
            like a secret by itself. Of arguments that cannot be read, the exception's text is left
            out.
    """
    try:
        secrets = set(_secrets(arguments, hidden=False))
    except Exception:  # arguments may raise when they are read, and nobody knows their secrets then
        return "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__
    text = "".join(traceback.format_exception(error))
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return redact_text(text)


def _secrets(value: object, *, hidden: bool) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _secrets(inner, hidden=hidden or is_sensitive(str(name)))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _secrets(inner, hidden=hidden)
    elif hidden and len(str(value)) >= _SHORTEST:
        yield str(value)
