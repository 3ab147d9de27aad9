"""What is wrong with settings: one sentence each, all told at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

Setting = tuple[str | int, ...]
"""Keys and list indices from the root of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong. `text` follows the setting's name, unless it is `whole` already.

    `beside` are other settings it is about as well. `known` are the keys that may stand in place of
    an unknown one; they are told as the setting itself was written.
    """

    text: str
    path: Setting = ()
    whole: bool = False
    beside: tuple[Setting, ...] = ()
    known: tuple[str, ...] = ()


_NESTED: Final = ("channels", "policy", "roles")
_TABLES: Final = (("limits", "channels"), ("limits", "tools"))


class BadSettings(Exception):
    """The host cannot be started as told; `problems` holds a sentence for each thing wrong."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def near(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that `name` was probably meant to be."""
    found = get_close_matches(name, known, n=1, cutoff=0.7)
    return found[0] if found else None


def hint(name: str, known: Sequence[str]) -> str:
    """Say which of the known names is near, or else all of them."""
    meant = near(name, known)
    return f"known here: {', '.join(known)}" if meant is None else f"did you mean {meant!r}?"


def spelled(path: Setting) -> str:
    """Name a setting as TOML does: `[channels.main] token`, `[[people]] #2 name`."""
    keys = [str(part) for part in path if not isinstance(part, int)]
    head = path[0]
    if len(path) == 1:
        return f"[{head}]"
    if isinstance(path[1], int):
        rest = [_part(part) for part in path[2:]]
        return " ".join([f"[[{head}]] #{path[1] + 1}", *rest])
    nested = head in _NESTED or (path[:2] in _TABLES and len(path) > 2)
    table = path[:2] if nested else path[:1]
    rest = [_part(part) for part in path[len(table) :]]
    return " ".join([f"[{'.'.join(keys[: len(table)])}]", *rest])


def variable_for(path: Setting) -> str:
    """Name a setting as the environment does: `COMAL_CHANNELS__MAIN__TOKEN`."""
    return "COMAL_" + "__".join(str(part) for part in path).upper()


def _part(part: str | int) -> str:
    return f"#{part + 1}" if isinstance(part, int) else part
