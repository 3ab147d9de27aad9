"""Rows of calls that say what is not so: each fails."""

import pytest

from tests.vectors.running import Verdict, run_row
from tests.vectors.told_rows import (
    MCP,
    MUTATING,
    REQUEST,
    RESOLVE,
    TELEGRAM,
    WEB,
    Told,
    allowed,
    ask,
    calls,
    event,
    failed,
    flow,
    ran,
    redeem,
    request,
    requested,
    resolved,
    row,
    use,
)

CALLED = event("tool.executing", {})
STRICT = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}

WRONG_CALLS = {
    "it ran, but is said to have failed": calls(Told(output=failed("INTERNAL_ERROR", "boom"))),
    "it failed, but is said to have run": calls(Told(output=ran({})), schema=STRICT),
    "another code": calls(Told(tool="b", output=failed("FORBIDDEN", "Tool not found: b"))),
    "another error": calls(
        Told(output=failed("VALIDATION_ERROR", "Missing required field: m")), schema=STRICT
    ),
    "other arguments": calls(Told(args={"x": 1}, output=ran({"x": 2}))),
    "other data": calls(Told(output=ran({}, {"ok": False}))),
    "it ran, but with a code": calls(Told(output=ran({}, code="FORBIDDEN"))),
    "it ran, but with an error": calls(Told(output=ran({}, error="no"))),
    "it is said to ask": calls(Told(output=ran({}, **{"requiresConfirmation()": True}))),
    "it is said to be blocked": calls(Told(output=ran({}, **{"isBlocked()": True}))),
    "another caller signed": calls(
        Told(output=ran({}, meta={"tool": "a", "principal": "43", "channel": "web"}))
    ),
    "a refusal that no law gives": calls(
        ask(), redeem(failed("TIMEOUT", "x"), ctx={**TELEGRAM, "principal": "43"}), options=MUTATING
    ),
    "another event": calls(Told(output=ran({}, events=[CALLED])), wiring={"dispatcher": True}),
    "it asks later": calls(ask(expires_at="2023-11-14T23:14:20+00:00"), options=MUTATING),
    "it is allowed, but said not to be": use(
        {"allowed": False, "reason": "no", "requiresConfirmation": False}, ctx=WEB, tool={}
    ),
    "another reason": use(
        {
            "allowed": False,
            "reason": "Missing required scope for tool 'do_it'.",
            "requiresConfirmation": False,
        },
        ctx=WEB,
        tool={"scopes": ["a"]},
    ),
    "the rules are said not to be asked": use(allowed(rule_lookup=[]), ctx=WEB, tool={}, rule=None),
    "no scope is said to be one": row(
        {"op": "hasScope/hasAnyScope/hasAllScopes on scopes [a]"}, {"any []": True}
    ),
    "a built-in policy that is not": row(
        {"op": "PolicyGate().channelPolicy(c)", "channels": ["web"]},
        {"policies": {"web": {"require_auth": False}}},
    ),
    "another context": row(
        {"op": 'ToolContext.web("u",["a"])'}, {"ctx": {"principal": "v", "scopes": ["a"]}}
    ),
    "another subject": flow(
        Told(tool=REQUEST, args={"subject": "x"}, ctx=MCP, output=requested("y"))
    ),
    "another request's id": flow(
        Told(
            tool=REQUEST,
            args={"subject": "x", "request_id": "r1"},
            ctx=MCP,
            output={**requested("x"), "data": {"request_id": "r2"}},
        )
    ),
    "an event after a refusal": flow(
        Told(
            tool=REQUEST,
            ctx=MCP,
            output={
                **failed("VALIDATION_ERROR", "Missing required field: subject"),
                "events": requested("x")["events"],
            },
        )
    ),
    "another principal": flow(
        request(),
        Told(
            tool=RESOLVE,
            args={"request_id": "$REQ1", "decision": "grant", "principal": "u"},
            ctx=MCP,
            output=resolved("passed", "v"),
        ),
    ),
    "more approvals": row({"op": "ApprovalPolicy", "value": "dual"}, {"requiredApprovals": 3}),
    "another result": row(
        {"op": 'VerificationRequest("s")'},
        {"subject": "t", "policy": "single", "requestedBy": None},
    ),
}


@pytest.mark.parametrize("name", WRONG_CALLS)
async def test_a_call_that_is_told_as_it_is_not_fails(name: str) -> None:
    outcome = await run_row(WRONG_CALLS[name], None)

    assert outcome.verdict is Verdict.FAILED
