"""Rows of the registry that are told in one sentence, and what a registry lists of its tools."""

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from itertools import takewhile
from typing import Any

from comal_runtime import ToolContext, ToolOptions, ToolRegistry, Wiring
from comal_runtime.json_values import plain
from comal_runtime.record import Record, memory_record
from comal_runtime.testing import FakeClock
from tests.vectors.areas.area import Facets, Ruling
from tests.vectors.areas.lines import ruling
from tests.vectors.areas.recorded_calls import NOW, TOKEN, as_schema
from tests.vectors.rows import Row
from tests.vectors.values import difference

Found = Callable[[Row], Awaitable[Facets]]


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row is one sentence about a registry."""
    return _reader(given) is not None


async def found(row: Row) -> Facets:
    """Do what the sentence says."""
    reader = _reader(row.input)
    assert reader is not None
    return await reader(row)


def recorded(row: Row) -> Facets:
    """Read what was recorded, in the same terms."""
    output = row.output
    if "on_A" in output:
        return {name: output[name]["success"] for name in ("on_A", "on_B")}
    if "outstanding_tokens" in output:
        return {"all_stay_open": output["outstanding_tokens"] == _count(row)}
    return {"success": output["success"]}


def right(row: Row) -> Facets:
    """Return what the contract says of the sentence."""
    if "on_A" in row.output:
        return {"on_B": True, "on_A": False}
    if "outstanding_tokens" in row.output:
        return {"all_stay_open": False, "over_the_bound": ["RATE_LIMITED"]}
    return {"success": False, "kept_names": sorted(_bad_arguments(row))}


def ruled(row: Row) -> Ruling | None:
    """Say by which line that is not as recorded."""
    line = "14" if "success" in row.output else "faults 1"
    return ruling(recorded(row), right(row), line)


def _reader(given: Mapping[str, Any]) -> Found | None:
    if "steps" in given:
        return None
    op = str(given.get("op", ""))
    if "registry A" in op and "registry B" in op:
        return _on_two_registries
    if "first calls" in op:
        return _many_questions
    if isinstance(given.get("args"), str) and "tools" in given:
        return _bad_bytes
    return None


async def _on_two_registries(row: Row) -> Facets:
    """Redeem a token where it was not issued, then where it was: both know the question."""
    record = memory_record(clock=FakeClock(NOW))
    first, second = _mutating(record), _mutating(record)
    ctx = _context(row.input["ctx"])
    asked = await first.call("m", {"id": 1}, ctx)
    token = asked.data[TOKEN]

    on_b = await second.call("m", {TOKEN: token}, ctx)
    on_a = await first.call("m", {TOKEN: token}, ctx)

    return {"on_B": on_b.success, "on_A": on_a.success}


def _count(row: Row) -> int:
    return int(next(word for word in row.input["op"].split() if word.isdigit()))


async def _many_questions(row: Row) -> Facets:
    """Ask again and again as one caller, without a limiter."""
    registry = _mutating(memory_record(clock=FakeClock(NOW)))
    ctx = _context("telegram 42")
    asked = [await registry.call("m", {"id": at}, ctx) for at in range(_count(row))]
    refused = sorted({str(one.code) for one in asked if not one.success})
    return {"all_stay_open": all(one.success for one in asked), "over_the_bound": refused}


async def _bad_bytes(row: Row) -> Facets:
    """Call with an argument that is no Unicode text, and see what the audit keeps of it."""
    record = memory_record(clock=FakeClock(NOW))
    registry = ToolRegistry(Wiring(record=record, clock=FakeClock(NOW)))
    registry.register("a", "returns 1", {}, _returns_one)

    result = await registry.call("a", _bad_arguments(row), _context(row.input["ctx"]))
    await registry.audit.flush()

    async with record.reading() as stored:
        kept = [entry for _, entry in await stored.audit.after(0, limit=10)]
    names = sorted(json.loads(kept[0].args)) if len(kept) == 1 else None
    return {"success": result.success, "kept_names": names}


def _bad_arguments(row: Row) -> dict[str, Any]:
    text = os.fsdecode(row.input["args"].encode().replace(b"<byte 0xFF>", b"\xff"))
    return dict(json.loads(text))


async def _returns_one(**_: Any) -> int:
    return 1


def _mutating(record: Record) -> ToolRegistry:
    registry = ToolRegistry(Wiring(record=record, clock=FakeClock(NOW)))
    registry.register("m", "changes", {}, _returns_one, ToolOptions(mutating=True))
    return registry


def _context(said: str) -> ToolContext:
    channel, principal = said.split()
    return ToolContext(channel=channel, principal=principal)


def catalogue_differs(row: Row, registry: ToolRegistry) -> str | None:
    """Compare what a registry lists, where a row recorded it (lines 56, 57)."""
    after = row.output.get("after") if isinstance(row.output, dict) else None
    for key, recorded in (after or {}).items():
        asked, _, text = key.partition("(")
        told = text.split(")")[0]
        match asked.removesuffix("_json"):
            case "getToolSummaries":
                why = _summaries_differ(json.loads(recorded), registry.get_tool_summaries())
            case "getToolsByPrefix":
                why = _prefixed_differ(told, json.loads(recorded), registry)
            case "getToolsByScopes":
                why = _scoped_differ(told.strip("[]"), recorded, registry)
            case "has":
                why = difference(key, recorded, told in registry)
            case "hasRateLimiter" | "hasDispatcher":
                has = registry.has_rate_limiter if "Rate" in asked else registry.has_dispatcher
                why = difference(key, recorded, has())
            case _:
                why = f"cannot read {key!r}"
        if why:
            return why
    return None


def _summaries_differ(recorded: list[dict[str, Any]], found: list[dict[str, Any]]) -> str | None:
    """Compare the wire shape of every tool."""
    why = difference("the listed tools", _names(recorded), _names(found))
    pairs = zip(recorded, found, strict=False)
    return why or next(filter(None, (_summary_differs(*pair) for pair in pairs)), None)


def _summary_differs(there: dict[str, Any], here: dict[str, Any]) -> str | None:
    """Compare one; `properties` is an object even when empty, and hints are told (line 56)."""
    properties = here["inputSchema"].get("properties")
    if not isinstance(properties, Mapping) or "readOnlyHint" not in here.get("annotations", {}):
        return f"{there['name']} lacks properties that are an object, or hints (line 56)"
    wanted = {
        "inputSchema": {"type": "object", "properties": {}, **as_schema(there["inputSchema"])},
        "outputSchema": as_schema(there.get("outputSchema")),
        "version": there.get("version"),
    }
    kept = json.loads(json.dumps({name: plain(here.get(name)) for name in wanted}))
    return difference(f"the summary of {there['name']}", wanted, kept)


def _prefixed_differ(
    prefix: str, recorded: list[dict[str, Any]], registry: ToolRegistry
) -> str | None:
    """Compare a filter by prefix; one that was recorded without its prefix had a name's own."""
    names = _names(recorded)
    found = registry.get_tools_by_prefix(prefix or _beginning(names))
    return difference(f"the tools of prefix {prefix!r}", names, _names(found))


def _beginning(names: list[str]) -> str:
    """Return what all names begin with."""
    first, last = min(names, default=""), max(names, default="")
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(letter for letter, _ in alike)


def _scoped_differ(scopes: str, recorded: list[str], registry: ToolRegistry) -> str | None:
    """Compare a filter by scopes; `*` means all (line 57)."""
    asked = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    found = _names(registry.get_tools_by_scopes(asked))
    everything = _names(registry.get_tool_definitions())
    return difference(
        f"the tools of scopes {asked}", everything if "*" in asked else recorded, found
    )


def _names(tools: Any) -> list[str]:
    return [tool["name"] if isinstance(tool, dict) else tool.name for tool in tools]
