"""Writing down: nothing secret in a record, nothing forged, and never nothing at all."""

import json
import unicodedata
from dataclasses import replace

import pytest

from comal_runtime.audit import ToolAuditLogger
from comal_runtime.consent.question import digest
from comal_runtime.context import ToolContext
from comal_runtime.rate_limit import GcraRateLimiter
from comal_runtime.record import memory_record
from comal_runtime.redact import MASK
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock
from tests.runtime.stations.arranging import (
    Ran,
    by_ana,
    in_code,
    made,
    records,
    registry_with,
)

SCHEMA = {"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]}
DISK = {"disk": "a"}
BREAKS = {
    "newline": "\n", "return": "\r", "pipe": "|", "line separator": "\u2028", "ansi": "\x1b[2K",
    "nul": "\x00", "bidi": "\u202e", "isolate": "\u2066", "half": "\ud800", "next line": "\x85",
    "invalid utf-8": b"\xff\xfe".decode("utf-8", "surrogateescape"), "tab": "\t",
}  # fmt: skip


async def test_a_record_says_who_where_what_and_how_big() -> None:
    clock = FakeClock()
    registry = registry_with(made(Ran(gives="añ"), schema=SCHEMA, confirm=False), clock=clock)
    ctx = replace(by_ana(), ip="::1", origin="service")

    result = await registry.call("wipe", DISK, ctx)

    [one] = await records(registry)
    assert (one.at, one.request_id, one.ip) == (clock.now(), "r1", "::1")
    assert (one.channel, one.principal) == ("telegram", "telegram:1")
    assert (one.conversation, one.origin, one.tool) == ("telegram:1", "service", "wipe")
    assert (one.args, one.args_digest) == ('{"disk":"a"}', digest('{"disk":"a"}'))
    assert one.output_bytes == len(result.to_json().encode())


async def test_secrets_are_masked_at_any_depth_and_the_digest_covers_the_true_arguments() -> None:
    record, clock = memory_record(), FakeClock()
    audit = ToolAuditLogger(record, clock, extra_keys=frozenset({"pin"}))
    registry = registry_with(made(Ran()), record=record, clock=clock, audit=audit)
    args = {
        "user": {"passWord": "hunter2", "list": [{"API-Key": "abcdef"}]},
        "note": "Bearer abcdefghijklmnop",
        "pin": "1234",
        "kept": "plain",
    }

    await registry.call("wipe", args, in_code())

    [one] = await records(registry)
    kept = json.loads(one.args)
    true = json.dumps(args, sort_keys=True, separators=(",", ":"))
    assert kept["kept"] == "plain"
    assert not [s for s in ("hunter2", "abcdef", "1234") if s in one.args]
    assert one.args_digest == digest(true)


@pytest.mark.parametrize("break_", ["\n", "\r", "\u2028", "\x1b[2K", "\x00", "\u202e", "\ud800"])
async def test_a_name_cannot_forge_a_line(break_: str) -> None:
    registry = registry_with(made(Ran()))
    ctx = ToolContext(principal=f"a{break_}b", channel=f"c{break_}d", request_id=f"r{break_}s")

    await registry.call(f"wipe{break_}2026 INFO executed", {f"k{break_}": f"v{break_}"}, ctx)

    [one] = await records(registry)
    for text in (one.tool, one.principal, one.channel, one.request_id):
        assert text is not None
        assert break_ not in text
    assert "\n" not in one.args


async def test_arguments_that_are_no_json_are_recorded_by_kind() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {"x": object()}, in_code())

    [one] = await records(registry)
    assert "object" in one.args


class Unsayable(str):
    """A text that raises when it is written out."""

    __slots__ = ()

    def __str__(self) -> str:
        raise ZeroDivisionError


@pytest.mark.parametrize("mutating", [False, True])
@pytest.mark.parametrize("code", ["E\ud83d", Unsayable("x"), 5])
async def test_a_code_that_cannot_be_stored_stops_no_other_record(
    mutating: bool, code: str
) -> None:
    odd = made(Ran(gives=ToolResult.error("no", code=code)), "odd", mutating=mutating)
    registry = registry_with(made(Ran()), odd)

    result = await registry.call("odd", {}, in_code())
    await registry.call("wipe", {}, in_code())

    assert result.error == "no"
    assert sorted(one.tool for one in await records(registry)) == ["odd", "wipe"]


@pytest.mark.parametrize("field", ["conversation", "ip", "request_id", "channel", "principal"])
async def test_half_a_character_in_a_callers_field_is_recorded_visibly(field: str) -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {}, replace(in_code(), **{field: "a\ud800"}))

    [one] = await records(registry)
    assert getattr(one, field) == "a\\ud800"


async def test_what_cannot_be_written_down_leaves_a_record_that_names_the_fault() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {}, replace(in_code(), ip=Unsayable("::1")))

    [one] = await records(registry)
    assert (one.tool, one.args) == ("wipe", '{"(not recorded)":"ZeroDivisionError"}')


@pytest.mark.runtime_line(35)
@pytest.mark.original_fault(
    "RC:audit-newline-injection", "RC:audit-pipe-injection", "RC:audit-invalid-utf8"
)
@pytest.mark.parametrize("kind", BREAKS)
@pytest.mark.parametrize(
    "field", ["principal", "channel", "request_id", "conversation", "ip", "tool", "code", "args"]
)
async def test_no_field_can_forge_a_line(field: str, kind: str) -> None:
    break_ = BREAKS[kind]
    text = f"a{break_}2026-11-30 INFO executed"
    gives = ToolResult.error("no", code=text) if field == "code" else "done"
    registry = registry_with(made(Ran(gives=gives), scopes=()))
    ctx = in_code()
    if field not in ("tool", "code", "args"):
        ctx = replace(ctx, **{field: text})
    args = {text: text, "list": [text]} if field == "args" else {}

    await registry.call(text if field == "tool" else "wipe", args, ctx)

    [one] = await records(registry)
    kept = getattr(one, field)
    assert kept is not None
    assert "2026-11-30 INFO executed" in kept
    assert kept.encode()
    assert len(kept.splitlines()) == 1
    if field != "args" and kind != "pipe":
        assert kept.isprintable()
    if field == "args":
        assert not [character for character in kept if unicodedata.category(character) == "Cc"]
        assert len(json.loads(kept)["list"]) == 1


@pytest.mark.original_fault("RC:redaction")
async def test_a_field_named_ctx_is_in_the_record_at_any_depth() -> None:
    registry = registry_with(made(Ran()))
    args = {"_ctx": {"evil": 1}, "a": [{"_ctx": "x", "password": "hunter2"}]}

    await registry.call("wipe", args, in_code())

    [one] = await records(registry)
    kept = json.loads(one.args)
    assert kept["_ctx"] == {"evil": 1}
    assert kept["a"][0]["_ctx"] == "x"
    assert "hunter2" not in one.args


@pytest.mark.original_fault("RC:rate-limit-strands-token", "RC:redaction")
async def test_a_token_that_is_refused_on_the_way_is_in_no_record() -> None:
    registry = registry_with(made(Ran(), confirm=True), limiter=GcraRateLimiter(1, 60))
    asked = await registry.call("wipe", {}, in_code())
    token = str(asked.confirm_token)

    for args in (
        {"confirm_token": token},
        {"a": {"confirm_token": token}},
        {"Confirm-Token": token},
    ):
        await registry.call("wipe", args, in_code(origin="model"))

    assert all(token not in repr(one) + one.args for one in await records(registry))


async def test_a_text_without_end_is_cut_and_counted() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("x" * 100_000, {}, in_code(ip="y" * 100_000))

    [one] = await records(registry)
    assert "(100000 characters)" in one.tool
    assert len(one.tool) < 600
    assert one.ip is not None
    assert len(one.ip) < 600


async def test_a_secret_given_as_a_tools_name_is_masked() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("sk-abcdefghij0123456789", {}, in_code())

    [one] = await records(registry)
    assert one.tool == MASK


async def test_a_huge_number_hides_no_argument_beside_it() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {"x": 10**5000, "y": "kept"}, in_code())

    [one] = await records(registry)
    assert json.loads(one.args)["y"] == "kept"


@pytest.mark.runtime_line(35)
async def test_names_to_redact_only_add_to_the_known_ones() -> None:
    record = memory_record()
    audit = ToolAuditLogger(record, FakeClock(), extra_keys=frozenset({"Nick-Name"}))
    registry = registry_with(made(Ran()), record=record, audit=audit)

    await registry.call(
        "wipe", {"nickName": "x1", "password": "x2", "a": {"NICKNAME": "x3"}}, in_code()
    )

    [one] = await records(registry)
    assert not [secret for secret in ("x1", "x2", "x3") if secret in one.args]


@pytest.mark.original_fault("RC:timeout-toolresult", "RC:toolresult-meta-takeover")
async def test_a_tool_cannot_forge_what_its_record_says() -> None:
    forged = {"took_ms": 0, "tool": "other", "principal": "root", "request_id": "x", "ip": "::2"}
    registry = registry_with(made(Ran(gives=ToolResult.success("done", meta=forged))))

    await registry.call("wipe", {}, in_code(ip="::1"))

    [one] = await records(registry)
    assert (one.tool, one.principal, one.request_id, one.ip) == ("wipe", "cli:ana", "r1", "::1")
    assert one.took_ms > 0


async def test_what_a_tool_does_to_its_arguments_is_not_in_its_record() -> None:
    async def takes(items: list) -> str:
        items.append("put in by the tool")
        return "done"

    registry = registry_with(made(takes))

    await registry.call("wipe", {"items": ["given"]}, in_code())

    [one] = await records(registry)
    assert one.args == '{"items":["given"]}'
