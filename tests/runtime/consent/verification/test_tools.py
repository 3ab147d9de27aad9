"""The verification tools: asking and answering, by whom it may be."""

import pytest

from comal_runtime.consent import Strangers
from comal_runtime.consent.verification import (
    HumanVerifier,
    VerificationRequest,
    VerificationTool,
)
from comal_runtime.context import ToolContext
from comal_runtime.record import QuestionState
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock

from ...stations.arranging import by_ana, newest_question, registry_with
from ..people import as_bo, consent_for, resolving
from .arranging import questions, requested


@pytest.mark.runtime_line(39, 41, 42)
async def test_a_subject_is_verified_in_two_calls_and_opens_no_act() -> None:
    registry, heard, request_id = await requested()

    result = await registry.call("resolve_verification", resolving(request_id), as_bo())

    assert (result.data["verdict"], result.data["status"]) == ("approved", "passed")
    assert [event.name for event in heard] == ["verification.requested", "verification.granted"]
    async with registry.record.reading() as stored:
        assert await stored.acts._sql.all("SELECT 1 FROM acts", {}) == []


@pytest.mark.runtime_line(41, 45)
def test_asking_knows_no_decision_and_no_principal_and_answering_wants_three_things() -> None:
    registry = registry_with()
    verifier = HumanVerifier(registry.record, FakeClock(), Strangers())

    VerificationTool(verifier, registry.record).register(registry)

    asking = registry.get("request_verification")
    answering = registry.get("resolve_verification")
    assert asking is not None
    assert answering is not None
    assert asking.input_schema["required"] == ["subject"]
    assert {"decision", "principal"}.isdisjoint(asking.input_schema["properties"])
    assert answering.input_schema["required"] == ["request_id", "decision", "principal"]
    assert asking.options.mutating
    assert answering.options.mutating
    assert not asking.options.confirm
    assert not answering.options.confirm


@pytest.mark.runtime_line(39)
@pytest.mark.original_fault("VF:flow-grant")
async def test_a_subject_that_was_left_out_is_not_told_and_the_message_shows_the_id() -> None:
    registry, heard, request_id = await requested()

    result = await registry.call("resolve_verification", resolving(request_id), as_bo())

    request = heard[1].get_request()
    assert request == VerificationRequest.for_resolution(request_id, requested_by="web:ana")
    assert request.subject is None
    assert result.message == f"Verification granted for {request_id!r}."


@pytest.mark.runtime_line(39)
async def test_a_subject_that_was_named_is_told_to_listeners() -> None:
    registry, heard, request_id = await requested()
    args = resolving(request_id, subject="the invoice", reason="looks fine")

    await registry.call("resolve_verification", args, as_bo())

    event = heard[1]
    assert event.get_request().subject == "the invoice"
    assert (event.get_result().principal, event.get_result().reason) == ("web:bo", "looks fine")
    assert event.get_request_id() == request_id


@pytest.mark.runtime_line(44, 45)
@pytest.mark.original_fault(
    "VF:resolve-unknown-id", "VF:resolve-subject-mismatch", "VF:resolve-spoofed-principal",
    "VF:resolve-blank-principal",
)  # fmt: skip
@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"request_id": "nowhere"}, ErrorCode.NOT_FOUND, "No such verification"),
        ({"request_id": " "}, ErrorCode.VALIDATION_ERROR, "blank"),
        ({"subject": "another"}, ErrorCode.VALIDATION_ERROR, "another subject"),
        ({"principal": "web:ana"}, ErrorCode.FORBIDDEN, "somebody else"),
        ({"principal": " "}, ErrorCode.FORBIDDEN, "somebody else"),
        ({"decision": "yes"}, ErrorCode.VALIDATION_ERROR, "grant"),
    ],
)
async def test_a_wrong_answer_says_what_is_wrong_and_decides_nothing(
    changes: dict[str, object], code: ErrorCode, says: str
) -> None:
    registry, heard, request_id = await requested()

    result = await registry.call("resolve_verification", resolving(request_id, **changes), as_bo())

    assert result.code == code
    assert says in str(result.error)
    assert (await newest_question(registry.record)).state is QuestionState.OPEN
    assert len(heard) == 1


@pytest.mark.runtime_line(44)
@pytest.mark.original_fault("VF:resolve-twice", "VF:resolve-grant-then-reject", "VF:flow-reject")
@pytest.mark.parametrize(("first", "state"), [("reject", "rejected"), ("grant", "approved")])
async def test_what_was_decided_stays_decided_and_says_so(first: str, state: str) -> None:
    registry, heard, request_id = await requested()
    before = resolving(request_id, decision=first, reason="fishy")
    await registry.call("resolve_verification", before, as_bo())

    for decision in ("grant", "reject"):
        args = resolving(request_id, decision=decision)
        result = await registry.call("resolve_verification", args, as_bo())
        assert "decided already" in str(result.error)

    question = await newest_question(registry.record)
    assert (question.state, question.reason) == (state, "fishy")
    assert len(heard) == 2


@pytest.mark.failure_mode(34)
async def test_changes_are_asked_for_with_guidance_or_not_at_all() -> None:
    registry, heard, request_id = await requested()
    wanted = resolving(request_id, decision="reject", asks_changes=True)

    bare = await registry.call("resolve_verification", wanted, as_bo())
    guided = await registry.call("resolve_verification", {**wanted, "reason": "less"}, as_bo())

    assert bare.code is ErrorCode.VALIDATION_ERROR
    assert guided.success
    assert heard[-1].name == "verification.rejected"
    async with registry.record.reading() as stored:
        votes = await stored.questions.votes(request_id)
    assert [(vote.choice, vote.reason) for vote in votes] == [("changes", "less")]


@pytest.mark.runtime_line(44)
@pytest.mark.parametrize("swept", [False, True])
async def test_what_has_expired_says_so(swept: bool) -> None:
    clock = FakeClock()
    registry, _, request_id = await requested(clock)
    clock.advance(24 * 3600)
    if swept:
        await registry.sweep()

    result = await registry.call("resolve_verification", resolving(request_id), as_bo())

    assert result.code == ErrorCode.EXPIRED
    assert (await newest_question(registry.record)).state is not QuestionState.APPROVED


@pytest.mark.runtime_line(46)
@pytest.mark.original_fault("VF:resolve-self-approval")
async def test_nobody_resolves_their_own_request_under_any_identity() -> None:
    registry, _, request_id = await requested()
    ctx = by_ana(consent=consent_for(request_id, "telegram:1"))

    result = await registry.call(
        "resolve_verification", resolving(request_id, principal="telegram:1"), ctx
    )

    assert result.code == ErrorCode.FORBIDDEN
    assert "yourself" in str(result.error)


@pytest.mark.runtime_line(45, 46)
@pytest.mark.original_fault("GW:agent-confirm-request-verification")
async def test_a_model_never_resolves() -> None:
    registry, _, request_id = await requested()

    result = await registry.call(
        "resolve_verification", resolving(request_id), as_bo(origin="model")
    )

    assert result.code == ErrorCode.FORBIDDEN
    assert (await newest_question(registry.record)).state is QuestionState.OPEN


@pytest.mark.runtime_line(45)
async def test_a_model_may_ask_and_is_not_told_the_id() -> None:
    registry, _, _ = await requested()

    result = await registry.call("request_verification", {"subject": "x"}, as_bo(origin="model"))

    assert result.type == "pending"
    assert set(result.data) == {"subject", "policy"}


@pytest.mark.runtime_line(43)
async def test_resolve_scopes_restrict_resolving_and_not_asking() -> None:
    registry, _, request_id = await requested(resolve_scopes=("verification:resolve",))

    result = await registry.call("resolve_verification", resolving(request_id), as_bo())

    assert result.code == ErrorCode.FORBIDDEN
    assert "verification:resolve" in str(result.error)


@pytest.mark.runtime_line(44, 45, 46)
@pytest.mark.original_fault(
    "VF:request-requested-by-spoof", "VF:request-policy-auto", "VF:request-empty-subject",
    "VF:request-blank-id",
)  # fmt: skip
@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ({"subject": " "}, "VALIDATION_ERROR", "subject"),
        ({"subject": "x", "requested_by": "telegram:9"}, "FORBIDDEN", "somebody else"),
        ({"subject": "x", "request_id": " "}, "VALIDATION_ERROR", "request_id"),
        ({"subject": "x", "policy": "auto"}, "VALIDATION_ERROR", "auto"),
        ({"subject": "x", "policy": "quorum"}, "VALIDATION_ERROR", "how many"),
        ({"subject": "x", "policy": "triple"}, "VALIDATION_ERROR", "policy"),
    ],
)
async def test_a_request_that_claims_too_much_is_refused_with_its_code(
    args: dict[str, object], code: str, says: str
) -> None:
    registry, heard, _ = await requested()

    result = await registry.call("request_verification", args, as_bo())

    assert result.code == code
    assert says in str(result.error)
    assert result.data is None
    assert len(heard) == 1


@pytest.mark.original_fault("VF:request-no-requested-by")
async def test_who_asked_is_known_although_nobody_said_so() -> None:
    registry, heard, _ = await requested()

    assert heard[0].get_request().requested_by == "web:ana"
    assert (await newest_question(registry.record)).principal == "web:ana"


@pytest.mark.runtime_line(44)
@pytest.mark.original_fault("VF:request-duplicate-id")
async def test_an_id_that_exists_is_taken() -> None:
    registry, heard, request_id = await requested()

    result = await registry.call(
        "request_verification", {"subject": "x", "request_id": request_id}, as_bo()
    )

    assert "is taken" in str(result.error)
    assert len(heard) == 1


async def test_an_empty_id_is_as_good_as_none() -> None:
    registry, _, _ = await requested()

    result = await registry.call(
        "request_verification", {"subject": "x", "request_id": ""}, as_bo()
    )

    assert result.data["request_id"]


async def test_what_the_tools_do_not_name_is_ignored() -> None:
    registry, _, _ = await requested()
    args = {"subject": "x", "decision": "grant", "principal": "boss", "zzz": 1}

    asked = await registry.call("request_verification", args, as_bo())
    wrong = await registry.call("resolve_verification", resolving("nowhere", zzz=1), as_bo())

    assert asked.type == "pending"
    assert [one.state for one in await questions(registry)] == ["open", "open"]
    assert {one.principal for one in await questions(registry)} == {"web:ana", "web:bo"}
    assert wrong.code == ErrorCode.NOT_FOUND


@pytest.mark.runtime_line(42)
@pytest.mark.original_fault("VF:telegram-resolve-four-calls")
@pytest.mark.parametrize(
    ("asking", "answering"),
    [
        (ToolContext.cli(principal="cli:ana"), ToolContext.cli(principal="cli:bo")),
        (ToolContext.mcp("r1", "key:ana", ()), ToolContext.mcp("r2", "key:bo", ())),
        (ToolContext.web("web:ana", ()), ToolContext.web("web:bo", ())),
    ],
)
async def test_where_nothing_is_confirmed_a_verification_takes_two_calls(
    asking: ToolContext, answering: ToolContext
) -> None:
    registry = registry_with()
    verifier = HumanVerifier(registry.record, FakeClock(), Strangers())
    VerificationTool(verifier, registry.record).register(registry)

    asked = await registry.call("request_verification", {"subject": "x"}, asking)
    request_id = asked.data["request_id"]
    own = {"request_id": request_id, "decision": "grant", "principal": answering.principal}
    result = await registry.call("resolve_verification", own, answering)

    assert (asked.type, result.type) == ("pending", "generic")
    assert (result.success, result.data["status"]) == (True, "passed")
