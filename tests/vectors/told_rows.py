"""Builds rows as the files hold them, for ids that no file holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.vectors.rows import Row

TELEGRAM: Final = {"channel": "telegram", "principal": "42", "scopes": ["read", "write"]}
WEB: Final = {"channel": "web", "principal": "42"}
MCP: Final = {"channel": "mcp", "principal": "agent:1", "scopes": ["*"]}

MUTATING: Final = {"mutating": True}
REDEEM: Final = {"confirm_token": "$TOKEN1"}

REQUEST: Final = "request_verification"
RESOLVE: Final = "resolve_verification"

UNUSABLE: Final = "Invalid or expired confirmation token"

Output = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One step: a call, and what was recorded of it."""

    output: Output
    tool: str = "a"
    args: Mapping[str, Any] = field(default_factory=dict)
    ctx: Mapping[str, Any] = field(default_factory=lambda: WEB)
    at: int = 0


def row(given: dict[str, Any], output: Any) -> Row:
    """Make a row under names that no file has."""
    return Row(file="unheard-of", id="other", input=given, output=output)


def calls(
    *steps: Told,
    does: str = 'returns {"ok":true}',
    options: Mapping[str, Any] | None = None,
    schema: Mapping[str, Any] | None = None,
    wiring: Mapping[str, Any] | None = None,
) -> Row:
    """Make a row of calls of one tool, `a`."""
    tool = {"schema": dict(schema or {}), "options": dict(options or {}), "does": does}
    given = {"tools": {"a": tool}, "wiring": dict(wiring or {}), "steps": _steps(steps)}
    return row(given, {"steps": [step.output for step in steps]})


def flow(*steps: Told, wiring: Mapping[str, Any] | None = None) -> Row:
    """Make a row of the verification tools."""
    wired = dict(wiring or {"dispatcher": "on the verifier"})
    given = {"op": "flow", "wiring": wired, "steps": _steps(steps)}
    return row(given, {"steps": [step.output for step in steps]})


def use(output: Output, *, ctx: Mapping[str, Any], tool: Mapping[str, Any], **more: Any) -> Row:
    """Make a row of the gate, about a tool `do_it`."""
    said = {"name": "do_it", "scopes": [], "mutating": False, "requiresConfirmation": False}
    scopes = ctx.get("scopes", [])
    return row({**ctx, "scopes": scopes, "tool": {**said, **tool}, **more}, output)


def allowed(*, asks: bool = False, **more: Any) -> Output:
    """Tell of a verdict that lets the call through."""
    return {"allowed": True, "reason": None, "requiresConfirmation": asks, **more}


def ran(args: Mapping[str, Any] | None = None, data: Any = None, **more: Any) -> Output:
    """Tell of a call that ran; with `args` None it was answered for."""
    received = [] if args is None else [{**args, "_ctx": "<ToolContext>"}]
    return {
        "success": True,
        "message": None,
        "error": None,
        "data": {"ok": True} if data is None else data,
        "meta": {},
        "callback_received": received,
        **more,
    }


def failed(
    code: str | None, error: str, args: Mapping[str, Any] | None = None, **meta: Any
) -> Output:
    """Tell of a call that failed, after it ran if `args` are given."""
    said = {"type": "error", **({"code": code} if code else {}), **meta}
    answer = ran(args)
    return {**answer, "success": False, "data": None, "error": error, "meta": said}


def asked(expires_at: str = "2023-11-14T22:14:20+00:00") -> Output:
    """Tell of a call that asked."""
    data = {"requires_confirmation": True, "confirm_token": "<TOKEN1>", "expires_at": expires_at}
    meta = {"type": "confirmation", "requires_confirmation": True}
    return {**ran(), "callback_received": [], "message": "a()", "data": data, "meta": meta}


def requested(subject: str, policy: str = "single") -> Output:
    """Tell of a verification that was asked for."""
    request: Output = {"subject": subject, "policy": policy}
    return {
        "success": True,
        "data": {**request, "request_id": "<REQ1>"},
        "meta": {"type": "confirmation", "requires_confirmation": True},
        "events": [{"event": "verification.requested", "request": request}],
    }


def resolved(status: str, principal: str) -> Output:
    """Tell of a verification that was granted or rejected."""
    reason = "rejected" if status == "failed" else None
    result: Output = {"status": status, "principal": principal, "verifier": "human_verifier"}
    result |= {"reason": reason, "metadata": []}
    name = "verification.granted" if status == "passed" else "verification.rejected"
    events = [{"event": name, "request": {"subject": None}, "result": result}]
    return {"success": True, "data": result, "meta": {}, "events": events}


def event(name: str, args: Mapping[str, Any], **more: Any) -> Output:
    """Tell of an event about tool `a`."""
    return {"event": name, "name": "a", "args": dict(args), "principal": "42", **more}


def ask(**more: Any) -> Told:
    """Tell of a call on telegram that asked."""
    return Told(args={"id": 1}, ctx=TELEGRAM, output=asked(**more))


def redeem(output: dict[str, Any], *, ctx: Any = TELEGRAM, args: Any = REDEEM, at: int = 0) -> Told:
    """Tell of a step that carries the first one's token, unless `args` say other."""
    return Told(args=args, ctx=ctx, output=output, at=at)


def listening(does: str, name: str = "tool.executing") -> dict[str, Any]:
    """Wire one listener."""
    return {"dispatcher": True, "listeners": [{"event": name, "priority": 0, "does": does}]}


def grant(principal: str, **more: Any) -> Told:
    """Tell of a yes to the first step's request."""
    args = {"request_id": "$REQ1", "decision": "grant", "principal": principal, **more}
    return Told(tool=RESOLVE, args=args, ctx=MCP, output=resolved("passed", principal))


def request(policy: str = "single") -> Told:
    """Tell of a request by the agent."""
    args = {"subject": "x", "policy": policy}
    return Told(tool=REQUEST, args=args, ctx=MCP, output=requested("x", policy))


def _steps(steps: tuple[Told, ...]) -> list[dict[str, Any]]:
    return [
        {
            "call": step.tool,
            "args": dict(step.args),
            "ctx": {**step.ctx, "request_id": f"req-{place}"},
            "at_s": step.at,
        }
        for place, step in enumerate(steps, 1)
    ]
