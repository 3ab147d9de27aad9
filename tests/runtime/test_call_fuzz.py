"""Whatever is called with whatever: one result, one record, nothing raised."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Never

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comal_runtime.context import CallKey, Consent, ToolContext
from comal_runtime.record import AuditRecord
from comal_runtime.result import ToolResult
from comal_runtime.testing import FakeClock

from .generating import values
from .stations.arranging import Ran, by_ana, in_code, made, records, registry_with

Odd = st.SearchStrategy[Any]

_BREAKS = frozenset("\n\r\x00\x1b")
_BREAKS_A_LINE = _BREAKS | frozenset("\x85\u2028\u2029\ud800")

FEW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=10_000)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": ["integer", "null"]},
        "b": {"type": "string", "pattern": "^\\w*$", "format": "date"},
        "items": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"minimum": 3}]}},
        "password": {"type": "string", "maxLength": 3},
    },
    "required": ["a"],
    "propertyNames": {"maxLength": 9},
    "additionalProperties": False,
}
CLAMPS = {"a": {"min": 1, "max": 9.5}, "b": {"maxLength": 2}}


class Hostile:
    """Raises whatever is done with it."""

    def __repr__(self) -> Never:
        raise RuntimeError("repr")

    __str__ = __repr__

    def __iter__(self) -> Never:
        raise RuntimeError("iter")

    def __eq__(self, other: object) -> Never:
        raise RuntimeError("eq")

    def __bool__(self) -> Never:
        raise RuntimeError("bool")

    def __hash__(self) -> Never:
        raise RuntimeError("hash")

    def __len__(self) -> Never:
        raise RuntimeError("len")


class HostileDict(dict[str, Any]):
    """A mapping that cannot be read."""

    def items(self) -> Never:
        raise RuntimeError("items")

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("iter")

    def keys(self) -> Never:
        raise RuntimeError("keys")


class HostileText(str):
    """A text that raises when it is looked at."""

    __slots__ = ()

    def __eq__(self, other: object) -> Never:
        raise RuntimeError("eq")

    def __hash__(self) -> Never:
        raise RuntimeError("hash")

    def __str__(self) -> Never:
        raise RuntimeError("str")

    def encode(self, *_: object, **__: object) -> Never:
        raise RuntimeError("encode")


def endless() -> list[Any]:
    """A list that holds itself."""
    held: list[Any] = [1]
    held.append(held)
    return held


def deep(levels: int) -> list[Any]:
    held: list[Any] = []
    for _ in range(levels):
        held = [held]
    return held


foreign: Odd = st.one_of(
    st.builds(Hostile),
    st.builds(HostileDict, a=st.integers()),
    st.builds(HostileText, st.sampled_from(("a", "wipe", ""))),
    st.builds(endless),
    st.builds(deep, st.sampled_from((63, 64, 200, 5000))),
    st.builds(object),
    st.binary(max_size=3),
    st.sampled_from((10**5000, -(10**5000), float("nan"), float("inf"), "\ud800", 1j, Ellipsis)),
    st.sampled_from(((1, 2), {1, 2}, frozenset("a"), range(3), type, len, "x" * 300_000)),
    st.just({"b": "y" * 300_000}),
    st.dictionaries(st.one_of(st.none(), st.integers(), st.text(max_size=2)), values, max_size=2),
)
anything: Odd = st.one_of(values, foreign)
fields = st.sampled_from((*SCHEMA["properties"], "confirm_token", "request_id", "A", "\ud800"))
some_args: Odd = st.one_of(st.dictionaries(fields, anything, max_size=4), anything)
names: Odd = st.one_of(
    st.sampled_from(("wipe", "wipe", "wipe", "list", "wip", "", " ", "\ud800", "x" * 1_000_000)),
    anything,
)
consents: Odd = st.builds(
    Consent,
    question_id=st.one_of(st.text(max_size=5), anything),
    tool=st.one_of(st.just("wipe"), anything),
    args_digest=st.one_of(st.text(max_size=5), anything),
    principal=st.one_of(st.just("telegram:1"), anything),
)


@st.composite
def contexts(draw: st.DrawFn) -> Any:
    """Contexts good and bad, and what is none."""
    if draw(st.booleans()):
        return draw(st.one_of(st.builds(by_ana), st.builds(in_code), st.none(), anything))
    odd = {
        "principal": anything,
        "channel": st.one_of(
            st.sampled_from(("cli", "telegram", "console", "elsewhere")), anything
        ),
        "scopes": anything,
        "request_id": anything,
        "conversation": anything,
        "origin": st.one_of(st.sampled_from(("human", "model", "service")), anything),
        "ip": anything,
        "extra": anything,
        "mode": st.sampled_from(("execute", "plan")),
        "consent": st.one_of(consents, anything),
        "call_key": st.one_of(st.none(), st.just(CallKey(turn="t", step=1, index=0)), anything),
        "idempotency_key": anything,
    }
    chosen = draw(st.lists(st.sampled_from(sorted(odd)), max_size=4, unique=True))
    given_fields = {name: draw(odd[name]) for name in chosen}
    try:
        return ToolContext(**given_fields)
    except Exception:  # the constructor refuses it; the fields are put in behind its back
        ctx = in_code()
        for name, value in given_fields.items():
            object.__setattr__(ctx, name, value)
        return ctx


async def called(name: Any, args: Any, ctx: Any, token: Any) -> tuple[Any, list[AuditRecord]]:
    clock = FakeClock()
    registry = registry_with(
        made(Ran(), "wipe", SCHEMA, mutating=True, clamps=CLAMPS),
        made(Ran(), "list", scopes=("read",)),
        clock=clock,
    )
    result = await registry.call(name, args, ctx, confirm_token=token)
    found = await records(registry)
    await registry.record.aclose()
    return result, found


def holds(name: Any, args: Any, ctx: Any, token: Any) -> None:
    result, found = asyncio.run(called(name, args, ctx, token))
    assert isinstance(result, ToolResult)
    [record] = found
    fields = (record.tool, record.principal, record.channel, record.request_id, record.decision)
    for text in filter(None, fields):
        assert not _BREAKS_A_LINE & set(text)
        assert len(text.encode()) < 10_000
    assert not (_BREAKS_A_LINE - {"\ud800"}) & set(record.args)
    assert len(record.args.encode()) < 1_000_000
    json.loads(record.args)
    if not result.success:
        assert len(str(result.error).encode()) < 10_000


tokens: Odd = st.one_of(st.none(), st.none(), st.text(max_size=4), anything)


@FEW
@given(names, some_args, contexts(), tokens)
@pytest.mark.runtime_line(11)
@pytest.mark.original_fault("RC:malformed-schema-typeerror", "RC:confirm-int-token")
def test_a_call_raises_nothing_whatever_it_is_given(
    name: Any, args: Any, ctx: Any, token: Any
) -> None:
    holds(name, args, ctx, token)


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
@MANY
@given(names, some_args, contexts(), tokens)
def test_a_call_raises_nothing_whatever_it_is_given_at_length(
    name: Any, args: Any, ctx: Any, token: Any
) -> None:
    holds(name, args, ctx, token)
