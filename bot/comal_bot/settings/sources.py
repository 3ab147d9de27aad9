"""Where settings come from: comal.toml, `.env` and the environment, each as one nested table."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource

from .problems import Problem, near
from .shape import Shape, names_below, shape_of

PREFIX: Final = "COMAL_"
_FILE: Final = "_file"

Table = dict[str, Any]
"""Settings as bytes gave them: unchecked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One place settings were read from.

    `label` is the file's name, empty for the environment; `variables` names the variable behind
    each value, where variables hold them.
    """

    label: str
    values: Table = field(default_factory=dict, repr=False)
    variables: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def from_toml(path: Path) -> Source:
    """Read a TOML file; what is wrong with it is among the source's problems."""
    try:
        return Source(label=str(path), values=tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problem = f"{path}: cannot be read as TOML: {error}"
    except FileNotFoundError:
        problem = f"{path}: there is no such file; --config names the settings"
    except OSError as error:
        problem = f"{path}: cannot be read: {error.strerror}"
    return Source(label=str(path), problems=(Problem(text=problem, whole=True),))


def from_environment() -> Source:
    """Read the environment's variables that begin with `COMAL_`."""
    found = EnvSettingsSource(BaseSettings, case_sensitive=True, env_ignore_empty=True).env_vars
    return _from_variables("", found)


def from_dotenv(path: Path) -> Source:
    """Read the variables of a `.env` file; a file that is not there says nothing."""
    if not path.is_file():
        return Source(label=str(path))
    try:
        source = DotEnvSettingsSource(
            BaseSettings, env_file=path, case_sensitive=True, env_ignore_empty=True
        )
    except (OSError, UnicodeDecodeError) as error:
        problem = Problem(text=f"{path}: cannot be read: {error}", whole=True)
        return Source(label=str(path), problems=(problem,))
    return _from_variables(str(path), source.env_vars)


def _from_variables(label: str, found: Mapping[str, str | None]) -> Source:
    values: Table = {}
    variables: dict[tuple[str, ...], str] = {}
    problems: list[Problem] = []
    for name, path, text in _settings_among(found):
        try:
            variable, path, value = _read(name, path, text)
            if path in variables:
                raise _Unreadable(f"is set beside {variables[path]}; keep one of them")
        except _Unreadable as error:
            where = f"{label}: {name}" if label else name
            problems.append(Problem(text=f"{where} {error}", path=_blamed(path), whole=True))
        else:
            variables[path] = variable
            _put(values, path, value)
    return Source(label=label, values=values, variables=variables, problems=tuple(problems))


def _blamed(path: tuple[str, ...]) -> tuple[str, ...]:
    return (*path[:-1], path[-1].removesuffix(_FILE))


class _Unreadable(Exception):
    """A variable says nothing; the text follows its name."""


def _settings_among(found: Mapping[str, str | None]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield (variable, path, text), outer tables first.

    A variable without `__` that is near no section is somebody else's, such as the `COMAL_PORT`
    that Kubernetes sets for a service of this name.
    """
    for name in sorted(found, key=lambda one: (one.count("__"), one)):
        text = found[name]
        if not name.startswith(PREFIX) or not text:
            continue
        path = tuple(name.removeprefix(PREFIX).lower().split("__"))
        if len(path) > 1 or near(path[0], names_below(())) is not None:
            yield name, path, text


def _read(name: str, path: tuple[str, ...], text: str) -> tuple[str, tuple[str, ...], Any]:
    """Return the variable to blame, the setting's path and its value."""
    bare = _blamed(path)
    if bare != path and shape_of(bare) is Shape.SECRET:
        return name, bare, _content(text)
    match shape_of(path):
        case Shape.LIST if not text.lstrip().startswith("["):
            return name, path, [part.strip() for part in text.split(",") if part.strip()]
        case Shape.LIST | Shape.TABLE:
            return name, path, _json(text)
        case Shape.TEXT | Shape.SECRET | None:
            return name, path, text


def _content(path: str) -> str:
    try:
        content = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise _Unreadable(f"names {path!r}, which cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _Unreadable(f"names {path!r}, which is not UTF-8 text") from error
    if not content:
        raise _Unreadable(f"names {path!r}, which is empty")
    return content


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise _Unreadable(f"must be JSON, and is not: {error}") from error


def _put(values: Table, path: tuple[str, ...], value: Any) -> None:
    for part in path[:-1]:
        inner = values.get(part)
        if not isinstance(inner, dict):
            inner = values[part] = {}
        values = inner
    values[path[-1]] = value
