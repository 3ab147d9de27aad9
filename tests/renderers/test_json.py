"""Results shown as JSON."""

import json

from comal_renderers.json import spell_json
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


def test_a_lone_surrogate_does_not_break_the_wire() -> None:
    assert spell_json(ToolResult.success("\ud800")).parts[0]["text"].encode()
