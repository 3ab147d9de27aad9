"""Whether people can use a tool."""

from collections.abc import Callable
from typing import Any

import pytest

from comal_bot.lint import Finding, Severity, Yardstick, findings
from comal_runtime.consent import Route, Routes

from .arranging import found, holding, made


def test_a_scope_that_nobody_is_granted_is_found() -> None:
    subject = made(scopes=("a", "b"))

    def unreachable(*granted: str) -> list[Finding]:
        return found(subject, rule="scope-unreachable", granted=frozenset(granted))

    assert len(unreachable("c")) == 1
    assert unreachable("b") == unreachable("*") == []


def test_a_change_that_anybody_may_ask_for_is_found() -> None:
    routes = Routes([Route(name="r", tool="wipe", approvers=("telegram:1",))])

    assert len(found(made("wipe", mutating=True), rule="mutating-open")) == 1
    assert found(made("wipe", mutating=True, scopes=("a",)), rule="mutating-open") == []
    assert found(made("wipe", mutating=True), rule="mutating-open", routes=routes) == []


def test_an_approval_without_its_route_is_an_error_unless_another_route_always_holds() -> None:
    subject = made("wipe", approval="money")

    def unrouted(**route: Any) -> list[Finding]:
        routes = Routes([Route(approvers=("telegram:1",), **route)])
        return found(subject, rule="approval-unrouted", routes=routes)

    assert [one.severity for one in unrouted(name="other", tool="x")] == [Severity.ERROR]
    assert len(unrouted(name="other", tool="wipe", when="amount > 1")) == 1
    assert unrouted(name="other", tool="wipe") == unrouted(name="money", tool="x") == []


async def later() -> None: ...


@pytest.mark.parametrize(
    ("timeout", "callback", "rules"),
    [
        (300, len, ["timeout-sync"]),
        (300, later, []),
        (60, len, []),
        (0, later, ["timeout-none"]),
    ],
)
def test_a_long_time_that_nothing_can_end_is_found(
    timeout: float, callback: Callable[..., object], rules: list[str]
) -> None:
    judged = findings([made(timeout=timeout, callback=callback)], Yardstick())

    assert [one.rule for one in judged] == rules


def test_a_clamp_of_no_argument_is_found() -> None:
    [one] = found(made(clamps={"amuont": {"max": 5}}), rule="clamp-useless")

    assert one.pointer == "/clamps/amuont"


@pytest.mark.parametrize(
    ("shape", "bounds", "useless"),
    [
        ({"type": "string"}, {"max": 5}, True),
        ({"type": "integer"}, {"maxLength": 5}, True),
        ({"type": "string"}, {"maxLength": 5}, False),
        ({"type": ["integer", "null"]}, {"min": 5}, False),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, {"min": 5}, False),
        ({"anyOf": [{"type": "string"}, {}]}, {"min": 5}, False),
        ({}, {"min": 5}, False),
    ],
)
def test_a_clamp_that_can_bring_nothing_in_is_found(
    shape: dict[str, Any], bounds: dict[str, float], useless: bool
) -> None:
    subject = made(schema=holding(**shape), clamps={"x": bounds})

    assert bool(found(subject, rule="clamp-useless")) is useless
