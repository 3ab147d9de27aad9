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

from .anchoring import anchor, anchored, url_of
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

    Relative files, the record and tools, lie in the folder of the settings file that names them,
    else in the working directory. A record that nothing names lies beside `config`.

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
    modules = (*settings.tools.modules, *(anchored(entry, Path.cwd()) for entry in tools))
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
        sources.insert(0, _from_option(data))
    if config is not None or DEFAULT_CONFIG.is_file():
        sources.append(from_toml(config or DEFAULT_CONFIG))
    for source in sources:
        folder = Path(source.label).parent if source.label else Path()
        anchor(source.values, folder.resolve())
    if config is not None:
        sources.append(_keeping_in(config.parent, label=""))
    return sources


def _from_option(data: Path) -> Source:
    """Return what `--data` says."""
    if data.exists() and not data.is_dir():
        text = f"--data names {str(data)!r}, which is a file; name a folder to keep {DATABASE} in"
        problem = Problem(text=text, path=("data", "url"), whole=True)
        return Source(label="--data", problems=(problem,))
    return _keeping_in(data, label="--data")


def _keeping_in(folder: Path, label: str) -> Source:
    return Source(label=label, values={"data": {"url": url_of(folder.resolve() / DATABASE)}})


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
    paths = (problem.path, *problem.beside)
    return any(one.path[: len(path)] == path for one in found for path in paths)


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
