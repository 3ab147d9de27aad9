"""The values of verification by themselves: requests, results, policies, and their verifier."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from comal_runtime import EventDispatcher, HumanVerifier, ToolContext
from comal_runtime.consent import Strangers
from comal_runtime.consent.policies import Policy
from comal_runtime.consent.question import subject_question
from comal_runtime.consent.tally import tally
from comal_runtime.consent.terms import Terms
from comal_runtime.consent.verification import (
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
    VerificationTool,
)
from comal_runtime.record import Vote, memory_record
from comal_runtime.testing import FakeClock
from tests.vectors.areas.area import Facets, Ruling, first_difference
from tests.vectors.areas.lines import decided, ruling
from tests.vectors.areas.recorded_calls import NOW
from tests.vectors.decisions import Decision
from tests.vectors.rows import Row

REFUSED: Final[Facets] = {"declared": "refused"}

_MADE: Final = re.compile(
    r"(?P<type>VerificationRequest|VerificationResult|ApprovalPolicy)"
    r"(?:(?:\.|::)(?P<name>\w+))?\((?P<args>.*)\)"
)
_CONTEXT: Final = re.compile(r"VerificationContext\(.*approvals=(\[[^\]]*\])")
_DIRECT: Final = "HumanVerifier"
_ORDER: Final = {
    "pass": ("verifier", "principal"),
    "fail": ("reason", "", "verifier", "", "principal"),
    "waived": ("reason", "principal"),
    "pending": ("verifier",),
}
"""The arguments of each constructor of a result, by place; those without a name are not kept."""

_REQUEST_ORDER: Final = ("subject", "policy", "payload", "requested_by", "id")

_OUTCOMES: Final = {
    "pass": VerificationOutcome.PASSED,
    "fail": VerificationOutcome.FAILED,
    "waived": VerificationOutcome.WAIVED,
    "pending": VerificationOutcome.PENDING,
}


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row makes a value of verification."""
    op = str(given.get("op", ""))
    known = _MADE.fullmatch(op) or _CONTEXT.match(op) or op.startswith(_DIRECT)
    return bool(known) or op == "ApprovalPolicy"


async def differs(row: Row, decision: Decision | None) -> str | None:
    """Make the value, and compare what both projects tell of it."""
    right, found = await _compared(str(row.input["op"]), row)
    return decided(decision, right, found, first_difference(right, found))


def recorded(row: Row) -> Facets:
    """Read the recorded value, as far as both tell it."""
    op, output = str(row.input["op"]), row.output
    if op.startswith(_DIRECT):
        return {name: said if name == "NAME" else _terms(said) for name, said in output.items()}
    if _CONTEXT.match(op):
        return {"approvalCount": output["approvalCount"]}
    if "exception" in output:
        return REFUSED
    if "toArray" in output:
        return _result_terms(output)
    return _request_terms(output) if "requestedBy" in output else dict(output)


def ruled(row: Row) -> Ruling | None:
    """Say what a verifier used directly gives by line 46: a blank principal is nobody."""
    if not str(row.input["op"]).startswith(_DIRECT):
        return None
    return ruling(recorded(row), _direct_right(row), "46")


async def _compared(op: str, row: Row) -> tuple[Facets, Facets]:
    """Return what is wanted of a row and what was found, in the same terms."""
    if op.startswith(_DIRECT):
        return _direct_right(row), await _directly()
    if op == "ApprovalPolicy":
        return recorded(row), _policy(str(row.input["value"]))
    approvals = _CONTEXT.match(op)
    if approvals:
        return recorded(row), {"approvalCount": _counted(_names(approvals[1]))}
    made = _MADE.fullmatch(op)
    assert made is not None
    return recorded(row), await _made(made)


async def _made(made: re.Match[str]) -> Facets:
    name, args = made["name"], json.loads(f"[{made['args']}]")
    if made["type"] == "ApprovalPolicy":
        return {"value": args[0] if args[0] in list(Policy) else None}
    return await _request(name, args) if made["type"].endswith("Request") else _result(name, args)


def _request_terms(output: Mapping[str, Any]) -> Facets:
    """Return what both requests tell; an id is always there, since one is found by it."""
    names = {"subject": "subject", "policy": "policy", "requested_by": "requestedBy"}
    return {name: output[there] for name, there in names.items()}


async def _request(name: str | None, args: list[Any]) -> Facets:
    if name == "withGeneratedId":
        return await _generated(args[0])
    given = dict(zip(_REQUEST_ORDER, args, strict=False))
    try:
        if name is None:
            made = VerificationRequest(
                request_id=given.get("id") or "r",
                subject=given["subject"],
                policy=Policy(given.get("policy", "single")),
                requested_by=given.get("requested_by"),
            )
        else:
            made = VerificationRequest.for_resolution(args[0])
    except ValueError:
        return REFUSED
    return _requested(made)


def _requested(request: VerificationRequest) -> Facets:
    return {
        "subject": request.subject,
        "policy": request.policy.value,
        "requested_by": request.requested_by,
    }


async def _generated(subject: str) -> Facets:
    """Ask for a verification without an id: one is made."""
    record, clock, heard = memory_record(), FakeClock(NOW), list[Any]()
    dispatcher = EventDispatcher()
    dispatcher.subscribe("verification.*", heard.append)
    tools = VerificationTool(HumanVerifier(record, clock, Strangers(), dispatcher), record)
    asked = await tools.handle_request(ToolContext.cli(), subject)
    assert asked.data["request_id"] == heard[0].get_request_id() != ""
    return _requested(heard[0].get_request())


def _result_terms(output: Mapping[str, Any]) -> Facets:
    kept = {name: output["toArray"][name] for name in ("status", "reason", "verifier", "principal")}
    return {**kept, **{name: output[name] for name in ("isSatisfied", "isPending", "isFinal")}}


def _result(name: str, args: list[Any]) -> dict[str, Any]:
    said = {field: args[at] for at, field in enumerate(_ORDER[name][: len(args)]) if field}
    result = VerificationResult(outcome=_OUTCOMES[name], **said)
    return {
        **_told(result),
        "isSatisfied": result.is_satisfied,
        "isPending": not result.is_final,
        "isFinal": result.is_final,
    }


def _told(result: VerificationResult) -> dict[str, Any]:
    return {
        "status": result.outcome.value,
        "reason": result.reason,
        "verifier": result.verifier,
        "principal": result.principal,
    }


def _policy(value: str) -> dict[str, Any]:
    policy = Policy(value)
    return {"requiredApprovals": policy.people(None), "isAutomatic": policy is Policy.AUTO}


def _names(text: str) -> list[str]:
    """Read a list of approvers, quoted or not."""
    return [name.strip().strip('"') for name in text.strip("[]").split(",") if name.strip()]


def _counted(approvers: list[str]) -> int:
    """Count yeses: distinct people do (line 46)."""
    route = Terms(policy=Policy.QUORUM, k=99).to_json()
    asked = subject_question(
        "r", "s", ToolContext.cli(principal="u"), route=route, now=NOW, ttl=60.0
    )
    votes = [
        Vote(question="r", person=who, identity=who, choice="yes", reason=None, at=NOW)
        for who in approvers
    ]
    return tally(asked, votes, Strangers()).yes


def _terms(said: Mapping[str, Any]) -> str:
    """Read a recorded result in a line; the reason of a yes stands in its metadata there."""
    reason = said["reason"] or (said.get("metadata") or {}).get("reason")
    by, why = said["principal"] or "nobody", reason or "no reason"
    return f"{said['status']} by {by} ({said['verifier']}): {why}"


def _direct_right(row: Row) -> Facets:
    """Return what a verifier used directly must give; a blank principal's yes counts for nobody."""
    told = recorded(row)
    blank = {name: told["verify"] for name in told if "empty_principal" in name}
    return {**told, **blank}


async def _directly() -> dict[str, Any]:
    """Ask for five verifications and use the verifier itself on each (line 47)."""
    record, clock = memory_record(), FakeClock(NOW)
    verifier = HumanVerifier(record, clock, Strangers())
    tools = VerificationTool(verifier, record)
    ids = [
        (await tools.handle_request(ToolContext.cli(principal="asker"), "s")).data["request_id"]
        for _ in range(5)
    ]
    pending = await verifier.verify(VerificationRequest(request_id=ids[0], subject="s"))
    granted = await verifier.grant(ids[1], "u")
    explained = await verifier.grant(ids[2], "u", "why")
    rejected = await verifier.reject(ids[3], "u", "no")
    by_nobody = await verifier.grant(ids[4], "")
    return {
        "NAME": pending.verifier,
        "verify": _terms(_told(pending)),
        "grant": _terms(_told(granted.result)),
        "grant_reason": _terms(_told(explained.result)),
        "reject": _terms(_told(rejected.result)),
        "grant_empty_principal": _terms(_told(by_nobody.result)),
    }
