"""What a card hides of a call's arguments."""

from dataclasses import dataclass
from typing import Any

import pytest

from comal_runtime import ToolRegistry, ToolScanner, tool
from comal_runtime.consent.masking import masked_pointers


@dataclass
class Login:
    """How to sign in."""

    user: str
    password: str


@tool(mutating=True, confirm=True)
async def sign_in(token: str, login: Login, others: list[Login], extra: dict) -> str:
    """Sign in."""
    return "in"


def schema() -> dict:
    """Return the schema of the tool above."""
    registry = ToolRegistry()
    ToolScanner(registry).scan([sign_in])
    return dict(registry.get_tool_definitions()[0].input_schema)


def test_only_what_the_schema_itself_names_as_a_secret_is_hidden() -> None:
    arguments = {
        "token": "t",
        "login": {"user": "ana", "password": "p"},
        "others": [{"user": "bo", "password": "q"}],
        "extra": {"amount_token": 82000, "cookie": {"pay": 1}, "password": "chosen by the caller"},
    }

    hidden = masked_pointers(schema(), arguments)

    assert hidden == ("/login/password", "/others/0/password", "/token")


def test_names_with_slashes_and_tildes_are_escaped() -> None:
    shape = {"properties": {"api/key~1": {"type": "string"}}}

    assert masked_pointers(shape, {"api/key~1": "x"}) == ("/api~1key~01",)


def test_a_recursive_schema_ends() -> None:
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "secret": {"type": "string"}}}
    shape = {"$ref": "#/$defs/node", "$defs": {"node": node}}

    assert masked_pointers(shape, {"next": {"next": {"secret": 1}}}) == ("/next/next/secret",)


async def test_the_summary_of_a_question_masks_what_the_card_masks() -> None:
    registry = ToolRegistry()
    ToolScanner(registry).scan([sign_in])
    arguments = {
        "token": "t-secret",
        "login": {"user": "ana", "password": "p-secret"},
        "others": [],
        "extra": {"amount": 1},
    }

    asked = await registry.call("sign_in", arguments)

    assert "secret" not in str(asked.message)
    assert "ana" in str(asked.message)
    assert "secret" not in str(asked.data["action_summary"])


@pytest.mark.runtime_line(28)
@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_a_tool_that_declares_nothing_leaves_names_to_go_by(schema: dict[str, Any]) -> None:
    arguments = {"password": "hunter2", "user": "ana", "api/key": 1}

    assert masked_pointers(schema, arguments) == ("/api~1key", "/password")
