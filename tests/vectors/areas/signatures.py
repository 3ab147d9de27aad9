"""Reads the neutral notation of signatures: `Tool(confirm=true) (?int $limit = 20, Param("Max"))`.

Types have the original's names; what a `Param` says stands after its parameter. A note in square
brackets after the signature tells the members of an enum.
"""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tests.vectors.areas.notation import read_arguments

_TOOL: Final = re.compile(r"\s*Tool\(")
_OPENING: Final = re.compile(r"[\w\s]*\(")
_PARAM: Final = re.compile(r"[\s,]*Param\(")
_PARAMETER: Final = re.compile(
    r"(?P<nullable>\?)?(?P<types>[\w\\]+(?:\|[\w\\]+)*)?\s*(?P<prefix>&|\.\.\.)?\$(?P<name>\w+)"
)
_EQUALS: Final = re.compile(r"\s*=\s*")
_CONSTANT: Final = re.compile(r"<constant (?P<value>[^>]*)>")
_CASE: Final = re.compile(r"(?P<enum>[A-Z]\w*)(?:\.|::)(?P<case>\w+)")
_NOTE: Final = re.compile(r"\[(?P<kind>string|int)-backed enum (?P<values>[^\],]*)")
_GAP: Final = re.compile(r"[\s,]*")
_DECODER: Final = json.JSONDecoder()

NO_DEFAULT: Final = "<no default>"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumCase:
    """A default that names a case of an enum."""

    enum: str
    case: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter as it is written; `types` is empty where there is none.

    `said` is what its `Param` says; `enum_values` are the values of its enum, by case.
    """

    name: str
    types: tuple[str, ...]
    default: Any = NO_DEFAULT
    is_variadic: bool = False
    said: dict[str, Any] | None = None
    enum_values: dict[str, Any] = field(default_factory=dict)

    @property
    def is_context(self) -> bool:
        """Whether it takes the context of the call."""
        return "ToolContext" in self.types

    @property
    def is_nullable(self) -> bool:
        """Whether it takes null."""
        return "null" in self.types

    @property
    def has_default(self) -> bool:
        """Whether it may be left out."""
        return self.is_variadic or self.default is not NO_DEFAULT

    @property
    def says(self) -> dict[str, Any]:
        """What its `Param` says; nothing without one."""
        return self.said or {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A tool as it is written: its options and its parameters."""

    options: dict[str, Any]
    parameters: tuple[Parameter, ...]


def read_signature(text: str) -> Signature:
    """Read a signature.

    Raises:
        ValueError: It is not written so; the text says where.
    """
    options: dict[str, Any] = {}
    at = 0
    attribute = _TOOL.match(text)
    if attribute:
        written, at = read_arguments(text, attribute.end())
        options = written.take("name", "description")
    opening = _OPENING.match(text, at)
    if opening is None:
        raise ValueError(f"a signature begins with '(', found {text[at:]!r}")
    parameters, at = _parameters(text, opening.end())
    return Signature(options=options, parameters=_with_enums(parameters, text[at:]))


def _parameters(text: str, at: int) -> tuple[list[Parameter], int]:
    found: list[Parameter] = []
    while not text.startswith(")", at := _skip(text, at)):
        said = _PARAM.match(text, at)
        if said and found:
            written, at = read_arguments(text, said.end())
            found[-1] = replace(found[-1], said=written.take("description"))
        else:
            parameter, at = _parameter(text, at)
            found.append(parameter)
    return found, at + 1


def _parameter(text: str, at: int) -> tuple[Parameter, int]:
    match = _PARAMETER.match(text, at)
    if match is None:
        raise ValueError(f"a parameter is written `type $name`, found {text[at:]!r}")
    types = tuple(match["types"].split("|")) if match["types"] else ()
    at = match.end()
    default: Any = NO_DEFAULT
    equals = _EQUALS.match(text, at)
    if equals:
        default, at = _default(text, equals.end())
    parameter = Parameter(
        name=match["name"],
        types=(*types, "null") if match["nullable"] else types,
        default=default,
        is_variadic=match["prefix"] == "...",
    )
    return parameter, at


def _default(text: str, at: int) -> tuple[Any, int]:
    constant, case = _CONSTANT.match(text, at), _CASE.match(text, at)
    if constant:
        return json.loads(constant["value"]), constant.end()
    if case:
        return EnumCase(enum=case["enum"], case=case["case"]), case.end()
    value, end = _DECODER.raw_decode(text, at)
    return value, end


def _with_enums(parameters: list[Parameter], notes: str) -> tuple[Parameter, ...]:
    """Give each enum its values by case: those of the note, and the one its default names."""
    note = _NOTE.search(notes)
    noted: dict[str, Any] = {}
    if note:
        texts = [value.strip() for value in note["values"].split("|")]
        is_number = note["kind"] == "int"
        noted = {text.capitalize(): int(text) if is_number else text for text in texts}
    return tuple(_with_enum(parameter, noted, notes) for parameter in parameters)


def _with_enum(parameter: Parameter, noted: dict[str, Any], notes: str) -> Parameter:
    default = parameter.default
    if isinstance(default, EnumCase):
        value = default.case if "unit enum" in notes else default.case.lower()
        return replace(parameter, enum_values={default.case: value, **noted})
    is_class = any(name[:1].isupper() for name in parameter.types) and not parameter.is_context
    return replace(parameter, enum_values=noted) if is_class else parameter


def _skip(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at
