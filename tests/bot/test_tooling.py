"""The registry as the host wires it."""

from collections.abc import Sequence
from typing import Any

import pytest

from comal_bot.settings import CHAT_CHANNELS, Settings
from comal_bot.tooling import directory, host_registry, offered
from comal_runtime.context import ToolContext
from comal_runtime.errors import ComalError
from comal_runtime.record import memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.testing import FakeClock
from comal_runtime.tools import tool
from comal_runtime.wiring import Wiring

from .rig import Shop, house_settings
from .wire import ANA, ROSA


@tool(name="notes")
def other_notes() -> str:
    """Tell other notes."""
    return ""


@tool(name="request_verification")
def own_verification() -> str:
    """Ask."""
    return ""


def registry(tools: Sequence[object] = (), **changes: Any) -> ToolRegistry:
    clock = FakeClock()
    wiring = Wiring(clock=clock)
    given = house_settings(**changes)
    return host_registry(given, tools, wiring, memory_record(clock=clock, hosted=True))


def caller(channel: str = "telegram", principal: str = f"telegram:{ANA}") -> ToolContext:
    return ToolContext(principal=principal, channel=channel, conversation="c")


@pytest.mark.parametrize("channel", CHAT_CHANNELS)
async def test_on_a_chat_channel_everything_that_changes_something_asks(channel: str) -> None:
    shop = Shop()
    result = await registry([shop]).call("delete_note", {"note": 2}, caller(channel))

    assert result.type == "confirmation"
    assert shop.ran == []


async def test_on_a_chat_channel_what_changes_nothing_is_answered() -> None:
    result = await registry([Shop()]).call("notes", {}, caller())

    assert result.data == ["milk", "bread"]


async def test_a_confirmation_lasts_as_long_as_the_settings_say() -> None:
    short = registry([Shop()], host={"confirmation_ttl": 42})
    result = await short.call("delete_note", {"note": 2}, caller())

    assert result.data["expires_at"] == FakeClock().now() + 42


async def test_the_routes_of_the_settings_ask_other_people() -> None:
    result = await registry([Shop()]).call("refund", {"order": 7}, caller())

    assert result.type == "pending"


async def test_the_registry_stores_in_the_record_it_is_given() -> None:
    record = memory_record(hosted=True)
    made = host_registry(house_settings(), [Shop()], Wiring(), record)

    assert made.record is record


async def test_resolving_needs_the_scope_that_the_host_gives_to_entitled_people() -> None:
    made = registry()
    asked = await made.call("request_verification", {"subject": "the report"}, caller())
    arguments = {"request_id": "x", "decision": "grant", "principal": f"telegram:{ROSA}"}
    result = await made.call("resolve_verification", arguments, caller(principal="telegram:1001"))

    assert asked.type == "confirmation"
    assert result.code == ErrorCode.FORBIDDEN
    assert "verification:resolve" in str(result.error)


def test_modules_objects_and_functions_with_tools_are_all_scanned() -> None:
    made = registry([Shop()])

    assert {"notes", "delete_note", "request_verification", "resolve_verification"} <= {
        tool.name for tool in made.get_tool_definitions()
    }


def test_a_tool_of_a_taken_name_is_refused_by_that_name() -> None:
    with pytest.raises(ComalError, match="notes"):
        registry([Shop(), Shop()])


def test_a_tool_of_a_taken_name_is_refused_with_both_places() -> None:
    with pytest.raises(ComalError) as refused:
        registry([Shop(), other_notes])

    assert str(refused.value) == (
        f"tool 'notes' is in {Shop.__module__}.Shop.notes and in {__name__}.other_notes; "
        "give one of the two another name"
    )


def test_a_tool_of_the_hosts_own_name_is_refused_as_such() -> None:
    with pytest.raises(ComalError, match="'request_verification' is in the host itself and in"):
        registry([own_verification])


def test_what_is_offered_is_what_was_brought() -> None:
    assert [one.name for one in offered(registry([other_notes]))] == ["notes"]


def test_the_directory_holds_the_people_and_scopes_of_the_settings() -> None:
    people = directory(house_settings())

    assert people.name(f"telegram:{ROSA}") == "Rosa"
    assert people.scopes(f"telegram:{ROSA}") == ("disk:write",)
    assert people.roles(f"telegram:{ANA}") == {"finance"}
    assert directory(Settings()).name("telegram:1") is None


@pytest.mark.runtime_line(20)
async def test_a_caller_is_limited_as_the_settings_say_and_a_restart_forgets_nothing() -> None:
    record = memory_record(clock=FakeClock(), hosted=True)
    given = house_settings(limits={"channels": {"telegram": "2/1h"}})
    registries = [
        host_registry(given, [Shop()], Wiring(clock=FakeClock()), record) for _ in range(3)
    ]

    results = [await one.call("notes", {}, caller()) for one in registries]

    assert [one.success for one in results] == [True, True, False]
    assert results[2].code == ErrorCode.RATE_LIMITED
    assert results[2].meta["retry_after_seconds"] == pytest.approx(1800)


async def test_probing_is_limited_as_the_settings_say() -> None:
    made = registry([Shop()], limits={"probing": "2/1h"})

    codes = [(await made.call("no_such_tool", {}, caller())).code for _ in range(3)]

    assert codes == [ErrorCode.TOOL_NOT_FOUND, ErrorCode.TOOL_NOT_FOUND, ErrorCode.RATE_LIMITED]


@pytest.mark.runtime_line(16)
async def test_the_rules_of_the_settings_are_asked_with_the_people_of_the_settings() -> None:
    rule = {
        "id": "no-finance",
        "effect": "deny",
        "tools": ["notes"],
        "principals": ["role:finance"],
    }
    made = registry([Shop()], rules=[rule])

    ana = await made.call("notes", {}, caller())
    rosa = await made.call("notes", {}, caller(principal=f"telegram:{ROSA}"))

    assert ana.code == ErrorCode.FORBIDDEN
    assert "#no-finance" in str(ana.error)
    assert rosa.success


async def test_the_policies_of_the_settings_hold() -> None:
    made = registry([Shop()], policy={"telegram": {"block_mutating": True}})

    result = await made.call("delete_note", {"note": 2}, caller())

    assert "block_mutating" in str(result.error)
