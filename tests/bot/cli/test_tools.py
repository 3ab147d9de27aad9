"""`comal tools`: what there is, and what a call would meet."""

import json
from pathlib import Path

import pytest

from .conftest import Comal

SETTINGS = """
[tools]
modules = ["my_tools.py"]
[[people]]
name = "Ana"
identities = ["telegram:42"]
roles = ["clerk"]
[roles.clerk]
scopes = ["orders:write"]
[[routes]]
tool = "refund_*"
approvers = ["telegram:43"]
"""


@pytest.fixture(autouse=True)
def settings(folder: Path, tools_file: Path) -> None:
    (folder / "comal.toml").write_text(SETTINGS)


def plan(comal: Comal, *arguments: str) -> dict:
    return json.loads(comal("tools", "inspect", *arguments, "--json").stdout)


def test_the_list_shows_every_tool_and_its_words_as_written(comal: Comal):
    shown = comal("tools", "list")

    assert shown.exit_code == 0
    assert "Give [bold]money[/bold] back." in shown.stdout
    assert [line.split()[0] for line in shown.stdout.splitlines()] == [
        "tool",
        "greet",
        "refund_order",
    ]


def test_the_list_as_json_holds_what_a_call_needs(comal: Comal):
    greet, refund = json.loads(comal("tools", "list", "--json").stdout)

    assert greet["inputSchema"]["required"] == ["name"]
    assert (refund["mutating"], refund["approval"]) == (True, "default")
    assert refund["scopes"] == ["orders:write"]


def test_tools_of_the_option_are_added_to_those_of_the_settings(comal: Comal, folder: Path):
    (folder / "more.py").write_text(
        "from comal_runtime.tools import tool\n@tool\ndef wave() -> str:\n    return ''\n"
    )

    found = json.loads(comal("tools", "list", "--tools", "more.py", "--json").stdout)

    assert [tool["name"] for tool in found] == ["greet", "refund_order", "wave"]


def test_a_stranger_would_be_stopped_at_authorize(comal: Comal):
    assert plan(comal, "refund_order", "--actor", "telegram:7")["endsAt"] == "authorize"


def test_a_person_of_the_settings_calls_with_the_scopes_of_their_roles(comal: Comal):
    seen = plan(comal, "refund_order", "--actor", "telegram:42")

    assert seen["context"]["scopes"] == ["orders:write"]
    assert seen["endsAt"] != "authorize"
    assert seen["wiring"]["routes"] is True


def test_scopes_of_the_option_replace_those_of_the_roles(comal: Comal):
    seen = plan(comal, "refund_order", "--actor", "telegram:42", "--scope", "a", "--scope", "b")

    assert seen["context"]["scopes"] == ["a", "b"]


def test_a_plan_for_people_names_every_station_and_the_end(comal: Comal):
    shown = comal("tools", "inspect", "refund_order", "--actor", "telegram:7").stdout

    assert "refund_order, called by telegram:7 on telegram with scopes (none)" in shown
    assert all(station in shown for station in ("resolve", "clamp", "execute", "audit"))
    assert shown.rstrip().endswith("the call would end at authorize")


def test_an_unknown_tool_is_told_with_the_near_one(comal: Comal):
    told = comal("tools", "inspect", "refund_ordre")

    assert told.exit_code == 2
    assert told.stderr == "comal: tool 'refund_ordre' is not known; did you mean 'refund_order'?\n"


def test_an_unknown_channel_is_told_with_those_there_are(comal: Comal):
    told = comal("tools", "inspect", "greet", "--channel", "pigeon")

    assert told.exit_code == 2
    assert told.stderr.startswith("comal: --channel is 'pigeon'; allowed: telegram, ")


def test_two_tools_of_one_name_are_told(comal: Comal, folder: Path, tools_file: Path):
    (folder / "again.py").write_text(tools_file.read_text())

    told = comal("tools", "list", "--tools", "again.py")

    assert told.exit_code == 2
    assert "'greet' is registered already" in told.stderr


def test_no_tools_at_all_is_told(comal: Comal, folder: Path):
    (folder / "comal.toml").write_text("")

    told = comal("tools", "list")

    assert (told.exit_code, told.stdout) == (0, "")
    assert "name them with --tools FILE" in told.stderr
