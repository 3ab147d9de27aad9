"""Contexts: who calls is never guessed, and a misspelt word never means more."""

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.result import ErrorCode

from .stations.arranging import Ran, made, registry_with


@pytest.mark.runtime_line(59)
def test_a_context_has_these_fields_and_is_frozen() -> None:
    assert {field.name for field in fields(ToolContext)} == {
        *("principal", "channel", "scopes", "request_id", "conversation", "origin", "ip"),
        *("user_agent", "extra", "mode", "result_budget", "consent", "call_key"),
        *("idempotency_key", "repeats"),
    }
    with pytest.raises(FrozenInstanceError):
        ToolContext().principal = "root"  # type: ignore[misc]


@pytest.mark.runtime_line(45, 59, 60)
@pytest.mark.parametrize(
    ("made", "told"),
    [
        (ToolContext.cli(), ("cli", None, (), "human")),
        (ToolContext.tui(principal="cli:ana"), ("tui", "cli:ana", (), "human")),
        (ToolContext.mcp("r1", "u", ("a",)), ("mcp", "u", ("a",), "service")),
        (ToolContext.stdio("r1"), ("mcp", "stdio", ("*",), "service")),
        (ToolContext.telegram(5, 42), ("telegram", "telegram:42", (), "human")),
        (ToolContext.web("u", ("a",)), ("web", "u", ("a",), "human")),
        (ToolContext.console("console:ana"), ("console", "console:ana", (), "human")),
    ],
)
def test_each_constructor_gives_no_more_than_it_was_given(
    made: ToolContext, told: tuple[object, ...]
) -> None:
    assert (made.channel, made.principal, made.scopes, made.origin) == told


@pytest.mark.runtime_line(60)
@pytest.mark.original_fault("PG:ctx-factory-mcp-defaults")
@pytest.mark.parametrize("given", [("r1",), ("r1", "u")])
def test_an_mcp_client_has_no_default_principal_and_no_default_scopes(given: Any) -> None:
    with pytest.raises(TypeError):
        ToolContext.mcp(*given)


@pytest.mark.runtime_line(60)
@pytest.mark.original_fault("PG:ctx-factory-telegram-nouser")
def test_a_message_without_a_person_has_no_principal_and_only_the_scopes_of_its_chat() -> None:
    bare, granted = ToolContext.telegram(-100, None), ToolContext.telegram(-100, None, ("read",))

    assert (bare.principal, bare.scopes, bare.conversation) == (None, (), "telegram:-100")
    assert (granted.principal, granted.scopes) == (None, ("read",))


@pytest.mark.runtime_line(59)
@pytest.mark.parametrize("scopes", ["admin", "*", None, 7])
def test_scopes_that_are_no_list_are_refused(scopes: Any) -> None:
    with pytest.raises(ValueError, match="scopes must be a list"):
        ToolContext(scopes=scopes)


def test_scopes_given_as_a_list_cannot_be_added_to_later() -> None:
    given = ["read"]
    ctx = ToolContext(scopes=given)
    given.append("*")

    assert ctx.scopes == ("read",)


@pytest.mark.runtime_line(21)
@pytest.mark.original_fault("PG:ctx-unknown-mode")
@pytest.mark.parametrize("mode", ["Plan", "dry-run", "", None])
def test_a_misspelt_mode_never_executes(mode: Any) -> None:
    with pytest.raises(ValueError, match="mode must be"):
        ToolContext(mode=mode)


@pytest.mark.parametrize("origin", ["Model", "agent", "", None])
def test_a_misspelt_origin_is_never_taken_for_a_person(origin: Any) -> None:
    with pytest.raises(ValueError, match="origin must be"):
        ToolContext(origin=origin)


def test_a_changed_context_is_held_against_the_same_rules() -> None:
    with pytest.raises(ValueError, match="scopes must be a list"):
        replace(ToolContext(), scopes="admin")


@pytest.mark.runtime_line(12)
@pytest.mark.original_fault("RC:default-context")
async def test_a_call_from_code_without_a_context_is_cli_with_no_principal_and_no_scope() -> None:
    seen: list[ToolContext] = []

    async def body(ctx: ToolContext) -> None:
        seen.append(ctx)

    registry = registry_with(made(Ran(), "guarded", scopes=("root",)))
    registry.register("look", "Look.", {"type": "object", "properties": {}}, body)

    result = await registry.call("guarded", {})
    await registry.call("look", {})

    assert result.error is not None
    assert "context has: (none)" in result.error
    assert [(ctx.channel, ctx.principal, ctx.scopes) for ctx in seen] == [("cli", None, ())]


@pytest.mark.runtime_line(18)
@pytest.mark.original_fault("RC:unknown-channel-warning-lost")
async def test_a_registry_warns_of_an_unknown_channel_and_lets_nothing_change_there(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ran = Ran()
    registry = registry_with(made(ran, mutating=True))
    ctx = ToolContext(principal="42", channel="sms")

    results = [await registry.call("wipe", {}, ctx) for _ in range(2)]

    assert [one.code for one in results] == [ErrorCode.FORBIDDEN] * 2
    assert [one.message for one in caplog.records] == ["policy.unknown_channel"]
    assert ran.calls == []
