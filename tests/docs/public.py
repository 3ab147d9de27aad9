"""The public names of the packages, and what their docstrings leave untold."""

import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

PACKAGES: Final = ("comal_runtime", "comal_renderers", "comal_bot")

_UNTOLD: Final = re.compile(r"\b(?:int|float|bytes|object|Any)\b")
"""Types that tell neither a unit nor a shape."""

_TELLS_UNIT: Final = re.compile(r"_(?:bytes|ms|seconds|at|id|characters)$")
_ELSEWHERE: Final = "see `[A-Z_a-z.]+`"

_KNOWN: Final = frozenset({"self", "cls", "args", "meta"})
"""Parameters that are the same everywhere: a call's arguments, and what goes beside a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """A public name, or a public member of one; `around` is the docstring of its class."""

    name: str
    value: object
    around: str = ""

    @property
    def told(self) -> str:
        """Its own docstring; empty if it has none, or one that only repeats its signature."""
        told = getattr(self.value, "__doc__", None) or ""
        made = inspect.isclass(self.value) and told.startswith(f"{self.value.__name__}(")
        return "" if made else told


def public() -> Iterator[Public]:
    """Yield every class and function of the packages' `__all__`, and their own public members."""
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value):
                yield from _of_class(f"{package}.{name}", value)
            elif inspect.isroutine(value):
                yield Public(name=f"{package}.{name}", value=value)


def untold(one: Public) -> list[str]:
    """Return the parameters whose type tells too little, and which no docstring names."""
    if isinstance(one.value, property):
        return []
    told = f"{one.told}\n{one.around}"
    return [
        parameter.name
        for parameter in inspect.signature(one.value).parameters.values()
        if _needs_telling(parameter) and not _named(parameter.name, told)
    ]


def _of_class(name: str, value: type) -> Iterator[Public]:
    about = Public(name=name, value=value)
    yield about
    for member, held in vars(value).items():
        found = held.__func__ if isinstance(held, classmethod | staticmethod) else held
        if not member.startswith("_") and (
            inspect.isfunction(found) or isinstance(found, property)
        ):
            yield Public(name=f"{name}.{member}", value=found, around=about.told)


def _needs_telling(parameter: inspect.Parameter) -> bool:
    if parameter.name in _KNOWN or parameter.name.startswith("_"):
        return False
    return bool(_UNTOLD.search(_written(parameter))) and not _TELLS_UNIT.search(parameter.name)


def _written(parameter: inspect.Parameter) -> str:
    kind = parameter.annotation
    return kind.__name__ if inspect.isclass(kind) else str(kind)


def _named(parameter: str, told: str) -> bool:
    """Tell whether a docstring has the parameter among its `Args:`, in backticks, or elsewhere."""
    name = re.escape(parameter)
    return (
        re.search(rf"^\s*{name}:|`[^`\n]*\b{name}\b|{_ELSEWHERE}", told, re.MULTILINE) is not None
    )
