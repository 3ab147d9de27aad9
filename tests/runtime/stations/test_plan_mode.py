"""Planning says what would happen and does none of it."""

import pytest

from comal_runtime.context import ToolContext

from .arranging import Ran, by_ana, decisions, in_code, made, registry_with, routes


@pytest.mark.runtime_line(21)
async def test_a_plan_says_what_would_happen_with_secrets_masked() -> None:
    ran = Ran()
    tool = made(ran, mutating=True, scopes=("disk:write",), timeout=7)
    registry = registry_with(tool, routes=routes())

    result = await registry.call(
        "wipe", {"password": "hunter2"}, by_ana(mode="plan", scopes=("disk:write",))
    )

    assert result.data["plan"] == {
        "tool": "wipe",
        "mutating": True,
        "requires_confirmation": True,
        "requires_approval": True,
        "scopes_required": ["disk:write"],
        "timeout": 7,
        "args": {"password": "***REDACTED***"},
    }
    assert ran.calls == []
    assert await decisions(registry) == ["planned"]


@pytest.mark.runtime_line(21)
async def test_planning_asks_nobody_and_opens_nothing() -> None:
    registry = registry_with(made(Ran(), mutating=True))
    asked = await registry.call("wipe", {}, by_ana())

    await registry.call("wipe", {}, by_ana(mode="plan"), confirm_token=asked.confirm_token)

    async with registry.record.reading() as stored:
        [only] = await stored.questions.recent(state=None, limit=9)
        assert only.state == "open"
        assert await stored.acts.get(only.id) is None


@pytest.mark.runtime_line(21)
async def test_a_plan_is_refused_where_the_call_would_be() -> None:
    registry = registry_with(made(Ran(), scopes=("root",)))

    assert (await registry.call("wipe", {}, in_code(mode="plan"))).code == "FORBIDDEN"


def test_a_mode_that_is_neither_is_refused_when_the_context_is_made() -> None:
    with pytest.raises(ValueError, match="plan"):
        ToolContext(mode="dry")
