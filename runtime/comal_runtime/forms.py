"""Of several forms that a value may have, and has none of, the one that was meant."""

from collections.abc import Iterable
from typing import Any

from jsonschema import ValidationError

Form = list[ValidationError]
"""Why a value does not have one form."""


class Forms:
    """What an `anyOf` or `oneOf` that does not fit says of its forms.

    `fits_several` of forms that exclude each other; `kinds`: the errors of a value that is of none
    of their types; `nearest`: the forms that are least missed; `one_of`: an error in the place of
    all nearest ones, where each of these allows other values only.
    """

    def __init__(self, error: ValidationError) -> None:
        forms = _by_form(error.context or ())
        self.count = len(_values(error))
        self.fits_several = not error.context
        self.kinds = _kinds(forms)
        least = min(map(_misses, forms), default=(False, 0, 0))
        self.nearest = [form for form in forms if _misses(form) == least]
        self.one_of = _one_of(self.nearest)


def _by_form(context: Iterable[ValidationError]) -> list[Form]:
    forms: dict[str | int, Form] = {}
    for error in context:
        if error.validator_value != {}:  # what is told of the form `false`, which nothing has
            forms.setdefault(error.relative_schema_path[0], []).append(error)
    return list(forms.values())


def _kinds(forms: list[Form]) -> list[ValidationError]:
    """Return each form's complaint about the type; none if the value is of the type of some."""
    wrong = [next(filter(_is_wrong_kind, form), None) for form in forms]
    return [error for error in wrong if error is not None] if all(wrong) else []


def _misses(form: Form) -> tuple[bool, int, int]:
    """Return how far a value is from a form: its type, the fields that tell forms apart, faults."""
    return any(map(_is_wrong_kind, form)), sum(map(_tells_apart, form)), len(form)


def _is_wrong_kind(error: ValidationError) -> bool:
    return error.validator == "type" and not error.relative_path


def _tells_apart(error: ValidationError) -> bool:
    """Tell whether a field has another constant than the form wants, such as its kind."""
    return bool(error.relative_path) and _is_choice(error) and len(_values(error)) == 1


def _one_of(forms: list[Form]) -> ValidationError | None:
    """Make one error out of forms that want other constants in the same place."""
    errors = [next(filter(_is_choice, form), None) for form in forms]
    found = [error for error in errors if error is not None]
    if not found or len(found) < len(forms) or len({str(e.absolute_path) for e in found}) > 1:
        return None
    first = found[0]
    return ValidationError(
        first.message,
        validator="enum",
        validator_value=[value for error in found for value in _values(error)],
        path=tuple(first.absolute_path),
        instance=first.instance,
    )


def _is_choice(error: ValidationError) -> bool:
    return error.validator in ("const", "enum")


def _values(error: ValidationError) -> list[Any]:
    wanted: Any = error.validator_value
    return [wanted] if error.validator == "const" else list(wanted)
