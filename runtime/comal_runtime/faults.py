"""Words what is wrong with a value: one sentence and one place for every fault, none too long."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from jsonschema import ValidationError

from .forms import Forms
from .redact import is_sensitive, printable
from .sentences import cut, found_kind, in_json, near_name, sentence, wanted_kinds

Path = Sequence[str | int]

MOST_TOLD: Final = 20
"""Faults that are told of one value; of more, their number."""

_MOST_READ: Final = 1000  # a value of 256 KB can have a hundred thousand faults
_LONGEST_PLACE: Final = 200
_LONGEST_POINTER: Final = 1000

_RANK: Final = {
    "required": 0,
    "dependentRequired": 0,
    "additionalProperties": 2,
    "unevaluatedProperties": 2,
}
"""Missing fields are told first, unknown ones last, the rest in the schema's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong at one place, in one line.

    `pointer` is RFC 6901, the empty text for the whole value, and ends in an ellipsis if it is too
    long to tell; `keyword` is the schema's that does not fit, empty if it is none of the schema's.
    """

    pointer: str
    message: str
    keyword: str = ""


def fault(path: Path, text: str, keyword: str = "") -> Fault:
    """Make the fault of one place: its path, then what is wrong there."""
    where = place(path)
    message = f"{where}: {text}" if where else text
    return Fault(pointer=cut(pointer(path), _LONGEST_POINTER), message=message, keyword=keyword)


def pointer(path: Path) -> str:
    """Return the JSON pointer of a path. Source: RFC 6901, section 3."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def place(path: Path) -> str:
    """Return a path for people and models: the JSON pointer, on one line and without its root."""
    text = pointer(path)
    return cut(printable(text[1:] or text), _LONGEST_PLACE)


def worded(errors: Iterable[ValidationError]) -> tuple[Fault, ...]:
    """Word every error once, in a stable order."""
    read = list(islice(errors, _MOST_READ))
    ranked = sorted(read, key=lambda error: _RANK.get(str(error.validator), 1))
    return capped(
        found for at, error in enumerate(ranked) for found in _faults_of(error, at < MOST_TOLD)
    )


def capped(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the first faults, each once, and a last one that says how many there are beside."""
    told = tuple(dict.fromkeys(islice(faults, _MOST_READ)))
    more = len(told) - MOST_TOLD
    if more <= 0:
        return told
    at_least = "at least " if len(told) == _MOST_READ else ""
    return (*told[:MOST_TOLD], Fault(pointer="", message=f"... and {at_least}{more} more faults"))


def _faults_of(error: ValidationError, guessing: bool) -> Iterator[Fault]:
    """Word one error; `guessing`: what may have been meant is worth looking for."""
    path = tuple(error.absolute_path)
    keyword = str(error.validator)
    match keyword:
        case "required" | "dependentRequired":
            yield from _missing(path, error)
        case "additionalProperties" | "unevaluatedProperties":
            yield from _unknown(path, error, guessing)
        case "propertyNames":
            for nested in error.context or ():
                name = cut(in_json(nested.instance))
                yield fault(path, f"Field name {name}: {sentence(nested)}", keyword)
        case "anyOf" | "oneOf":
            yield from _choice(path, error)
        case _:
            text = sentence(error, quoting=_may_quote(path), guessing=guessing)
            yield fault(path, text, keyword)


def _may_quote(path: Path) -> bool:
    return not any(isinstance(step, str) and is_sensitive(step) for step in path)


def _missing(path: Path, error: ValidationError) -> Iterator[Fault]:
    wanted, found = _wanted(error), _found(error)
    if error.validator == "dependentRequired":
        wanted = [one for name, needed in wanted.items() if name in found for one in needed]
    for name in wanted:
        if name not in found:
            text = f"Missing required field: {place((*path, name))}"
            yield _at((*path, name), text, error)


def _unknown(path: Path, error: ValidationError, guessing: bool) -> Iterator[Fault]:
    """Name each field that is not allowed, and the one that may have been meant."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    known = [name for name in schema.get("properties", {}) if name not in _found(error)]
    for at, name in enumerate(_unwanted(error)):
        near = near_name(name, known) if guessing and at < MOST_TOLD else ""
        yield _at((*path, name), f"Unknown property: {place((*path, name))}{near}", error)


def _unwanted(error: ValidationError) -> Iterator[str]:
    """Yield the names that jsonschema's own message lists; it keeps them nowhere else."""
    return (name for name in _found(error) if repr(name) in error.message)


def _at(path: Path, text: str, error: ValidationError) -> Fault:
    at = cut(pointer(path), _LONGEST_POINTER)
    return Fault(pointer=at, message=text, keyword=str(error.validator))


def _choice(path: Path, error: ValidationError) -> Iterator[Fault]:
    """Word a value that fits none of several forms by the one form it was meant to have."""
    forms, keyword = Forms(error), str(error.validator)
    if forms.fits_several:
        text = f"Fits more than one of the {forms.count} allowed forms, which exclude each other"
        yield fault(path, text, keyword)
    elif forms.kinds:
        kinds = " or ".join(dict.fromkeys(chain.from_iterable(map(wanted_kinds, forms.kinds))))
        found = found_kind(error.instance, quoting=_may_quote(path))
        yield fault(path, f"Expected {kinds}, got {found}", keyword)
    elif len(forms.nearest) == 1:
        yield from worded(forms.nearest[0])
    elif forms.one_of is not None:
        yield fault(tuple(forms.one_of.absolute_path), sentence(forms.one_of), keyword)
    else:
        firsts = [worded(form)[0].message for form in forms.nearest[:3]]
        told = f" ({'; or '.join(dict.fromkeys(firsts))})" if firsts else ""
        yield fault(path, f"Fits none of the {forms.count} allowed forms{told}", keyword)


def _wanted(error: ValidationError) -> Any:
    """Return the keyword's value in the schema."""
    return error.validator_value


def _found(error: ValidationError) -> Any:
    """Return the part of the value that does not fit."""
    return error.instance
