"""Rows that no file holds: what the original gets wrong, and rows that say what is not so."""

from typing import Any

import pytest

from tests.vectors.rows import Row
from tests.vectors.running import Verdict, run_row

VALID = {"valid": True, "errors": [], "message": ""}


def validated(schema: dict[str, Any], value: Any, output: Any = VALID) -> Row:
    given = {"op": "validate", "args": {"x": value}, "schema": {"properties": {"x": schema}}}
    return Row(file="unheard-of", id="other", input=given, output=output)


def clamped(value: Any, bounds: dict[str, Any], after: Any) -> Row:
    given = {"op": "clamps", "args": {"x": value}, "clamps": {"x": bounds}}
    return Row(file="unheard-of", id="other", input=given, output={"args": {"x": after}})


def called(signature: str, args: dict[str, Any], output: dict[str, Any]) -> Row:
    given = {"op": "call", "signature": signature, "args": args}
    answer = {"success": False, "data": None, "error": None, "code": None, **output}
    return Row(file="unheard-of", id="other", input=given, output=answer)


def scanned(signature: str, properties: dict[str, Any], **schema: Any) -> Row:
    options = {"scopes": [], "mutating": False, "requiresConfirmation": False, "timeout": 30}
    output = {
        "name": "other",
        "description": "d",
        "schema": {"type": "object", "properties": properties, **schema},
        "options": {**options, "clamps": {}, "version": None, "outputSchema": None},
    }
    return of_op("scan", output, signature=signature)


def of_op(op: str, output: Any, **given: Any) -> Row:
    return Row(file="unheard-of", id="other", input={"op": op, **given}, output=output)


def rendered(data: Any, output: dict[str, Any]) -> Row:
    result = {"success": True, "data": data, "message": None, "error": None, "meta": {}}
    given = {"renderer": "cli", "result": result}
    return Row(file="unheard-of", id="other", input=given, output=output)


NAMED = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 18}}}

WRONG_IN_THE_ORIGINAL = {
    "SV:pattern-ignored": validated({"pattern": "^a"}, "b"),
    "SV:format-ignored": validated({"type": "string", "format": "date"}, "soon"),
    "SV:multipleof-ignored": validated({"multipleOf": 5}, 7),
    "SV:exclmin-ignored": validated({"exclusiveMinimum": 5}, 5),
    "SV:addl-schema-ignored": validated({"additionalProperties": {"type": "string"}}, {"a": 1}),
    "SV:nested-range": validated(NAMED, {"n": 3}),
    "SV:nested-enum-on-object": validated({"properties": {"n": {"enum": [1]}}}, {"n": 2}),
    "SV:type-union-list-bad": validated({"type": ["string", "null"]}, 5),
    "SV:schema-prop-boolean": of_op(
        "validate",
        {"exception": {"class": "TypeError", "message": "bool given"}},
        args={"x": 1},
        schema={"properties": {"x": True}},
    ),
    "SV:range-numstr-string-type": validated(
        {"type": "string", "maximum": 100},
        "150",
        {"valid": False, "errors": ["x: Value too large (max: 100)"], "message": ""},
    ),
    "SV:type-string-float": validated(
        {"type": "string"},
        1.5,
        {"valid": False, "errors": ["x: Expected string, got double"], "message": ""},
    ),
    "SV:type-array-object": validated(
        {"type": "array"},
        {"a": 1},
        {"valid": False, "errors": ["x: Expected array, got array"], "message": ""},
    ),
    "SV:type-array-empty_object": validated({"type": "array"}, {}),
    "SV:type-number-numstr_int": validated({"type": "number"}, "42"),
    "SV:enum-array-member-bad": validated(
        {"enum": [[1], [2]]},
        [3],
        {"valid": False, "errors": ["x: Value must be one of: Array, Array"], "message": ""},
    ),
    "SV:clamp-str-above": clamped("999", {"min": 1, "max": 100}, 100),
    "TS:invoke-enum-string": called(
        "(Color $c) [string-backed enum red|blue]", {"c": "red"}, {"code": "INTERNAL_ERROR"}
    ),
    "TS:invoke-variadic-omitted": called(
        "(int ...$ids)", {}, {"error": "Missing required field: ids", "code": "VALIDATION_ERROR"}
    ),
    "TS:invoke-object-nested-missing": called(
        '(array $u, Param(type="object", properties={"t":{"type":"string"}},'
        ' requiredProperties=["t"]))',
        {"u": {"z": 1}},
        {"success": True, "data": {"received": [{"z": 1}]}},
    ),
    "TS:schema-p_ctx_magic_required": scanned(
        "(string $q, ToolContext $_ctx)",
        {"q": {"type": "string"}, "_ctx": {"type": "string"}},
        required=["q", "_ctx"],
    ),
    "RL:fixed-window-burst": of_op(
        "sequence on one limiter; consume(key, cost=1, windowSeconds=60, maxTokens=100)",
        {"results": [{"allowed": True}, {"allowed": True}, {"allowed": True}]},
        ops=[
            {"at_s": 0, "op": "consume", "args": ["k", 1, 60, 5]},
            {"at_s": 59, "op": "consume", "args": ["k", 4, 60, 5]},
            {"at_s": 60, "op": "consume", "args": ["k", 5, 60, 5]},
        ],
    ),
    "TS:schema-o_category": scanned('Tool(category="notes") ()', {}),
    "TR:paginated-limit-0": of_op(
        "paginated([], page=1, total=5, limit=0)",
        {"exception": {"class": "DivisionByZeroError", "message": "Division by zero"}},
    ),
    "EV:same-handler-exact-and-wild": Row(
        file="unheard-of",
        id="other",
        input={
            "subscribers": [
                {"id": "h", "pattern": "a.b", "priority": 0},
                {"id": "h", "pattern": "a.*", "priority": 0},
            ],
            "dispatch": "a.b",
            "slot": False,
        },
        output={"called": ["h", "h"], "hasSubscribers": True},
    ),
    "TE:tool-invalid-utf8": of_op(
        "estimateToolTokens", {"tokens": 0}, tool="a tool whose description is the byte 0xFF"
    ),
    "TE:model-o1": of_op(
        "getModelLimit/getToolBudget", {"limit": 8192, "tool_budget": 2457}, model="o1-2024-12-17"
    ),
    "RR:default-object-value": rendered(
        {"o": {}}, {"exception": {"class": "Error", "message": "o"}}
    ),
    "RR:cli-confirmation-runtime": rendered(
        {"confirm_token": "00ff", "action_summary": "m(id=1)"}, {"rendered": "Confirm token: 00ff"}
    ),
}


@pytest.mark.runtime_line(2, 5, 6, 7, 14, 15, 40, 54, 55, 58)
@pytest.mark.original_fault(*WRONG_IN_THE_ORIGINAL)
@pytest.mark.parametrize("name", WRONG_IN_THE_ORIGINAL)
async def test_what_the_original_gets_wrong_is_right_whatever_the_row_is_called(name: str) -> None:
    outcome = await run_row(WRONG_IN_THE_ORIGINAL[name], None)

    assert (outcome.verdict, outcome.why) == (Verdict.PASSED, "")


def _rejected(error: str) -> dict[str, Any]:
    return {"valid": False, "errors": [f"x: {error}"], "message": ""}


WRONG_ROWS = {
    "valid, but said not to be": validated({"type": "string"}, "a", _rejected("Expected string")),
    "not valid, but said to be": validated({"type": "string"}, 5),
    "another error": validated({"type": "string"}, 5, _rejected("String too long (max: 3)")),
    "another bound": validated({"maxLength": 3}, "abcd", _rejected("String too long (max: 4)")),
    "nested and fine, said not to be": validated(NAMED, {"n": 20}, _rejected("Expected object")),
    "another clamp": clamped(500, {"max": 100}, 99),
    "another argument": called("(int $x)", {"x": 5}, {"success": True, "data": {"received": [6]}}),
    "another page": of_op(
        "paginated([], page=1, total=25, limit=10)",
        {"result": {"success": True, "data": [], "message": None, "error": None, "meta": {}}},
    ),
    "another answer": of_op("asksForConfirmation", {"result": True}, payload={}),
    "another cost": of_op("estimateTokens", {"tokens": 2}, text="abcd"),
    "another schema": scanned("(string $q)", {"q": {"type": "integer"}}, required=["q"]),
    "nothing required": scanned("(string $q)", {"q": {"type": "string"}}),
    "another renderer": Row(
        file="unheard-of",
        id="other",
        input={"renderers": ["a:telegram", "b:telegram"], "channel": "telegram"},
        output={"rendered": "b"},
    ),
    "another order": Row(
        file="unheard-of",
        id="other",
        input={
            "subscribers": [
                {"id": "first", "pattern": "e", "priority": 0},
                {"id": "second", "pattern": "e", "priority": 0},
            ],
            "dispatch": "e",
        },
        output={"called": ["first"], "hasSubscribers": True},
    ),
    "let through without a budget": of_op(
        "sequence on one limiter; consume(key, cost=1, windowSeconds=60, maxTokens=100)",
        {"results": [{"allowed": True}]},
        ops=[{"at_s": 0, "op": "consume", "args": ["k", 1, 60, 0]}],
    ),
    "another summary of errors": validated(
        {"type": "string"}, 5, _rejected("Expected string, got integer") | {"message": "x: no"}
    ),
    "a text that no law clamps so": clamped("500", {"max": 100}, 99),
    "it worked, but with an error": called(
        "(int $x)", {"x": 5}, {"success": True, "data": {"received": [5]}, "error": "no"}
    ),
    "a tool's cost by no law": of_op(
        "estimateToolTokens",
        {"tokens": 5},
        tool={"name": "a", "description": "", "inputSchema": {"type": "object"}},
    ),
    "left out, though it fits": of_op(
        "ToolRegistry.getToolsWithinBudget(gpt-4)",
        {"tools": [], "excluded": ["a"], "tokens_used": 0, "budget": 2457},
        tools=[{"name": "a", "description": "", "inputSchema": {"type": "object"}}],
    ),
    "another window": of_op("getModelLimit/getToolBudget", {"limit": 1}, model="gpt-4"),
}


@pytest.mark.parametrize("name", WRONG_ROWS)
async def test_a_row_that_says_what_is_not_so_fails(name: str) -> None:
    outcome = await run_row(WRONG_ROWS[name], None)

    assert outcome.verdict is Verdict.FAILED
