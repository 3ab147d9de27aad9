"""Loading users' tools, and what is said about those that cannot be loaded."""

import sys
from pathlib import Path

import pytest

from comal_bot.cli.loading import load_tools
from comal_bot.settings import BadSettings
from comal_runtime.scanner import tools_of

TOOL = "from comal_runtime.tools import tool\n"
GREET = f"{TOOL}@tool\ndef greet(name: str) -> str:\n    return name\n"


def problem(entry: str, folder: Path) -> str:
    with pytest.raises(BadSettings) as caught:
        load_tools([entry], folder)
    (said,) = caught.value.problems
    return said


def test_a_file_gives_its_tools(folder: Path):
    (folder / "one.py").write_text(GREET)

    (module,) = load_tools(["one.py"], folder)

    assert [tool.name for tool in tools_of(module)] == ["greet"]


def test_files_of_one_name_do_not_replace_each_other(folder: Path):
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "tools.py").write_text(GREET.replace("greet", f"greet_{name}"))

    modules = load_tools(["a/tools.py", "b/tools.py"], folder)

    assert [tool.name for module in modules for tool in tools_of(module)] == ["greet_a", "greet_b"]


def test_a_file_named_twice_is_loaded_once(folder: Path):
    (folder / "one.py").write_text(GREET)

    modules = load_tools(["one.py", str(folder / "one.py")], folder)

    assert len(modules) == 1


def test_a_module_lies_under_the_base(folder: Path):
    (folder / "shop_pack").mkdir()
    (folder / "shop_pack" / "refunds.py").write_text(GREET)

    (module,) = load_tools(["shop_pack.refunds"], folder)

    assert module.__name__ == "shop_pack.refunds"


def test_a_file_imports_what_lies_beside_it_and_hides_nothing_installed(folder: Path):
    (folder / "beside_it.py").write_text("WORD = 'hello'\n")
    (folder / "typer.py").write_text("raise RuntimeError('hidden')\n")
    (folder / "one.py").write_text(f"import typer\nfrom beside_it import WORD\n{GREET}")
    before = sys.path[:]

    load_tools(["one.py"], folder)

    assert sys.path == [*before, str(folder)]


def test_a_dataclass_in_a_tools_file_finds_its_module(folder: Path):
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    (folder / "one.py").write_text(
        f"{text}{GREET}@dataclass(slots=True)\nclass Order:\n    id: int\n"
    )

    assert len(load_tools(["one.py"], folder)) == 1


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("import nothing_of_this_name\n", 1, "No module named 'nothing_of_this_name'"),
        ("x = 1\n\nx / 0\n", 3, "ZeroDivisionError: division by zero"),
        ("x = 1\ndef broken(:\n", 2, "SyntaxError: invalid syntax"),
        ("raise SystemExit('bye')\n", 1, "SystemExit: bye"),
    ],
)
def test_a_file_that_does_not_import_is_told_with_its_line(
    text: str, line: int, said: str, folder: Path
):
    (folder / "bad.py").write_text(text)

    told = problem("bad.py", folder)

    assert told.startswith(f"{folder / 'bad.py'}, line {line}: ")
    assert told.endswith(said)
    assert not [name for name in sys.modules if name.startswith("comal_tools_bad_")]


def test_a_module_that_does_not_import_is_told_with_its_line(folder: Path):
    (folder / "broken_pack.py").write_text("x = 1\nimport nothing_of_this_name\n")

    said = problem("broken_pack", folder)

    place = f"{folder / 'broken_pack.py'}, line 2"
    assert said == f"{place}: ModuleNotFoundError: No module named 'nothing_of_this_name'"


def test_a_module_that_does_not_exist_is_told(folder: Path):
    said = problem("no_such_pack.tools", folder)

    assert said.startswith("tools module 'no_such_pack.tools' is not found: no module ")


def test_a_file_without_tools_is_told_of_the_decorator(folder: Path):
    (folder / "empty.py").write_text("def greet(): ...\n")

    assert problem("empty.py", folder).startswith("empty.py holds no tool; put @tool above")


@pytest.mark.parametrize(
    "text",
    [
        "def register_listeners(dispatcher): ...\n",
        "from comal_runtime.consent.verification import evidence_rule\n"
        "@evidence_rule('small')\ndef small(request): return True\n",
    ],
)
def test_a_file_may_bring_listeners_or_rules_and_no_tool(text: str, folder: Path):
    (folder / "more.py").write_text(text)

    (module,) = load_tools(["more.py"], folder)

    assert list(tools_of(module)) == []


def test_a_file_of_nothing_is_told_what_it_may_hold(folder: Path):
    (folder / "empty.py").write_text("X = 1\n")

    said = problem("empty.py", folder)

    assert "@tool" in said
    assert "register_listeners(dispatcher)" in said
    assert "@evidence_rule" in said


@pytest.mark.parametrize("entry", [".", ".."])
def test_a_folder_is_told_as_one(entry: str, folder: Path):
    assert problem(entry, folder) == f"tools file '{entry}' is a folder; name a file in it"


def test_a_tool_that_cannot_be_called_with_json_is_told(folder: Path):
    (folder / "odd.py").write_text(f"{TOOL}@tool\ndef odd(*args: int) -> str:\n    return ''\n")

    assert problem("odd.py", folder).startswith("odd.py: tool 'odd': ")


def test_an_option_that_is_misspelt_is_told_with_its_line_and_the_near_one(folder: Path):
    text = GREET.replace("@tool", "@tool(mutatin=True)")
    (folder / "odd.py").write_text(text)

    assert problem("odd.py", folder) == (
        f"{folder / 'odd.py'}, line 2: @tool has no option 'mutatin'; did you mean 'mutating'?"
    )


def test_a_module_lies_under_any_of_the_bases(folder: Path):
    (folder / "apart").mkdir()
    (folder / "apart" / "tools_apart.py").write_text(GREET)

    (module,) = load_tools(["tools_apart"], folder, folder / "apart")

    assert module.__name__ == "tools_apart"


def test_every_entry_that_cannot_be_loaded_is_told(folder: Path):
    (folder / "bad.py").write_text("1 / 0\n")

    with pytest.raises(BadSettings) as caught:
        load_tools(["bad.py", "missing.py", "."], folder)

    assert len(caught.value.problems) == 3


@pytest.mark.runtime_line(10)
def test_a_file_may_bring_its_tools_by_a_register_function(folder: Path):
    (folder / "brought.py").write_text(
        "def register(registry):\n"
        "    registry.register('wind', 'Tell of wind.', {'type': 'object'}, lambda: 1)\n"
    )

    (module,) = load_tools(["brought.py"], folder)

    assert [tool.name for tool in tools_of(module)] == ["wind"]


def test_a_register_function_that_fails_is_told_with_its_line(folder: Path):
    (folder / "brought.py").write_text("def register(registry):\n    raise OSError('no net')\n")

    said = problem("brought.py", folder)

    assert said == f"brought.py: {folder / 'brought.py'}, line 2: OSError: no net"
