"""The registry: what users hold. It keeps the tools, in order and whole."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from comal_runtime.errors import BadToolSchema, ToolAlreadyRegisteredError
from comal_runtime.events import EventDispatcher
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode
from comal_runtime.tools import ToolOptions

from .stations.arranging import Ran, in_code, made, registry_with


def names(registry: ToolRegistry) -> list[str]:
    return [tool.name for tool in registry.get_tool_definitions()]


async def test_a_registry_works_alone_with_its_audit_on() -> None:
    registry = ToolRegistry()
    registry.register("double", "Double.", {"type": "object"}, lambda n: n * 2)

    result = await registry.call("double", {"n": 21})

    await registry.audit.flush()
    async with registry.record.reading() as stored:
        [(_, one)] = await stored.audit.after(0, limit=9)
    assert result.data == 42
    assert (one.tool, one.channel, one.decision) == ("double", "cli", "executed")


async def test_a_confirmed_call_works_alone() -> None:
    registry = ToolRegistry()
    registry.register("wipe", "Wipe.", {}, lambda: "gone", ToolOptions(confirm=True))

    asked = await registry.call("wipe", {})
    result = await registry.call("wipe", {}, confirm_token=asked.confirm_token)

    assert asked.requires_confirmation
    assert asked.data["action_summary"] == "wipe()"
    assert result.data == "gone"


@pytest.mark.runtime_line(3)
def test_a_taken_name_raises_and_registers_nothing_of_its_batch() -> None:
    registry = registry_with(made(Ran(), "one"))

    with pytest.raises(ToolAlreadyRegisteredError, match="one"):
        registry.add_all([made(Ran(), "two"), made(Ran(), "one")])
    with pytest.raises(ToolAlreadyRegisteredError, match="twice"):
        registry.add_all([made(Ran(), "twice"), made(Ran(), "twice")])

    assert names(registry) == ["one"]


@pytest.mark.runtime_line(9)
def test_a_schema_that_cannot_be_used_raises_naming_the_tool_and_the_place() -> None:
    with pytest.raises(BadToolSchema, match=r"'wipe'.*/properties/a/type"):
        registry_with(made(Ran(), schema={"properties": {"a": {"type": "nonsense"}}}))


@pytest.mark.runtime_line(56)
@pytest.mark.original_fault("RC:summaries")
def test_summaries_are_what_a_model_is_told_and_follow_new_tools() -> None:
    registry = registry_with(made(Ran(), "read", schema={"type": "object"}, version="2"))
    [read] = registry.get_tool_summaries()
    registry.add(made(Ran(), "wipe", mutating=True))

    assert read == {
        "name": "read",
        "description": "Wipe a disk.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True, "destructiveHint": False},
        "version": "2",
    }
    [_, wipe] = registry.get_tool_summaries()
    assert wipe["annotations"] == {"readOnlyHint": False, "destructiveHint": True}


@pytest.mark.runtime_line(57)
@pytest.mark.original_fault("RC:summaries")
def test_tools_are_found_by_scope_and_prefix_in_their_order() -> None:
    registry = registry_with(
        made(Ran(), "order_list"),
        made(Ran(), "order_wipe", scopes=("orders:write", "admin")),
        made(Ran(), "user_wipe", scopes=("users:write",)),
    )

    def held(*scopes: str) -> list[str]:
        return [tool.name for tool in registry.get_tools_by_scopes(scopes)]

    def starting(prefix: str) -> list[str]:
        return [tool.name for tool in registry.get_tools_by_prefix(prefix)]

    assert held() == ["order_list"]
    assert held("admin") == ["order_list", "order_wipe"]
    assert held("*") == starting("*") == names(registry)
    assert starting("order_") == ["order_list", "order_wipe"]


async def test_defaults_of_the_schema_are_filled_in_and_confirmed_with_the_rest() -> None:
    ran = Ran()
    schema = {"type": "object", "properties": {"n": {"type": "integer", "default": 3}}}
    registry = registry_with(made(ran, schema=schema, confirm=True))

    asked = await registry.call("wipe", {}, in_code())
    await registry.call("wipe", {}, in_code(), confirm_token=asked.confirm_token)

    assert asked.data["action_summary"] == "wipe(n=3)"
    assert ran.calls == [{"n": 3}]


async def test_the_summary_of_an_action_shows_every_argument_whole() -> None:
    registry = registry_with(made(Ran(), confirm=True))
    args = {"a": 1, "b": [1, 2], "c": {"d": "x" * 5000}, "e": None}

    asked = await registry.call("wipe", args, in_code())

    summary = asked.data["action_summary"]
    assert summary.startswith('wipe(a=1, b=[1,2], c={"d":"xxx')
    assert summary.endswith('x"}, e=null)')
    assert len(summary) > 5000


def test_what_is_wired_can_be_told() -> None:
    bare, full = (
        registry_with(),
        registry_with(limiter=GcraRateLimiter(1, 1), dispatcher=EventDispatcher()),
    )

    assert (bare.has_rate_limiter(), bare.has_dispatcher()) == (False, False)
    assert (full.has_rate_limiter(), full.has_dispatcher()) == (True, True)
    assert "wipe" not in bare
    assert bare.get("wipe") is None


class Unreadable(Mapping[str, object]):
    """A mapping that raises when it is read."""

    def __getitem__(self, name: str) -> object:
        raise ValueError

    def __iter__(self) -> Iterator[str]:
        raise ValueError

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize("args", [None, [1], "x", Unreadable()])
async def test_arguments_that_are_no_readable_object_are_the_callers_mistake(args: Any) -> None:
    registry = ToolRegistry()
    registry.register("look", "Look.", {"type": "object", "properties": {}}, lambda: 1)

    result = await registry.call("look", args)

    assert result.code == ErrorCode.VALIDATION_ERROR
