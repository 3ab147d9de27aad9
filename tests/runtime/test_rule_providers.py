"""Rule providers that fail, wait or find what is no rule: the answer is no."""

from types import SimpleNamespace
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration
from comal_runtime.policy import PolicyGate, PolicyRule, Verdict
from comal_runtime.tools import Tool

from .uses import caller, wipe


class Failing:
    """A rule provider that cannot be asked."""

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        raise OSError("postgresql://rules:hunter2@db is away")


class Answering:
    """A rule provider that finds something that is no rule."""

    def __init__(self, found: object) -> None:
        self.found = found

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        found: Any = self.found() if callable(self.found) else self.found
        return found


def test_a_provider_that_cannot_be_asked_denies_and_its_text_stays_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    verdict = PolicyGate(Failing()).authorize(caller("cli", scopes=("*",)), wipe())

    assert verdict == Verdict(
        allowed=False,
        reason="Denied: the policy rules for tool 'wipe' on channel 'cli' cannot be read now.",
        check="rules_failed",
    )
    [record] = caplog.records
    assert record.message == "policy.rules_failed"
    assert "OSError" in record.__dict__["trace"]
    assert "hunter2" not in record.__dict__["trace"]


async def _later() -> PolicyRule:
    return PolicyRule(id=1, effect="allow")


@pytest.mark.original_fault("PG:rule-unknown-effect-web")
@pytest.mark.parametrize(
    "found", [True, False, 0, "allow", {"effect": "allow"}, SimpleNamespace(effect="ALLOW"), _later]
)
def test_whatever_is_no_rule_denies(found: object) -> None:
    verdict = PolicyGate(Answering(found)).authorize(caller("cli"), wipe())

    assert (verdict.allowed, verdict.check) == (False, "rules_failed")


def test_a_provider_that_would_have_to_be_awaited_is_refused_when_the_gate_is_made() -> None:
    class Awaited:
        async def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
            return None

    with pytest.raises(BadDeclaration, match=r"Awaited\.find must be a plain function"):
        PolicyGate(Awaited())


def test_a_rules_scopes_are_a_list_and_not_a_text() -> None:
    with pytest.raises(BadDeclaration, match="'admin'"):
        PolicyRule(id=1, effect="allow", requires_scopes="admin")
