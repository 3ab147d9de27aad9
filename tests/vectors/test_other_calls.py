"""Calls that no file holds, and that the original gets wrong."""

import pytest

from tests.vectors.running import Verdict, run_row
from tests.vectors.told_rows import (
    MCP,
    MUTATING,
    REQUEST,
    RESOLVE,
    TELEGRAM,
    UNUSABLE,
    WEB,
    Told,
    allowed,
    ask,
    asked,
    calls,
    event,
    failed,
    flow,
    grant,
    listening,
    ran,
    redeem,
    request,
    resolved,
    row,
    use,
)

SOMEBODY_ELSE = {**TELEGRAM, "principal": "99"}
NOBODY = {"channel": "cli", "principal": None}
LIMITED = {"rateLimiter": "InMemoryRateLimiter"}
BLANK = {"success": False, "error": "VALIDATION_ERROR", "data": {}, "meta": {"type": "error"}}


NULL = {"id": 1, "confirm_token": None}
CALLED = event("tool.executing", {})
DONE = event("tool.executed", {"_ctx": "<ToolContext>"}, success=True, cacheServed=False)
ESCAPED = {"EXCEPTION_ESCAPED": {"class": "TypeError", "message": "array given"}}
DENY = {"id": 8, "effect": "deny", "requiresScopes": ["admin"]}
LACKING = "Policy rule #8 for tool 'do_it' requires one of these scopes: admin"

CALLS = {
    "RC:confirm-other-principal": calls(
        ask(),
        redeem(ran({"id": 1}), ctx=SOMEBODY_ELSE),
        redeem(failed("VALIDATION_ERROR", UNUSABLE)),
        options=MUTATING,
    ),
    "RC:confirm-redeem-only-token": calls(ask(), redeem(ran({"id": 1})), options=MUTATING),
    "RC:confirm-array-token": calls(
        redeem(ESCAPED, args={"confirm_token": ["x"]}), options=MUTATING
    ),
    "RC:confirm-null-token": calls(
        Told(args=NULL, ctx=TELEGRAM, output=asked()), redeem(ran(NULL)), options=MUTATING
    ),
    "RC:confirm-unknown-token": calls(
        redeem(failed("VALIDATION_ERROR", UNUSABLE), args={"confirm_token": "deadbeef"}),
        options=MUTATING,
    ),
    "RC:confirm-reuse": calls(
        ask(),
        redeem(ran({"id": 1})),
        redeem(failed("VALIDATION_ERROR", UNUSABLE)),
        options=MUTATING,
    ),
    "RC:rate-limit-confirm-costs-twice": calls(
        ask(), redeem(ran({"id": 1})), options=MUTATING, wiring=LIMITED
    ),
    "RC:confirm-ttl-zero": calls(
        ask(expires_at="2023-11-14T22:13:20+00:00"),
        redeem(ran({"id": 1})),
        options=MUTATING,
        wiring={"confirm_ttl": 0},
    ),
    "RC:confirm-first-call": calls(ask(), options=MUTATING),
    "RC:not-found-anonymous-mcp": calls(
        Told(
            tool="wipe",
            ctx={"channel": "mcp", "principal": None},
            output=failed("TOOL_NOT_FOUND", "Tool not found: wipe"),
        )
    ),
    "RC:rate-limit-plan-consumes": calls(
        *[
            Told(ctx={**TELEGRAM, "mode": "plan"}, output={"success": True, "code": None})
            for _ in range(20)
        ],
        Told(ctx=TELEGRAM, output=failed("RATE_LIMITED", "Rate limit exceeded")),
        options=MUTATING,
        wiring=LIMITED,
    ),
    "RC:rate-limit-custom-denied": calls(
        Told(output=failed("RATE_LIMITED", "slow down", retry_after_seconds=7)),
        wiring={"rateLimiter": 'denies with reason "slow down" and retry 7'},
    ),
    "RC:rate-limit-key-anonymous": calls(Told(ctx=NOBODY, output=ran({})), wiring=LIMITED),
    "RC:listener-throws-fail-open": calls(
        Told(output=ran({}, events=[CALLED, DONE])),
        wiring=listening('throws RuntimeException("boom")'),
    ),
    "RC:dispatcher-throws-executed": calls(
        Told(output=failed("INTERNAL_ERROR", "dispatcher down on tool.executed", {})),
        wiring={"dispatcher": "custom dispatcher whose dispatch() throws on tool.executed"},
    ),
    "RC:dispatcher-noop-no-audit": calls(
        Told(output=ran({})), wiring={"dispatcher": "custom dispatcher that does nothing"}
    ),
    "RC:ctx-spoof": calls(
        Told(args={"_ctx": "spoofed", "x": 1}, output=ran({"x": 1})),
    ),
    "RC:success-string-output-size": calls(Told(output=ran({}, "héllo")), does='returns "héllo"'),
    "RC:toolresult-error-code-meta": calls(
        Told(output=failed("E_X", "nope", {})),
        does='returns ToolResult.error("nope",null,{"code":"E_X"})',
    ),
    "RC:audit-empty-args": calls(Told(output=ran({}))),
    "PG:confirm-telegram-mut-anonymous": use(
        allowed(asks=True), ctx={"channel": "telegram", "principal": None}, tool=MUTATING
    ),
    "PG:custom-empty-anon-mut": use(
        allowed(), ctx={"channel": "c", "principal": None}, tool=MUTATING, policies={"c": {}}
    ),
    "PG:unknown-channel-mutating": use(
        allowed(), ctx={"channel": "sms", "principal": "42"}, tool=MUTATING
    ),
    "PG:ctx-unknown-mode": row({"op": 'ToolContext(mode="Plan")'}, {"mode": "Plan"}),
    "PG:rule-deny-beats-allow_all": use(
        {"allowed": False, "reason": "Denied by policy rule #8", "requiresConfirmation": False},
        ctx={"channel": "cli", "principal": "42"},
        tool={},
        rule={"id": 8, "effect": "deny"},
    ),
    "PG:rule-allow-beats-block_mutating": use(
        allowed(),
        ctx={"channel": "kiosk", "principal": "42"},
        tool=MUTATING,
        policies={"kiosk": {"block_mutating": True}},
        rule={"id": 8, "effect": "allow"},
    ),
    "PG:rule-deny-scopes-web": use(
        {"allowed": False, "reason": LACKING, "requiresConfirmation": False},
        ctx=WEB,
        tool={},
        rule=DENY,
    ),
    "PG:rule-deny-scopes-held": use(
        {"allowed": False, "reason": "Denied by policy rule #8", "requiresConfirmation": False},
        ctx={**WEB, "scopes": ["admin"]},
        tool={},
        rule=DENY,
    ),
    "VF:resolve-grant-then-reject": flow(
        request(),
        grant("u"),
        Told(
            tool=RESOLVE,
            args={"request_id": "$REQ1", "decision": "reject", "principal": "v"},
            ctx=MCP,
            output=resolved("failed", "v"),
        ),
    ),
    "VF:resolve-dual-one-vote": flow(request("dual"), grant("u")),
    "VF:resolve-quorum-one-vote": flow(request("quorum"), grant("u")),
    "VF:request-empty-subject": flow(
        Told(tool=REQUEST, args={"subject": ""}, ctx=MCP, output=BLANK)
    ),
    "VF:resolve-blank-principal": flow(
        Told(
            tool=RESOLVE,
            args={"request_id": "r", "decision": "grant", "principal": " "},
            ctx=MCP,
            output=BLANK,
        )
    ),
}


LOOSE = {"clamps": {"flag": {"min": 5}, "text": {"maxLength": 3}, "words": {"min": 5}}}
GIVEN = {"flag": True, "text": "abcdef", "words": ["w"]}

UNNAMED_CALLS = {
    "what is no number is clamped": calls(
        Told(args=GIVEN, output=ran({"flag": 5, "text": "abc", "words": 5})), options=LOOSE
    ),
    "bounds are inverted": calls(
        Told(args={"n": 3}, output=ran({"n": 5})), options={"clamps": {"n": {"min": 5, "max": 1}}}
    ),
    "a listener answers for an act": calls(
        Told(output=ran(data={"cached": 1})),
        options=MUTATING,
        wiring=listening('slot.shortCircuit({"cached":1})'),
    ),
    "an act takes too long": calls(
        Told(output=ran({}, {"done": True})),
        does='takes 2 s, returns {"done":true}',
        options={**MUTATING, "timeout": 1},
    ),
    "an act raises": calls(
        Told(output=failed("INTERNAL_ERROR", "boom", {})),
        does='throws Error("boom")',
        options=MUTATING,
    ),
    "nested fields are missing": calls(
        Told(args={"o": {}}, output=ran({"o": {}})),
        schema={"properties": {"o": {"type": "object", "required": ["n"]}}},
    ),
    "a mode is misspelt": calls(Told(ctx={**WEB, "mode": "dry-run"}, output=ran({}))),
    "a policy is misspelt": calls(
        Told(output=ran({})), wiring={"policies": {"web": {"requires_auth": True}}}
    ),
    "one person votes twice where two must": flow(
        request("dual"), grant("u"), grant("u"), grant("v")
    ),
}


@pytest.mark.runtime_line(14, 15, 19, 21, 31, 32, 33, 46)
@pytest.mark.parametrize("name", UNNAMED_CALLS)
async def test_the_law_decides_of_calls_that_no_list_names(name: str) -> None:
    outcome = await run_row(UNNAMED_CALLS[name], None)

    assert (outcome.verdict, outcome.why) == (Verdict.PASSED, "")


@pytest.mark.runtime_line(8, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 31, 34, 36, 44, 45, 46)
@pytest.mark.original_fault(*CALLS)
@pytest.mark.parametrize("name", CALLS)
async def test_a_call_that_the_original_gets_wrong_is_right_whatever_its_id(name: str) -> None:
    outcome = await run_row(CALLS[name], None)

    assert (outcome.verdict, outcome.why) == (Verdict.PASSED, "")
