"""What a traceback in the log may repeat."""

import logging
from typing import Never

import pytest

from comal_runtime import ToolRegistry, ToolScanner, tool
from comal_runtime.traces import log_fault, trace_of

LOG = logging.getLogger("comal_runtime.testing")


def broken(text: str) -> Exception:
    """Return an exception that was raised."""
    try:
        raise RuntimeError(text)
    except RuntimeError as error:
        return error


def test_values_of_sensitive_arguments_are_masked_wherever_the_text_repeats_them() -> None:
    arguments = {"login": {"password": "hunter2"}, "token": ["abc-1", "abc-12"], "note": "visible"}

    trace = trace_of(broken("hunter2 or abc-12 with visible"), arguments)

    assert "hunter2" not in trace
    assert "abc-1" not in trace
    assert "visible" in trace
    assert "RuntimeError" in trace


async def test_a_tool_that_raises_with_a_secret_leaves_none_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool
    async def sign_in(password: str) -> str:
        """Sign in."""
        raise RuntimeError(f"no such user with {password}")

    registry = ToolRegistry()
    ToolScanner(registry).scan([sign_in])
    with caplog.at_level(logging.DEBUG):
        result = await registry.call("sign_in", {"password": "hunter2"})
        await registry.audit.flush()

    logged = "".join(str(vars(record)) for record in caplog.records)
    assert "sign_in" in logged
    assert "hunter2" not in logged
    assert "hunter2" not in str(result.to_dict())


class Unruly(dict[str, str]):
    """Arguments that nobody can read."""

    def items(self) -> Never:
        raise OSError


def endless() -> list[object]:
    held: list[object] = []
    held.append(held)
    return held


@pytest.mark.parametrize("arguments", [Unruly(password="hunter2"), endless()])
def test_the_text_is_left_out_where_nobody_can_tell_its_secrets(arguments: object) -> None:
    trace = trace_of(broken("hunter2"), arguments)

    assert "hunter2" not in trace
    assert "in broken" in trace
    assert trace.endswith("RuntimeError")


def test_an_ordinary_formatter_shows_what_failed_and_why_without_secrets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    try:
        raise ValueError("no disk for hunter2")
    except ValueError as error:
        log_fault(LOG, "tool.raised", error, {"password": "hunter2"}, tool="wipe", request_id="r1")

    assert "tool.raised\ntool=wipe, request_id=r1\nTraceback" in caplog.text
    assert "ValueError: no disk for" in caplog.text
    assert "hunter2" not in caplog.text
    [said] = caplog.records
    assert (said.funcName, said.__dict__["tool"]) == (
        "test_an_ordinary_formatter_shows_what_failed_and_why_without_secrets",
        "wipe",
    )


def test_a_fact_that_cannot_be_read_spoils_no_line(caplog: pytest.LogCaptureFixture) -> None:
    class Hostile:
        def __str__(self) -> str:
            raise RuntimeError("no")

    log_fault(LOG, "call.failed", ValueError("x"), {}, request_id=Hostile())

    assert "request_id=(Hostile)" in caplog.text
