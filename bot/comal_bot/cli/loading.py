"""Loads users' tools: files such as `my_tools.py` and modules such as `package.module`."""

import hashlib
import importlib
import sys
import traceback
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from comal_bot.settings import BadSettings
from comal_runtime.consent.verification.rules import rules_of
from comal_runtime.errors import ComalError
from comal_runtime.scanner import tools_of
from comal_runtime.tools import Tool

_OURS: Final = "comal_tools_"
_HERE: Final = Path(__file__).parent


def folders(config: Path | None) -> tuple[Path, ...]:
    """Return where modules may lie: beside the settings file, and in the working directory."""
    beside = Path() if config is None else config.parent
    return tuple(dict.fromkeys((beside.resolve(), Path.cwd())))


def load_tools(entries: Sequence[str], base: Path, *others: Path) -> list[ModuleType]:
    """Import every entry once, in order.

    A file's folder, and for a module `base` and the `others`, are put at the end of `sys.path`, so
    that tools can import what lies beside them and nothing installed is hidden.

    Args:
        entries: Files (relative ones under `base`) and dotted names.

    Raises:
        BadSettings: Some cannot be imported or hold no tool; all of them are told.
    """
    modules: dict[str, ModuleType] = {}
    problems: list[str] = []
    for entry in entries:
        try:
            module = _load(entry, (base, *others))
            check(entry, module)
        except Unusable as error:
            problems.append(str(error))
        else:
            modules[module.__name__] = module
    if problems:
        raise BadSettings(tuple(problems))
    return list(modules.values())


class Unusable(Exception):
    """One entry gives no tools; the text is whole."""


def _load(entry: str, bases: Sequence[Path]) -> ModuleType:
    if entry.endswith(".py") or "/" in entry or entry in (".", ".."):
        return _from_file(entry, bases[0] / Path(entry).expanduser())
    return _from_name(entry, bases)


def _from_file(entry: str, path: Path) -> ModuleType:
    path = path.resolve()
    if path.is_dir():
        raise Unusable(f"tools file {entry!r} is a folder; name a file in it")
    if not path.is_file():
        raise Unusable(f"tools file {str(path)!r} does not exist")
    name = f"{_OURS}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Unusable(f"tools file {entry!r} is no Python file; its name must end in .py")
    module = module_from_spec(spec)
    _reach(path.parent)
    sys.modules[name] = module  # dataclasses and annotations look their module up here
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # another author's code may raise anything
        del sys.modules[name]
        raise Unusable(explained(entry, error, path)) from error
    return module


def _from_name(entry: str, bases: Sequence[Path]) -> ModuleType:
    for base in bases:
        _reach(base)
    try:
        return importlib.import_module(entry)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{entry}.".startswith(f"{error.name}."):
            raise Unusable(
                f"tools module {entry!r} is not found: no module {error.name!r}; "
                "a file is named with its .py"
            ) from error
        raise Unusable(explained(entry, error, None)) from error
    except (Exception, SystemExit) as error:  # another author's code may raise anything
        raise Unusable(explained(entry, error, None)) from error


def _reach(folder: Path) -> None:
    name = str(folder.resolve())
    if name not in sys.path:
        sys.path.append(name)


def check(entry: str, source: object) -> list[Tool]:
    """Return the tools that a source gives.

    Raises:
        Unusable: It gives none, or one that cannot be called.
    """
    try:
        found = list(tools_of(source))
    except ComalError as error:
        raise Unusable(f"{entry}: {error}") from error
    except Exception as error:  # a provider's own code may raise anything
        raise Unusable(named(entry, error)) from error
    if not found and not _serves_otherwise(source):
        raise Unusable(
            f"{entry} holds no tool; put @tool above a function (from comal_runtime import tool). "
            "It may also hold register_listeners(dispatcher), or rules under @evidence_rule"
        )
    return found


def _serves_otherwise(source: object) -> bool:
    """Tell whether a source without tools brings listeners, or rules that routes name."""
    return callable(getattr(source, "register_listeners", None)) or bool(rules_of(source))


def named(entry: str, error: BaseException) -> str:
    """Say what `explained` does, beginning with the entry."""
    said = explained(entry, error, None)
    return said if said.startswith(entry) else f"{entry}: {said}"


def explained(entry: str, error: BaseException, path: Path | None) -> str:
    """Say where an import failed and what Python said."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ComalError):
        said = str(error)  # written for the author of the tools
    if isinstance(error, SyntaxError):
        said = f"{type(error).__name__}: {error.msg}"
        return f"{error.filename or entry}, line {error.lineno}: {said}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen ") and Path(frame.filename).parent != _HERE
    ]
    own = [frame for frame in frames if path is not None and frame.filename == str(path)]
    importing = [frame for frame in frames if "importlib" not in Path(frame.filename).parts]
    for frame in (own or importing)[-1:]:
        return f"{frame.filename}, line {frame.lineno}: {said}"
    return f"{entry}: {said}"
