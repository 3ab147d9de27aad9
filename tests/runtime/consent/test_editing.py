"""Editing: what an approver wrote is read strictly, and takes the place of what was asked."""

from dataclasses import replace
from typing import Any

import pytest

from comal_runtime.call import Registered
from comal_runtime.consent.editing import Flaw, Flawed, changes_between, read_edit, succeed
from comal_runtime.consent.question import call_question
from comal_runtime.consent.route import Route
from comal_runtime.consent.seal import is_intact
from comal_runtime.consent.terms import Terms
from comal_runtime.context import CallKey, ToolContext
from comal_runtime.record import Question
from comal_runtime.schema import CompiledSchema
from comal_runtime.tools import Tool

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "amount": {"$ref": "#/$defs/money"},
        "rate": {"type": "number"},
        "note": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "api_key": {"type": "string"},
        "free": {},
    },
    "$defs": {"money": {"type": "integer", "maximum": 1000}},
}
ARGS = {"amount": 120, "rate": 1.0, "note": "x", "tags": [], "api_key": "k", "free": 1}
TOOL = Tool(name="pay", description="Pay.", input_schema=SCHEMA, callback=lambda: None)
PAY = Registered(TOOL, CompiledSchema(SCHEMA))
CTX = ToolContext(principal="a:1", channel="telegram", call_key=CallKey(turn="t", step=1, index=0))


def question(args: dict[str, Any] | None = None, **editable: Any) -> Question:
    terms = editable or {name: {} for name in ARGS}
    route = Route(name="money", tool="pay", approvers=("b:1",), editable=terms)
    given = ARGS if args is None else args
    return call_question(TOOL, given, CTX, route=route, now=0.0, ttl=60)[0]


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("amount = 50", {"amount": 50}),
        ("amount=50\n\n  rate =  0.5  ", {"amount": 50, "rate": 0.5}),
        ("note = 50", {"note": "50"}),
        ('note = "50"', {"note": "50"}),
        ("note = true", {"note": "true"}),
        ("note = null", {"note": None}),
        ("note = a = b", {"note": "a = b"}),
        ("note =", {"note": ""}),
        ('tags = ["a", "b"]', {"tags": ["a", "b"]}),
        ("free = 2", {"free": 2}),
        ("free = two", {"free": "two"}),
    ],
)
def test_a_value_is_json_or_where_only_that_fits_bare_text(
    words: str, read: dict[str, Any]
) -> None:
    assert read_edit(words, question(), PAY) == read


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        ("", Flaw.SAME),
        ("amount", Flaw.NO_LINE),
        ("= 5", Flaw.NO_LINE),
        ("yes", Flaw.NO_LINE),
        ("amount = 1\namount = 1", Flaw.TWICE),
        ("other = 1", Flaw.FIXED),
        ("amount = 1001", Flaw.REFUSED),
        ("amount = 1.5", Flaw.REFUSED),
        ("amount = true", Flaw.REFUSED),
        ("amount = NaN", Flaw.REFUSED),
        ("rate = Infinity", Flaw.REFUSED),
        ("amount = " + "9" * 5000, Flaw.REFUSED),
        ("amount = " + "[" * 5000, Flaw.REFUSED),
        ("tags = a", Flaw.REFUSED),
        ("api_key = other", Flaw.FIXED),
        ("amount = 120", Flaw.SAME),
    ],
)
def test_what_cannot_be_used_says_what_is_wrong_with_it(words: str, flaw: Flaw) -> None:
    found = read_edit(words, question(), PAY)

    assert isinstance(found, Flawed)
    assert found.flaw is flaw


def test_a_route_may_allow_less_than_the_tool_takes() -> None:
    asked = question(amount={"maximum": 100}, note={"enum": ["a", "b"]})

    assert read_edit("amount = 100\nnote = b", asked, PAY) == {"amount": 100, "note": "b"}
    assert read_edit("amount = 101", asked, PAY) != {"amount": 101}
    assert isinstance(read_edit("note = c", asked, PAY), Flawed)
    assert isinstance(read_edit("rate = 1", asked, PAY), Flawed)


def test_one_and_one_point_nought_are_two_values() -> None:
    assert read_edit("rate = 1", question(), PAY) == {"rate": 1}
    assert isinstance(read_edit("rate = 1.0", question(), PAY), Flawed)


def test_changes_name_what_differs_and_nothing_else() -> None:
    old, new = question({"a": 1, "b": 2, "c": 3}), question({"a": 1, "b": 2.0, "d": None})

    assert changes_between(old, new) == (("b", 2, 2.0), ("c", 3, None), ("d", None, None))


def test_a_successor_is_sealed_stands_for_the_same_call_and_asks_the_requester_at_the_end() -> None:
    asked = replace(question(), origin="model", request_id="r9", idempotency_key="deed")
    fresh = succeed(asked, question({**ARGS, "amount": 50}))

    assert is_intact(fresh)
    assert fresh.id != asked.id
    kept = (fresh.call_key, fresh.idempotency_key, fresh.origin, fresh.request_id)
    assert kept == (asked.call_key, "deed", "model", "r9")
    assert fresh.supersedes == asked.id
    terms = Terms.read(fresh.route)
    assert terms.requester_agrees
    assert terms.stages[-1][0].approvers == ("requester",)
