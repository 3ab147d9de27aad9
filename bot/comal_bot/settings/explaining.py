"""Turns what a check found into a sentence: which setting, from where, what mends it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from comal_runtime.redact import redact_text

from .problems import Problem, Setting, hint, near, spelled, variable_for
from .shape import Shape, names_below, shape_of
from .sources import PREFIX, Source
from .wording import WORDED

_A_NUMBER: Final = "must be a whole number"
_A_TEXT: Final = "must be a text"
_A_TABLE: Final = "must be a table"
_A_SWITCH: Final = "must be true or false"
_MUST: Final[Mapping[str, str]] = {
    "bool_type": _A_SWITCH,
    "bool_parsing": _A_SWITCH,
    "int_type": _A_NUMBER,
    "int_parsing": _A_NUMBER,
    "int_parsing_size": _A_NUMBER,
    "int_from_float": _A_NUMBER,
    "string_type": _A_TEXT,
    "string_unicode": _A_TEXT,
    "string_too_short": "must not be empty",
    "tuple_type": "must be a list",
    "dict_type": _A_TABLE,
    "mapping_type": _A_TABLE,
    "model_type": _A_TABLE,
}
"""What a value must be, by the type of pydantic's error; the others are told in its own words."""


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
                text = problem.text + _known(problem, source, depth)
                return f"{source.label}: {name} {text}".removeprefix(": ")
    return f"{variable_for(problem.path)} {problem.text}"


def _numbered(path: Setting) -> bool:
    return any(isinstance(part, int) for part in path)


def _problem(path: Setting, kind: str, message: str, found: object) -> Problem:
    match kind:
        case "extra_forbidden":
            return Problem(path=path, text="is unknown", known=names_below(path[:-1]))
        case "missing":
            return Problem(path=path, text="is not set")
        case _ if kind == WORDED:
            return Problem(path=path, text=message)
        case _:
            must = _MUST.get(kind) or message.removeprefix("Input should").strip()
            must = must if must.startswith("must ") else f"must {must}"
            return Problem(path=path, text=f"is {_shown(path, found)}; it {must}")


def _known(problem: Problem, source: Source, depth: int) -> str:
    """Say what an unknown key could be: a variable where a variable's own name is what is wrong."""
    if not problem.known:
        return ""
    path = problem.path
    variable = _variable_in(source, path, depth) if source.variables else None
    meant = near(str(path[-1]), problem.known)
    if variable is None or meant is None or depth < len(path):
        return f"; {hint(str(path[-1]), problem.known)}"
    parts = variable.removeprefix(PREFIX).split("__")
    parts[depth - 1] = meant.upper()
    return f"; did you mean {PREFIX + '__'.join(parts)!r}?"


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
