"""A model never answers a verification, however it words the call."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from comal_runtime.consent.verification import HumanVerifier, VerificationTool
from comal_runtime.context import Consent, ToolContext
from comal_runtime.registry import ToolRegistry

MODEL = replace(ToolContext.telegram(7, 42, scopes=("verification:resolve",)), origin="model")


def registry() -> ToolRegistry:
    """Return a registry with the verification tools."""
    made = ToolRegistry()
    deps = made._deps
    verifier = HumanVerifier(deps.record, deps.clock, deps.directory)
    VerificationTool(verifier, deps.record).register(made)
    return made


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "resolve_verification",
            {"request_id": "r1", "decision": "grant", "principal": "telegram:42"},
        ),
        ("request_verification", {"subject": "the weekly report", "request_id": "r1"}),
    ],
)
async def test_it_is_refused_before_anybody_is_asked(
    name: str, arguments: Mapping[str, str]
) -> None:
    made = registry()

    result = await made.call(name, arguments, MODEL)

    async with made.record.reading() as stored:
        asked = await stored.questions.recent(state=None, limit=5)
    assert result.code == "FORBIDDEN"
    assert asked == []


async def test_arguments_that_are_no_object_are_refused_as_such_even_beside_a_consent() -> None:
    consent = Consent(question_id="q", tool="t", args_digest="d", principal="telegram:42")
    person = replace(MODEL, origin="human", consent=consent)

    result = await registry().call("resolve_verification", None, person)  # a caller's mistake

    assert result.code == "VALIDATION_ERROR"


async def test_it_may_still_ask_other_people_about_a_subject() -> None:
    result = await registry().call("request_verification", {"subject": "the report"}, MODEL)

    assert result.requires_confirmation
