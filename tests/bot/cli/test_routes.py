"""`comal routes` and the routes of `comal tools lint` and `comal run`: what is found, and how."""

import json
from pathlib import Path

import pytest

from .conftest import Comal

PEOPLE = """
[tools]
modules = ["my_tools.py"]
[[people]]
name = "Ana"
identities = ["telegram:42", "telegram:52"]
roles = ["owner"]
[[people]]
name = "Bo"
identities = ["telegram:43"]
roles = ["finance"]
[roles.owner]
scopes = ["*"]
"""
GOOD = """
[[routes]]
name = "default"
tool = "refund_*"
when = "amount > 100"
groups = [{ name = "money", approvers = ["role:finance"] },
          { approvers = ["telegram:42", "telegram:99"], stage = 2, cards = ["main:-1"] }]
"""
BAD = """
[[routes]]
name = "two"
tool = "refund_*"
policy = "dual"
approvers = ["role:finance"]
[[routes]]
name = "never"
tool = "refund_order"
approvers = ["role:finance"]
"""


def configured(folder: Path, routes: str) -> None:
    (folder / "comal.toml").write_text(PEOPLE + routes)


@pytest.mark.failure_mode(12)
def test_the_list_says_who_decides_and_which_tools_a_pattern_takes(
    comal: Comal, folder: Path, tools_file: Path
) -> None:
    configured(folder, GOOD.replace("refund_*", "*"))

    shown = comal("routes", "list")
    data = json.loads(comal("routes", "list", "--json").stdout)

    assert shown.exit_code == 0
    assert "money: 1 of Bo; then 1 of Ana, telegram:99" in shown.stdout
    assert data[0]["tools"] == ["greet", "refund_order"]
    assert data[0]["stages"][1][0]["people"] == ["Ana", "telegram:99"]
    assert (data[0]["cards"], data[0]["needed"]) == (["main:-1"], 2)


def test_routes_that_can_be_answered_are_told_so(
    comal: Comal, folder: Path, tools_file: Path
) -> None:
    configured(folder, GOOD)

    shown = comal("routes", "check")

    assert (shown.exit_code, shown.stdout) == (0, "1 route: 0 to mend\n")


def test_routes_that_cannot_are_listed_and_the_check_fails(
    comal: Comal, folder: Path, tools_file: Path
) -> None:
    configured(folder, BAD)

    shown, data = comal("routes", "check"), comal("routes", "check", "--json")

    assert (shown.exit_code, data.exit_code) == (1, 1)
    assert [(one["route"], one["kind"]) for one in json.loads(data.stdout)] == [
        ("never", "shadowed"),
        ("two", "unsatisfiable"),
    ]
    assert "unsatisfiable: route 'two' needs 2 to say yes, and only Bo may" in shown.stdout


@pytest.mark.failure_mode(16)
def test_the_check_tells_of_a_route_that_a_misspelling_leaves_without_calls(
    comal: Comal, folder: Path, tools_file: Path
) -> None:
    configured(folder, GOOD.replace("refund_*", "refnud_order").replace("amount", "amont"))
    misnamed = comal("routes", "check")
    configured(folder, GOOD.replace("amount", "amont"))
    misread = comal("routes", "check", "--json")

    assert (misnamed.exit_code, misnamed.stdout) == (0, "1 route: 0 to mend\n")
    assert "it guards nothing: it fits no tool there is" in misnamed.stderr
    assert "did you mean 'refund_order'?" in misnamed.stderr
    assert (misread.exit_code, json.loads(misread.stdout)) == (0, [])
    assert "argument 'amont': every call goes to its approvers" in misread.stderr


def test_the_host_does_not_start_with_them(comal: Comal, folder: Path, tools_file: Path) -> None:
    token = '[channels.main]\ntoken = "1:aaa"\napi_base = "http://127.0.0.1:9"\n'
    configured(folder, f'{BAD}[model]\nprovider = "scripted"\n{token}')

    ended = comal("run", "--once-idle")

    assert ended.exit_code == 2
    assert "comal: route 'never' is never reached" in ended.stderr
    assert "comal: route 'two' needs 2 to say yes" in ended.stderr


def test_lint_finds_them_too(comal: Comal, folder: Path, tools_file: Path) -> None:
    configured(folder, BAD)

    shown = comal("tools", "lint", "--json")

    found = [one for one in json.loads(shown.stdout) if one["rule"].startswith("route.")]
    assert shown.exit_code == 1
    assert [(one["rule"], one["severity"]) for one in found] == [
        ("route.shadowed", "error"),
        ("route.unsatisfiable", "error"),
    ]
    assert all(one["mend"] for one in found)


def test_without_routes_the_list_says_how_to_make_one(
    comal: Comal, folder: Path, tools_file: Path
) -> None:
    configured(folder, "")

    shown = comal("routes", "list")

    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "a [[routes]] entry says which calls" in shown.stderr


def test_a_subject_route_is_not_called_idle(comal: Comal, folder: Path, tools_file: Path) -> None:
    configured(folder, GOOD + '[[routes]]\nsubject = "deploy *"\napprovers = ["person:Ana"]\n')

    found = json.loads(comal("tools", "lint", "--json").stdout)

    assert not [one for one in found if one["rule"].startswith("route.")]
