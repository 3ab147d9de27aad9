"""Lays the sources over one another, checks the whole and tells everything that is wrong."""

import copy
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from .checks import MAIN, across, before_serving
from .explaining import path_of, problems_of, sentence
from .problems import BadSettings, Problem, Setting
from .sources import Source, Table, from_dotenv, from_environment, from_toml
from .values import Settings

DEFAULT_CONFIG: Final = Path("comal.toml")
DATABASE: Final = "comal.db"
"""The database's name in a folder named by `data`."""


def load_settings(
    config: Path | None = None,
    *,
    tools: Sequence[str] = (),
    data: Path | None = None,
    serving: bool = False,
) -> Settings:
    """Read the settings: environment, then `.env`, then the file, then defaults.

    Files among the tools are named by absolute paths in what is returned.

    Args:
        config: The TOML file; None takes `comal.toml` of the working directory, if there is one.
        tools: Files and modules in addition to those configured.
        data: A folder to keep the record in, whatever is configured.
        serving: Also check that people can be served; without a channel there is `main`.

    Raises:
        BadSettings: Something is wrong; all of it is told.
    """
    sources = _sources(config, data)
    raw = _merged(sources)
    if serving and not raw.get("channels"):
        raw["channels"] = {MAIN: {}}
    settings, problems = _judged(raw, sources, serving)
    if settings is None or problems:
        sentences = [sentence(problem, sources) for problem in problems]
        raise BadSettings(tuple(dict.fromkeys(sentences)))
    modules = (*settings.tools.modules, *(_anchored(entry, Path.cwd()) for entry in tools))
    chosen = settings.tools.model_copy(update={"modules": tuple(dict.fromkeys(modules))})
    return settings.model_copy(update={"tools": chosen})


def _judged(
    raw: Table, sources: Sequence[Source], serving: bool
) -> tuple[Settings | None, list[Problem]]:
    problems = [problem for source in sources for problem in source.problems]
    if not all(problem.path for problem in problems):  # a file says nothing; judge nothing else
        return None, problems
    settings, wrong = _checked(raw)
    problems += wrong
    if settings is not None:
        more = [*across(settings), *(before_serving(settings) if serving else ())]
        problems += [problem for problem in more if not _follows(problem, problems)]
    return settings, problems


def _sources(config: Path | None, data: Path | None) -> list[Source]:
    """Return the sources, strongest first."""
    sources = [from_environment(), from_dotenv(Path(".env"))]
    if data is not None:
        url = f"sqlite:///{data.resolve() / DATABASE}"
        sources.insert(0, Source(label="--data", values={"data": {"url": url}}))
    if config is not None or DEFAULT_CONFIG.is_file():
        sources.append(from_toml(config or DEFAULT_CONFIG))
    for source in sources:
        folder = Path(source.label).parent if source.label else Path()
        _anchor_tools(source.values, folder.resolve())
    return sources


def _anchor_tools(values: Table, folder: Path) -> None:
    tools = values.get("tools")
    modules = tools.get("modules") if isinstance(tools, dict) else None
    if isinstance(tools, dict) and isinstance(modules, list):
        tools["modules"] = [
            _anchored(one, folder) if isinstance(one, str) else one for one in modules
        ]


def _anchored(entry: str, folder: Path) -> str:
    """Return a file's absolute path; a module's name stays."""
    if entry.endswith(".py") or "/" in entry:
        return str(folder / Path(entry).expanduser())
    return entry


def _merged(sources: Sequence[Source]) -> Table:
    """Return what the sources say together, unchecked."""

    class Merged(BaseSettings):
        model_config = SettingsConfigDict(extra="allow")

        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *_: object, **__: object
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return tuple(InitSettingsSource(settings_cls, source.values) for source in sources)

    return copy.deepcopy(Merged().model_extra or {})


def _checked(raw: Table) -> tuple[Settings | None, list[Problem]]:
    """Return the settings and what is wrong with each; what is wrong has been taken out.

    None in place of settings when nothing can be made of them.
    """
    found: list[Problem] = []
    settings: Settings | None = None
    while settings is None:
        try:
            settings = Settings.model_validate(raw)
        except ValidationError as error:
            if not found:
                found = problems_of(error)
            if not _prune(raw, error):
                return None, found
    return settings, found


def _follows(problem: Problem, found: Sequence[Problem]) -> bool:
    """Tell whether a problem was found already, or something inside what it is about."""
    path = problem.path
    return any(one.path[: len(path)] == path for one in found)


def _prune(raw: Table, error: ValidationError) -> bool:
    """Take each wrong value out of its table; a table that lacks a value goes as a whole."""
    errors = error.errors(include_url=False)
    wrong = [path_of(one["loc"]) for one in errors if one["type"] != "missing"]
    lacking = {path_of(one["loc"])[:-1] for one in errors if one["type"] == "missing"}
    removed = [_remove(raw, path) for path in (*_inmost_first(wrong), *_inmost_first(lacking))]
    return any(removed)


def _inmost_first(paths: Iterable[Setting]) -> list[Setting]:
    """Order paths so that removing one leaves the next where it was."""
    return sorted(paths, key=lambda path: [str(part).rjust(9) for part in path], reverse=True)


def _remove(raw: Any, path: Setting) -> bool:
    holder = raw
    try:
        for part in path[:-1]:
            holder = holder[part]
        del holder[path[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True
