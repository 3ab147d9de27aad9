"""The log: lines for people and for programs, without secrets."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from comal_bot.logs import set_up_logs

TOKEN = "123456789:AAH4tqEwz0X-uQyT5s7bN8v6c4x2z1m3k5_"

log = logging.getLogger("comal_bot.test")


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)


def written(form: str) -> io.StringIO:
    stream = io.StringIO()
    set_up_logs("json" if form == "json" else "text", stream=stream)
    return stream


def test_a_json_line_holds_the_event_and_its_facts():
    stream = written("json")

    log.info("tool.refused", extra={"tool": "wipe", "code": 403})

    line = json.loads(stream.getvalue())
    assert (line["event"], line["tool"], line["code"]) == ("tool.refused", "wipe", 403)
    assert (line["level"], line["logger"]) == ("info", "comal_bot.test")
    assert line["timestamp"].endswith("Z")


def test_text_that_goes_to_no_terminal_has_no_colours():
    stream = written("text")

    log.info("tool.refused", extra={"tool": "wipe"})

    assert "\x1b" not in stream.getvalue()
    assert "tool.refused" in stream.getvalue()
    assert "tool=wipe" in stream.getvalue()


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_do_not_reach_the_log(form: str):
    stream = written(form)

    log.warning("sent to https://api.telegram.org/bot%s/getMe", TOKEN)
    log.warning("a", extra={"url": f"/bot{TOKEN}/getMe", "deep": {"list": [TOKEN]}})
    log.warning("b", extra={"header": "Authorization: Bearer abcdefgh12345678", "token": "hidden"})
    try:
        raise ValueError(f"no answer from /bot{TOKEN}/getMe")
    except ValueError as error:
        log.exception("c", extra={"cause": error})

    assert TOKEN not in stream.getvalue()
    assert "AAH4tq" not in stream.getvalue()
    assert "abcdefgh12345678" not in stream.getvalue()
    assert "hidden" not in stream.getvalue()
    assert "ValueError" in stream.getvalue()


def test_what_libraries_tell_of_every_request_is_left_out():
    stream = written("json")

    logging.getLogger("httpx").info("HTTP Request: POST")
    logging.getLogger("uvicorn.access").info("GET /")
    logging.getLogger("uvicorn.error").info("Started server process")

    assert stream.getvalue() == ""


def test_setting_up_twice_writes_each_line_once():
    written("text")
    stream = written("json")

    log.info("once")

    assert len(stream.getvalue().splitlines()) == 1
