"""The code blocks of a page: taken out of its text, run in order, held to what they print.

Blocks of a page share one folder, one namespace and one event loop:

- a block that begins with `# name.py` or `# name.toml` is that file; `comal.toml` is
  read as settings, and any other `toml` block as a part of some;
- any other `python` block runs; it may await, as in `python -m asyncio`;
- a comment behind a `print(...)` is the line it prints; a `text` block is all that the block before
  it prints;
- in a `console` block, lines after `$ command` are what the command prints.

`...` in shown output stands for anything.
"""

import ast
import asyncio
import contextlib
import importlib
import inspect
import io
import os
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from types import CodeType
from typing import Any, Final

from comal_bot.settings import Settings, load_settings

_FENCE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE: Final = re.compile(r"# ([\w./-]+\.(?:py|toml))\n")
_COMMAND: Final = re.compile(r"^\$ (.+)\n", re.MULTILINE)
_BESIDE: Final = Path(sys.executable).parent
_COLUMNS: Final = 100
_PATIENCE: Final = 60  # seconds a command may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block; `line` is where its text begins, counted from 1."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The file this block is, if it is one."""
        found = _FILE.match(self.text)
        return found[1] if found else None

    def __str__(self) -> str:
        return f"{self.page.name}, line {self.line}"


class WrongOutput(AssertionError):
    """A block prints something else than its page shows."""


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    text = page.read_text("utf-8")
    return [
        Block(
            page=page,
            line=text.count("\n", 0, found.start(2)) + 1,
            language=found[1],
            text=found[2],
        )
        for found in _FENCE.finditer(text)
    ]


@contextlib.contextmanager
def reachable(folder: Path) -> Iterator[None]:
    """Let the files of a folder be imported meanwhile, and forget them after."""
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if file is not None and Path(file).is_relative_to(folder):
                del sys.modules[name]


class Story:
    """The blocks of one page, run in order in a folder.

    Raises:
        WrongOutput: A block prints something else than the page shows.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, Any] = {"__name__": "__page__"}

    def run(self, blocks: list[Block]) -> dict[str, Any]:
        """Run all of them; return the names they made."""
        with reachable(self._folder), contextlib.chdir(self._folder), asyncio.Runner() as runner:
            for block, after in zip_longest(blocks, blocks[1:]):
                self._run(block, after, runner)
        return self._names

    def _run(self, block: Block, after: Block | None, runner: asyncio.Runner) -> None:
        if block.file is not None:
            self._write(block, block.file)
        elif block.language == "python":
            shown = after.text if after is not None and after.language == "text" else None
            _compare(block, shown or _promised(block.text), self._python(block, runner))
        elif block.language == "toml":
            Settings(**tomllib.loads(block.text))
        elif block.language == "console":
            for command, shown in _commands(block.text):
                _compare(block, shown, self._command(command))

    def _write(self, block: Block, name: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        importlib.invalidate_caches()
        if name == "comal.toml":
            load_settings(path)
        elif name.endswith(".toml"):
            tomllib.loads(block.text)
        else:
            compile(block.text, str(block), "exec")

    def _python(self, block: Block, runner: asyncio.Runner) -> str:
        code = compile(
            "\n" * (block.line - 1) + block.text,
            str(block.page),
            "exec",
            flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        )
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            if code.co_flags & inspect.CO_COROUTINE:
                runner.run(_awaited(code, self._names))
            else:
                exec(code, self._names)
        return printed.getvalue()

    def _command(self, command: str) -> str:
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        return ran.stdout


async def _awaited(code: CodeType, names: dict[str, Any]) -> None:
    await eval(code, names)


def _environment() -> Mapping[str, str]:
    """Return this process's environment without settings, and with the tools beside Python."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COMAL_")}
    path = f"{_BESIDE}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "COLUMNS": str(_COLUMNS), "NO_COLOR": "1"}


def _promised(code: str) -> str:
    """Return the comments behind `print(...)`, each of which is a line."""
    lines = [
        token.string.removeprefix("# ")
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT and "print(" in token.line.split("#")[0]
    ]
    return "".join(f"{line}\n" for line in lines)


def _commands(text: str) -> Iterator[tuple[str, str]]:
    [before, *parts] = _COMMAND.split(text)
    if before.strip():
        raise WrongOutput(f"a console block begins with a command, not with {before!r}")
    yield from zip(parts[::2], parts[1::2], strict=True)


def _compare(block: Block, shown: str, printed: str) -> None:
    expected, found = _tidy(shown), _tidy(printed)
    pattern = re.escape(expected).replace(re.escape("..."), ".*")
    if not re.fullmatch(pattern, found, re.DOTALL):
        raise WrongOutput(f"{block} shows\n\n{expected}\n\nbut prints\n\n{found}")


def _tidy(output: str) -> str:
    return "\n".join(line.rstrip() for line in output.strip().splitlines())
