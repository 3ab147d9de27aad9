"""`comal tools lint`: what it prints and how it ends."""

import json
from pathlib import Path

import pytest

from .conftest import Comal

CLEAN = '''
from comal_runtime.tools import tool


@tool
def greet(name: str) -> str:
    """Say hello.

    Args:
        name: Whom to greet.
    """
    return name
'''
LOUD = CLEAN.replace("def greet(", "def send_greeting(")
BROKEN = CLEAN.replace("@tool\n", '@tool(approval="money")\n')


@pytest.fixture
def tools(folder: Path) -> Path:
    """A settings file whose tools are in my_tools.py."""
    (folder / "comal.toml").write_text('[tools]\nmodules = ["my_tools.py"]\n')
    path = folder / "my_tools.py"
    path.write_text(CLEAN)
    return path


def test_clean_tools_are_told_so(comal: Comal, tools: Path):
    shown = comal("tools", "lint", "--strict")

    assert (shown.exit_code, shown.stdout) == (0, "1 tool: nothing to mend\n")


def test_a_warning_fails_only_if_strict(comal: Comal, tools: Path):
    tools.write_text(LOUD)

    plain, strict = comal("tools", "lint"), comal("tools", "lint", "--strict")

    assert (plain.exit_code, strict.exit_code) == (0, 1)
    assert plain.stdout == strict.stdout
    assert plain.stdout.endswith("1 tool: 1 warning\n")


def test_an_error_always_fails_and_says_where_what_and_how_to_mend_it(comal: Comal, tools: Path):
    tools.write_text(BROKEN)

    shown = comal("tools", "lint")

    assert shown.exit_code == 1
    assert shown.stdout == (
        "error  greet/approval  [approval-unrouted]\n"
        "  its approval names route 'money', which is not configured: calls are refused\n"
        '  mend: add [[routes]] with name = "money" and tool = "greet"\n'
        "1 tool: 1 error\n"
    )


def test_json_holds_every_part_of_a_finding(comal: Comal, tools: Path):
    tools.write_text(BROKEN)

    shown = comal("tools", "lint", "--json")

    assert shown.exit_code == 1
    [one] = json.loads(shown.stdout)
    assert set(one) == {"severity", "rule", "tool", "pointer", "what", "mend"}
    assert (one["severity"], one["tool"], one["pointer"]) == ("error", "greet", "/approval")


def test_clean_tools_are_an_empty_array_in_json(comal: Comal, tools: Path):
    assert json.loads(comal("tools", "lint", "--json").stdout) == []


def test_what_the_configured_provider_refuses_is_an_error(comal: Comal, tools: Path, folder: Path):
    tools.write_text(CLEAN.replace("@tool\n", '@tool("greet.me")\n'))
    local = '[model]\nbase_url = "http://127.0.0.1:11434/v1"\n'

    at_openai = comal("tools", "lint")
    (folder / "comal.toml").write_text(f'{local}[tools]\nmodules = ["my_tools.py"]\n')
    at_home = comal("tools", "lint")

    assert "error  greet.me/name  [openai-name]" in at_openai.stdout
    assert "warning  greet.me/name  [openai-name]" in at_home.stdout
    assert (at_openai.exit_code, at_home.exit_code) == (1, 0)


def test_a_scope_counts_as_granted_only_by_a_role_that_somebody_holds(
    comal: Comal, tools: Path, folder: Path
):
    tools.write_text(CLEAN.replace("@tool\n", '@tool(scopes=("a",))\n'))
    role = '[tools]\nmodules = ["my_tools.py"]\n[roles.clerk]\nscopes = ["a"]\n'
    person = '[[people]]\nname = "Ana"\nidentities = ["telegram:42"]\nroles = ["clerk"]\n'

    (folder / "comal.toml").write_text(role)
    without = comal("tools", "lint").stdout
    (folder / "comal.toml").write_text(role + person)
    held = comal("tools", "lint").stdout

    assert "[scope-unreachable]" in without
    assert "[scope-unreachable]" not in held


def test_the_text_fits_a_terminal_of_eighty_columns(
    comal: Comal, tools: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "80")
    tools.write_text(LOUD.replace("@tool\n", '@tool(scopes=("a",), timeout=500)\n'))

    shown = comal("tools", "lint").stdout

    assert max(map(len, shown.splitlines())) <= 80
    assert "3 warnings" in shown


def test_tools_that_cannot_be_loaded_are_a_misuse(comal: Comal, tools: Path):
    tools.write_text("1 / 0\n")

    told = comal("tools", "lint", "--json")

    assert (told.exit_code, told.stdout) == (2, "")
    assert "ZeroDivisionError" in told.stderr


def test_a_route_that_guards_nothing_is_a_warning(comal: Comal, tools: Path, folder: Path):
    route = '[[routes]]\ntool = "{}"\napprovers = ["telegram:44"]\nwhen = "nmae == 1"\n'
    settings = '[tools]\nmodules = ["my_tools.py"]\n'

    (folder / "comal.toml").write_text(settings + route.format("greeet"))
    idle = comal("tools", "lint", "--strict")
    (folder / "comal.toml").write_text(settings + route.format("greet"))
    unknown = comal("tools", "lint")

    assert idle.exit_code == 1
    assert "[route.idle]" in idle.stdout
    assert "near greet" in idle.stdout
    assert "[route.argument_unknown]" in unknown.stdout
    assert "near name" in unknown.stdout


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_without_any_tools_nothing_was_looked_at(comal: Comal, folder: Path, option: tuple[str]):
    (folder / "comal.toml").write_text("")

    shown = comal("tools", "lint", *option)

    assert shown.exit_code == 1
    assert "there are no tools; name them with --tools FILE" in shown.stderr
