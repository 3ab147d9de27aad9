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


@pytest.mark.runtime_line(51)
def test_scopes_of_the_option_replace_those_of_the_roles(comal: Comal):
    seen = plan(comal, "refund_order", "--actor", "telegram:42", "--scope", "a", "--scope", "b")

    assert seen["context"]["scopes"] == ["a", "b"]


@pytest.mark.runtime_line(51)
def test_a_plan_for_people_names_every_station_and_the_end(comal: Comal):
    shown = comal("tools", "inspect", "refund_order", "--actor", "telegram:7").stdout

    assert "refund_order, called by telegram:7 on telegram with scopes (none)" in shown
    assert all(station in shown for station in ("resolve", "clamp", "execute", "audit"))
    assert "the call would end at authorize" in shown


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
    assert told.stderr == (
        f"comal: tool 'greet' is in {tools_file} and in {folder / 'again.py'}; "
        "give one of the two another name\n"
    )


def test_no_tools_at_all_is_told(comal: Comal, folder: Path):
    (folder / "comal.toml").write_text("")

    told = comal("tools", "list")

    assert (told.exit_code, told.stdout) == (0, "")
    assert "name them with --tools FILE" in told.stderr


def test_inspecting_without_any_tools_tells_that_none_were_named(comal: Comal, folder: Path):
    (folder / "comal.toml").write_text("")

    told = comal("tools", "inspect", "request_verificatoin")

    assert told.exit_code == 2
    assert told.stderr == (
        "comal: tool 'request_verificatoin' is not known, and no tools were named; "
        "name them with --tools FILE or in [tools] modules\n"
    )


def test_the_hosts_own_tools_are_not_suggested(comal: Comal):
    told = comal("tools", "inspect", "request_verificatoin").stderr

    assert told.endswith("is not known; tools: greet, refund_order\n")


@pytest.mark.parametrize(
    ("route", "asks"),
    [
        ('name = "money"\ntool = "refund_*"', "route 'money'"),
        (
            'name = "money"\ntool = "refund_*"\nwhen = "amount > 100"',
            "route 'money' when amount > 100, else the caller",
        ),
        (
            'tool = "refund_*"\nwhen = "amount > 100"',
            "route 'refund_*' when amount > 100, else the caller",
        ),
        ('name = "mail"\ntool = "send_*"', "the caller"),
    ],
)
def test_the_list_names_the_routes_that_ask(comal: Comal, folder: Path, route: str, asks: str):
    (folder / "tools.py").write_text(
        "from comal_runtime.tools import tool\n"
        "@tool(mutating=True)\ndef refund_all() -> str:\n    'Refund.'\n    return ''\n"
    )
    (folder / "comal.toml").write_text(f'[[routes]]\n{route}\napprovers = ["telegram:43"]\n')

    shown = comal("tools", "list", "--tools", "tools.py").stdout.splitlines()[1]

    assert shown.split("  ")[1:2] == [asks]


def test_a_route_that_a_tool_names_and_nobody_configured_is_told(comal: Comal, folder: Path):
    (folder / "comal.toml").write_text('[tools]\nmodules = ["my_tools.py"]\n')

    shown = comal("tools", "list").stdout

    assert "route 'default', which is not configured" in shown


def test_a_table_breaks_its_lines_between_words_only(comal: Comal, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")

    shown = comal("tools", "list").stdout

    assert max(map(len, shown.splitlines())) <= 60
    assert {"refund_order", "'refund_*'", "orders:write", "[bold]money[/bold]"} <= set(
        shown.split()
    )


def test_a_plan_names_the_route_of_the_tool_and_its_approvers(comal: Comal):
    seen = plan(comal, "refund_order", "--actor", "telegram:42")

    (why,) = [step["source"] for step in seen["steps"] if step["kind"] == "confirm"]
    assert why == "route 'refund_*': approved by telegram:43"


def test_a_plan_that_ends_early_still_says_who_would_be_asked(comal: Comal):
    shown = comal("tools", "inspect", "refund_order").stdout.splitlines()

    assert shown[-2:] == [
        "the call would end at authorize",
        "past that, route 'refund_*': approved by telegram:43",
    ]


@pytest.mark.parametrize(
    ("actor", "hint"),
    [
        ("42", "did you mean 'telegram:42'?"),
        (":42", "did you mean 'telegram:42'?"),
        ("ana", "did you mean 'telegram:42'?"),
        ("bo", "as in 'telegram:42'"),
        ("telegram:", "as in 'telegram:42'"),
        ("", "as in 'telegram:42'"),
    ],
)
def test_an_actor_without_a_channel_is_refused_with_the_one_that_was_meant(
    comal: Comal, actor: str, hint: str
):
    told = comal("tools", "inspect", "greet", "--actor", actor)

    assert told.exit_code == 2
    assert told.stderr == (f"comal: --actor is {actor!r}; allowed: '<channel>:<id>'; {hint}\n")


def test_what_a_config_elsewhere_names_is_found_from_anywhere(
    comal: Comal, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (folder / "shop_pack_apart").mkdir()
    (folder / "shop_pack_apart" / "refunds.py").write_text(
        "from comal_runtime.tools import tool\n@tool\ndef wave() -> str:\n    return ''\n"
    )
    config = folder / "comal.toml"
    config.write_text('[tools]\nmodules = ["my_tools.py", "shop_pack_apart.refunds"]\n')
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")

    found = json.loads(comal("tools", "list", "--config", "../comal.toml", "--json").stdout)

    assert [tool["name"] for tool in found] == ["greet", "refund_order", "wave"]


@pytest.mark.runtime_line(51)
def test_every_tool_is_inspected_in_a_line_that_says_how_a_call_goes(comal: Comal):
    shown = comal("tools", "inspect", "--all", "--actor", "telegram:42").stdout.splitlines()

    assert shown[0] == "called by telegram:42 on telegram with scopes orders:write"
    assert [line.split()[:2] for line in shown[2:]] == [["greet", "runs"], ["refund_order", "asks"]]
    assert "approved by telegram:43" in shown[-1]


@pytest.mark.runtime_line(51)
def test_every_tool_is_inspected_as_an_array_of_whole_plans(comal: Comal):
    plans = json.loads(comal("tools", "inspect", "--all", "--json").stdout)

    assert [(one["operation"], one["endsAt"]) for one in plans] == [
        ("greet", "authorize"),
        ("refund_order", "authorize"),
    ]
    assert plans[1] == plan(comal, "refund_order")


def test_inspecting_fits_a_terminal_of_eighty_columns(
    comal: Comal, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "80")

    one = comal("tools", "inspect", "refund_order").stdout
    every = comal("tools", "inspect", "--all").stdout

    assert max(map(len, one.splitlines())) <= 80
    assert max(map(len, every.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [(), ("greet", "--all")])
def test_inspecting_takes_one_name_or_all(comal: Comal, arguments: tuple[str, ...]):
    told = comal("tools", "inspect", *arguments)

    assert told.exit_code == 2
    assert "name one tool, or every one with --all" in told.stderr
