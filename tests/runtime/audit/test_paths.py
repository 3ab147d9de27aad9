"""Every path that ends a call leaves one record, with a dispatcher, without, and with a bad one."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

import comal_runtime
from comal_runtime.consent.confirmation import TokenFault
from comal_runtime.events import EventDispatcher
from comal_runtime.pipeline import STATIONS
from comal_runtime.record import AuditRecord
from comal_runtime.stations.paths import ANYWHERE, PATHS, coverage
from tests.runtime.stations.arranging import Ran, by_ana, in_code, made, records, registry_with

from .scene import Dropping, Raising
from .walks import WALKS, Scene, Walk

DISPATCHERS: dict[str, Callable[[], EventDispatcher | None]] = {
    "without": lambda: None,
    "with": EventDispatcher,
    "raising": Raising,
    "dropping": Dropping,
}


def walks() -> list[object]:
    return [
        pytest.param(station, decision, walk, dispatcher, id=f"{walk.__name__}-{dispatcher}")
        for (station, decision), found in WALKS.items()
        for walk in found
        for dispatcher in DISPATCHERS
        if station != "emit_executing" or dispatcher in ("with", "raising")
    ]


@pytest.mark.runtime_line(34, 36)
def test_each_station_names_its_paths_and_each_path_is_walked() -> None:
    named = {(station, path) for station, paths in PATHS.items() for path in paths}
    walked = {(station, path) for station, path in WALKS if path not in ANYWHERE}

    assert list(PATHS) == [station.name for station in STATIONS]
    assert walked == named
    assert {path for _, path in WALKS} >= set(ANYWHERE)


def test_every_decision_in_the_code_is_a_path_that_is_named() -> None:
    folder = Path(comal_runtime.__file__).parent
    files = [*(folder / "stations").glob("*.py"), folder / "pipeline.py", folder / "registry.py"]
    known = {*ANYWHERE, *(path for paths in PATHS.values() for path in paths)}

    written = {decision for file in files for decision in _decisions_in(file)}

    assert "vetoed" in written
    assert written <= known


def _decisions_in(file: Path) -> list[str]:
    return [
        node.value.value
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and any(isinstance(to, ast.Attribute) and to.attr == "decision" for to in node.targets)
    ]


@pytest.mark.runtime_line(11, 34, 36)
@pytest.mark.original_fault(
    "RC:not-found", "RC:plan-read", "RC:confirm-first-call", "RC:veto", "RC:confirm-unknown-token",
    "RC:confirm-int-token", "RC:dispatcher-noop-no-audit", "RC:confirm-reuse",
    "RC:confirm-expired", "RC:confirm-wrong-tool", "RC:dispatcher-throws-executed",
    "RC:dispatcher-throws-executing", "RC:dispatcher-throws-executed-failed",
    "RC:shortcircuit-raw",
)  # fmt: skip
@pytest.mark.parametrize(("station", "decision", "walk", "dispatcher"), walks())
async def test_a_call_that_ends_so_leaves_one_record_that_says_so(
    station: str, decision: str, walk: Walk, dispatcher: str
) -> None:
    scene = Scene(DISPATCHERS[dispatcher]())

    await walk(scene)

    found = await records(scene.registry)
    assert found[-1].decision == decision
    assert len(found) == scene.calls


@pytest.mark.runtime_line(50)
def test_inspection_lists_the_paths_that_are_recorded() -> None:
    registry = registry_with(made(Ran()))

    plan = registry.inspect("wipe", in_code())

    assert plan is not None
    said = plan.steps[-1].source
    assert said == coverage()
    assert all(path in said for paths in PATHS.values() for path in paths)
    assert all(fault in said for fault in TokenFault)


@pytest.mark.runtime_line(34)
@pytest.mark.original_fault(
    "RC:audit-ip-dropped", "RC:success-string-output-size", "RC:validation-error",
    "RC:forbidden-scope", "RC:success-toolresult", "RC:toolresult-error-code-meta",
)  # fmt: skip
@pytest.mark.parametrize(
    ("tool", "args", "code"),
    [
        ("wipe", {"a": 1}, None),
        ("strict", {"a": 1}, "VALIDATION_ERROR"),
        ("denied", {"a": 1}, "FORBIDDEN"),
        ("nothing", {"a": 1}, "TOOL_NOT_FOUND"),
    ],
)
async def test_every_record_has_every_field(tool: str, args: dict, code: str | None) -> None:
    strict = {"type": "object", "properties": {}, "additionalProperties": False}
    tools = [
        made(Ran()),
        made(Ran(), "strict", schema=strict),
        made(Ran(), "denied", scopes=("root",)),
    ]
    registry = registry_with(*tools)

    await registry.call(tool, args, by_ana(ip="192.0.2.7"))

    [one] = await records(registry)
    absent = {name for name in AuditRecord.__slots__ if getattr(one, name) is None}
    assert one.code == code
    assert absent <= {"code", "question", "shown_digest"}
    assert (one.args, one.ip, one.channel) == ('{"a":1}', "192.0.2.7", "telegram")
    assert one.took_ms > 0
    assert one.output_bytes > 0
    assert len(one.args_digest) == 64


@pytest.mark.original_fault("RC:audit-empty-args")
async def test_no_arguments_are_an_empty_object() -> None:
    registry = registry_with(made(Ran()))

    await registry.call("wipe", {}, in_code())

    [one] = await records(registry)
    assert one.args == "{}"
