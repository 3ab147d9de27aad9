"""Faults: worded for a model to correct, all together, none too long and none a secret."""

from typing import Any

import pytest

from comal_runtime.faults import MOST_TOLD, Fault
from comal_runtime.schema import CompiledSchema

from .compiling import one, told


def test_a_fault_names_its_place_its_keyword_and_what_was_found(compiled: Any) -> None:
    item = {"properties": {"price": {"type": "number"}}}

    found = compiled(one(items=item)).faults({"x": [{}, {}, {"price": "7"}]})

    assert found == (
        Fault(
            pointer="/x/2/price",
            message='x/2/price: Expected number, got string "7"',
            keyword="type",
        ),
    )


@pytest.mark.parametrize(
    ("unknown", "hint"),
    [
        ("nmae", '; did you mean "name"?'),
        ("firstName", '; did you mean "first_name"?'),
        ("NAME", '; did you mean "name"?'),
        ("zzzz", '; fields left to give: "name", "first_name"'),
        ("n" * 200_000, '; fields left to give: "name", "first_name"'),
    ],
)
@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
def test_an_unknown_field_is_told_with_the_one_that_was_meant(
    compiled: Any, keyword: str, unknown: str, hint: str
) -> None:
    known: dict[str, Any] = {"name": {}, "first_name": {}, "age": {}}
    schema = {"properties": known, keyword: False}

    [found] = compiled(schema).faults({"age": 1, unknown: 1})

    assert found.message.startswith(f"Unknown property: {unknown[:100]}")
    assert found.message.endswith(hint)
    assert (found.keyword, len(found.message) < 400) == (keyword, True)


def test_a_field_that_another_one_wants_is_missing_at_its_own_place(compiled: Any) -> None:
    subject = compiled(one(dependentRequired={"card": ["number", "name"]}))

    assert told(subject, {"x": {"card": 1, "name": "a"}}) == ["Missing required field: x/number"]


def test_a_long_list_of_allowed_values_is_cut_and_the_near_ones_are_told(compiled: Any) -> None:
    subject = compiled(one(enum=[f"colour-{n}" for n in range(1000)]))

    assert told(subject, {"x": "color-7"}) == [
        'x: Value must be one of 1000; near ones: "colour-7", "colour-97", "colour-87"'
    ]
    [far] = told(subject, {"x": 5})
    assert far.endswith('"colour-19", ... (1000 in all)')


@pytest.mark.parametrize(
    ("forms", "value", "told_of"),
    [
        (
            [{"type": "string"}, {"type": "integer", "maximum": 5}],
            7,
            ["x: Value too large (max: 5)"],
        ),
        (
            [{"required": ["a"]}, {"required": ["b"]}],
            {},
            [
                "x: Fits none of the 2 allowed forms "
                "(Missing required field: x/a; or Missing required field: x/b)"
            ],
        ),
        ([{"const": 1}, {"enum": [2, 3]}], 4, ["x: Value must be one of: 1, 2, 3"]),
        (
            [{"properties": {"kind": {"const": kind}}} for kind in ("cat", "dog")],
            {"kind": "cow"},
            ['x/kind: Value must be one of: "cat", "dog"'],
        ),
        (
            [False, {"type": "string", "pattern": "a", "minLength": 3}],
            1,
            ["x: Expected string, got integer 1"],
        ),
        ([False, False], 1, ["x: Fits none of the 2 allowed forms"]),
        (
            [{"items": {"type": "string"}}, {"type": "null"}],
            [1],
            ["x/0: Expected string, got integer 1"],
        ),
    ],
)
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_of_several_forms_the_nearest_is_told(
    compiled: Any, keyword: str, forms: list[Any], value: object, told_of: list[str]
) -> None:
    assert told(compiled(one(**{keyword: forms})), {"x": value}) == told_of


SECRET = "hunter2-and-more"


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"password": {"type": "integer"}}},
        {"properties": {"api_key": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}},
        {"properties": {"auth": {"properties": {"token": {"items": {"type": "integer"}}}}}},
        {"properties": {"secret": {"enum": ["a"] * 30}}},
        {"properties": {"secret": {"const": "a"}}},
    ],
)
def test_the_value_of_a_secret_field_is_told_by_no_fault(
    compiled: Any, schema: dict[str, Any]
) -> None:
    value = {
        "password": SECRET,
        "api_key": SECRET,
        "secret": SECRET,
        "auth": {"token": [SECRET]},
    }

    [message] = told(compiled(schema), value)

    assert SECRET not in message


def test_a_value_that_looks_like_a_secret_is_not_told_under_any_name(compiled: Any) -> None:
    key = "sk-" + "a1B2" * 8

    assert told(compiled(one(type="integer")), {"x": key}) == ["x: Expected integer, got string"]


@pytest.mark.parametrize(
    "schema",
    [one(type="integer"), one(enum=["a"]), one(maxLength=3), one(pattern="^b"), one(format="date")],
)
def test_a_long_value_does_not_make_a_long_message(compiled: Any, schema: dict[str, Any]) -> None:
    [message] = told(compiled(schema), {"x": "a" * 200_000})

    assert len(message) < 200


def test_a_long_path_does_not_make_a_long_message(compiled: Any) -> None:
    [found] = compiled({"additionalProperties": {"type": "null"}}).faults({"k" * 200_000: 1})

    assert len(found.message) < 300
    assert len(found.pointer) <= 1000


def test_long_constants_of_the_schema_do_not_make_a_long_message(compiled: Any) -> None:
    for keywords in ({"const": "a" * 9999}, {"enum": ["a" * 9999]}, {"pattern": "a" * 999}):
        [message] = told(compiled(one(**keywords)), {"x": "b"})

        assert len(message) < 250


@pytest.mark.parametrize(
    ("count", "last"),
    [(21, "... and 1 more faults"), (5000, "... and at least 980 more faults")],
)
def test_of_many_faults_the_first_are_told_and_the_others_counted(
    compiled: Any, count: int, last: str
) -> None:
    found = compiled(one(items={"type": "string"})).faults({"x": [1] * count})

    assert len(found) == MOST_TOLD + 1
    assert found[0].pointer == "/x/0"
    assert found[-1].message == last


def test_an_empty_name_has_a_place(compiled: Any) -> None:
    subject = compiled({"properties": {"": {"type": "string"}}, "required": [" "]})

    assert told(subject, {"": 1}) == [
        "Missing required field:  ",
        "/: Expected string, got integer 1",
    ]


def test_no_fault_names_a_type_of_python(compiled: Any) -> None:
    every = [{"type": kind} for kind in ("string", "integer", "array", "object", "null")]
    subject = CompiledSchema({"properties": {f"p{n}": form for n, form in enumerate(every)}})
    values = [1, "a", {}, [], (), b"", {1}, 1.5, None, True, object()]

    messages = [
        message
        for value in values
        for message in told(subject, {f"p{n}": value for n in range(len(every))})
    ]

    assert messages
    for name in ("str ", "int ", "dict", "list", "tuple", "bytes", "NoneType", "float", "bool "):
        assert not [message for message in messages if name in message]
