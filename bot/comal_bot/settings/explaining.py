"""Turns what a check found into a sentence: which setting, from where, what mends it."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from comal_runtime.redact import redact_text

from .problems import Problem, Setting, near, spelled, variable_for
from .shape import Shape, names_below, shape_of
from .sources import Source
from .wording import WORDED


def path_of(loc: tuple[int | str, ...]) -> Setting:
    """Return where an error is, in keys and list indices; a wrong key counts as its value."""
    return tuple(part for part in loc if part != "[key]")


def problems_of(error: ValidationError) -> list[Problem]:
    """Return a problem for each error of a check."""
    return [
        _problem(path_of(one["loc"]), one["type"], one["msg"], one["input"])
        for one in error.errors(include_url=False)
    ]


def sentence(problem: Problem, sources: Sequence[Source]) -> str:
    """Say a problem with the name of its setting, as it was written where it was found."""
    if problem.whole:
        return problem.text
    if problem.text.startswith("is not set") and not _numbered(problem.path):
        return f"{variable_for(problem.path)} {problem.text}"
    for depth in range(len(problem.path), 0, -1):
        for source in sources:
            name = _name_in(source, problem.path, depth)
            if name is not None:
                return f"{source.label}: {name} {problem.text}".removeprefix(": ")
    return f"{variable_for(problem.path)} {problem.text}"


def _numbered(path: Setting) -> bool:
    return any(isinstance(part, int) for part in path)


def _problem(path: Setting, kind: str, message: str, found: object) -> Problem:
    match kind:
        case "extra_forbidden":
            return Problem(path=path, text=f"is unknown; {_suggestion(path)}")
        case "missing":
            return Problem(path=path, text="is not set")
        case _ if kind == WORDED:
            return Problem(path=path, text=message)
        case _:
            wanted = message.replace("Input should", "it must", 1)
            return Problem(path=path, text=f"is {_shown(path, found)}; {_plain(wanted)}")


def _suggestion(path: Setting) -> str:
    known = names_below(path[:-1])
    meant = near(str(path[-1]), known)
    if meant is None:
        return f"known here: {', '.join(known)}"
    return f"did you mean {meant!r}?"


def _shown(path: Setting, found: object) -> str:
    """Show a wrong value; a secret is never shown, a table or list only named."""
    if shape_of(path) is Shape.SECRET:
        return "of another type"
    match found:
        case dict():
            return "a table"
        case list() | tuple():
            return "a list"
        case _:
            return redact_text(repr(found))


def _plain(message: str) -> str:
    named = re.sub(r" or instance of \w+", "", message)
    return named.replace("a valid dictionary", "a table").replace("a valid tuple", "a list")


def _name_in(source: Source, path: Setting, depth: int) -> str | None:
    """Name the setting as this source wrote it, if it wrote the first `depth` parts of it."""
    if source.variables:
        variable = _variable_in(source, path, depth)
        rest = [f"#{part + 1}" if isinstance(part, int) else part for part in path[depth:]]
        return None if variable is None else " ".join([variable, *rest])
    holder: Any = source.values
    for part in path[:depth]:
        try:
            holder = holder[part]
        except (KeyError, IndexError, TypeError):
            return None
    return spelled(path)


def _variable_in(source: Source, path: Setting, depth: int) -> str | None:
    head = tuple(str(part) for part in path[:depth])
    variable = source.variables.get(head)
    if variable is None and depth == len(path):
        inside = (name for below, name in source.variables.items() if below[:depth] == head)
        return next(inside, None)
    return variable
