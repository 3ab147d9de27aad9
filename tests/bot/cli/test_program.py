"""The console script: what it says and the codes it ends with."""

import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from .conftest import Console

TOKEN = "7000000009:AAemulated"


def test_the_version_is_that_of_the_distribution(console: Console):
    shown = console("--version")

    assert (shown.returncode, shown.stdout) == (0, f"comal {version('comal')}\n")


def test_the_module_is_the_command(folder: Path):
    shown = subprocess.run(
        [sys.executable, "-m", "comal_bot", "--help"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "Usage: comal [OPTIONS] COMMAND" in shown.stdout


def test_an_unknown_option_is_a_misuse(console: Console):
    assert console("run", "--bogus").returncode == 2


def test_settings_that_cannot_be_used_are_told_without_a_traceback(console: Console):
    told = console("run", env={"COMAL_HOST__LOG": "xml"})

    assert told.returncode == 2
    assert told.stdout == ""
    assert told.stderr.splitlines() == [
        "comal: COMAL_HOST__LOG is 'xml'; it must be 'text' or 'json'",
        "comal: COMAL_CHANNELS__MAIN__TOKEN is not set; @BotFather gives one",
        "comal: COMAL_MODEL__NAME is not set; it is the model's name at its host, such as 'qwen3'",
        "comal: COMAL_MODEL__BASE_URL is not set and neither is COMAL_MODEL__API_KEY: "
        "https://api.openai.com wants a key, and any other server its address, such as "
        "'http://127.0.0.1:11434/v1'",
    ]


def test_tools_that_do_not_import_are_told_without_a_traceback(console: Console, folder: Path):
    (folder / "bad.py").write_text("\nimport nothing_of_this_name\n")
    env = {"COMAL_CHANNELS__MAIN__TOKEN": TOKEN, "COMAL_MODEL__PROVIDER": "scripted"}

    told = console("run", "--tools", "bad.py", env=env)

    assert told.returncode == 2
    assert told.stderr == (
        f"comal: {folder / 'bad.py'}, line 2: "
        "ModuleNotFoundError: No module named 'nothing_of_this_name'\n"
    )


def test_a_demo_on_a_taken_port_is_told_of_the_port_and_the_option(console: Console, folder: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = console("demo", "--no-browser", "--data", str(folder / "d"), "--port", port)

    assert told.returncode == 1
    assert port in told.stderr
    assert "--port" in told.stderr
    assert "Traceback" not in told.stderr


def test_the_command_begins_without_what_it_may_not_need(folder: Path):
    heavy = "{'typer', 'pydantic', 'rich', 'asyncio', 'comal_bot.app', 'comal_bot.settings'}"
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys, comal_bot.cli; print({heavy} & set(sys.modules))"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown.stdout == "set()\n"


def test_the_help_of_json_tells_where_errors_go(console: Console):
    shown = " ".join(console("approvals", "list", "--help", env={"COLUMNS": "200"}).stdout.split())

    assert "Errors stay sentences on stderr, with exit code 1" in shown
