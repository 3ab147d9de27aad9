"""A folder to stand in, and the command line in this process and in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from comal_bot.cli.program import app

TOOLS = '''
from comal_runtime.tools import tool


@tool
def greet(name: str) -> str:
    """Say hello."""
    return f"hello {name}"


@tool(mutating=True, approval="default", scopes=("orders:write",))
def refund_order(order: int, amount: float) -> str:
    """Give [bold]money[/bold] back."""
    return "ok"
'''

Comal = Callable[..., Result]
Console = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "path", sys.path[:])
    return tmp_path


@pytest.fixture
def tools_file(folder: Path) -> Path:
    path = folder / "my_tools.py"
    path.write_text(TOOLS)
    return path


@pytest.fixture
def comal() -> Comal:
    """Run a command in this process."""
    return lambda *arguments: CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.fixture
def console(folder: Path) -> Console:
    """Run the real console script in the folder."""
    script = Path(sys.executable).with_name("comal")

    def run(*arguments: str, env: Mapping[str, str] | None = None):
        return subprocess.run(
            [script, *arguments],
            cwd=folder,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run
