"""Results shown as JSON."""

import json

import pytest

from comal_renderers import Descriptor
from comal_renderers.json import MEDIA_TYPE, spell_json
from comal_runtime.result import ToolResult


def test_a_result_is_its_wire_shape_without_secrets() -> None:
    data = {"confirm_token": "tok-1", "items": [{"question_id": "q", "n": 1}]}

    result = ToolResult.confirmation("Run tok-1?", data, {"request_id": "r1"})
    text = spell_json(result).parts[0]["text"]

    assert json.loads(text) == {
        "success": True,
        "data": {"items": [{"n": 1}]},
        "message": "Run ••••?",
        "error": None,
        "meta": {"type": "confirmation", "requires_confirmation": True},
    }


def test_the_body_names_the_version_of_its_shape() -> None:
    assert spell_json(ToolResult.success()).parts[0]["media_type"] == MEDIA_TYPE


def test_a_result_over_the_limit_keeps_its_shape_and_says_what_is_cut() -> None:
    channel = Descriptor(name="j", label="J", markup="json", text_limit=300, text_unit="bytes")

    rendered = spell_json(ToolResult.error("no", code="FORBIDDEN", data=["é"] * 500), channel)

    shape = json.loads(rendered.parts[0]["text"])
    assert (shape["success"], shape["error"], shape["data"]) == (False, "no", None)
    assert shape["meta"]["truncated"] is True
    assert shape["meta"]["code"] == "FORBIDDEN"
    assert shape["meta"]["data_characters"] == 2500
    assert shape["meta"]["data_start"].startswith('["é", "é"')
    assert rendered.cut == 2500 - len(shape["meta"]["data_start"])


def test_numbers_that_json_lacks_are_text() -> None:
    data = [float("nan"), float("inf"), float("-inf"), 1.5]

    shape = json.loads(spell_json(ToolResult.success(data)).parts[0]["text"])

    assert shape["data"] == ["NaN", "Infinity", "-Infinity", 1.5]


@pytest.mark.original_fault("RR:registry-json-invalid-utf8")
def test_a_lone_surrogate_does_not_break_the_wire() -> None:
    assert spell_json(ToolResult.success("\ud800")).parts[0]["text"].encode()
