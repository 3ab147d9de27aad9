"""The keywords that jsonschema reads in another way, slower or with less to tell than we need."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, islice, takewhile
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError, validators

from .dialect import Node
from .patterns import Pattern

_MOST_REASONS: Final = 50  # that a value has not one of several forms


def _pattern(
    validator: Any, pattern: Pattern, instance: Any, schema: Node
) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not pattern.is_in(instance):
        yield ValidationError("does not match")


def _multiple_of(
    validator: Any, step: float, instance: Any, schema: Node
) -> Iterator[ValidationError]:
    if validator.is_type(instance, "number") and _exact(instance) % _exact(step):
        yield ValidationError("not a multiple")


def _exact(number: float) -> Fraction:
    """Return a whole number as it is, and a fraction as it is written: 0.1 is a tenth."""
    whole = isinstance(number, int) or number.is_integer()
    return Fraction(int(number)) if whole else Fraction(float.__repr__(number))


def _unique_items(
    validator: Any, wanted: bool, instance: Any, schema: Node
) -> Iterator[ValidationError]:
    if not wanted or not validator.is_type(instance, "array"):
        return
    if len({_identity(item) for item in instance}) < len(instance):
        yield ValidationError("not unique")


def _identity(value: Any) -> object:
    """Return what two values share if JSON calls them equal; 1 is 1.0, but not true."""
    if isinstance(value, list):
        return ("array", *map(_identity, value))
    if isinstance(value, dict):
        return frozenset((name, _identity(item)) for name, item in value.items())
    return (value,) if isinstance(value, bool) else value


def _property_names(
    validator: Any, names: Any, instance: Any, schema: Node
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for name in instance:
        faults = list(validator.descend(instance=name, schema=names))
        if faults:
            yield ValidationError("a name does not fit", context=faults)


def _any_of(
    validator: Any, forms: list[Any], instance: Any, schema: Node
) -> Iterator[ValidationError]:
    context = list(takewhile(bool, _misfits(validator, forms, instance)))
    if len(context) == len(forms):
        yield ValidationError("fits no form", context=[*chain.from_iterable(context)])


def _one_of(
    validator: Any, forms: list[Any], instance: Any, schema: Node
) -> Iterator[ValidationError]:
    context = list(_misfits(validator, forms, instance))
    if all(context):
        yield ValidationError("fits no form", context=[*chain.from_iterable(context)])
    elif context.count([]) > 1:
        yield ValidationError("fits several forms")


def _misfits(validator: Any, forms: list[Any], instance: Any) -> Iterator[list[ValidationError]]:
    """Yield why `instance` has not each form: so many reasons as anybody reads, not all."""
    for at, form in enumerate(forms):
        yield list(islice(validator.descend(instance, form, schema_path=at), _MOST_REASONS))


Validator: Final = validators.extend(  # type: ignore[no-untyped-call]  # its stubs have no types
    Draft202012Validator,
    {
        "anyOf": _any_of,
        "oneOf": _one_of,
        "multipleOf": _multiple_of,
        "pattern": _pattern,
        "uniqueItems": _unique_items,
        "propertyNames": _property_names,
    },
)
"""jsonschema's, for schemas that went through `in_python`."""
