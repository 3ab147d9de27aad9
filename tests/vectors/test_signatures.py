"""The neutral notation of signatures is read whole."""

import pytest

from tests.vectors.areas.signatures import NO_DEFAULT, EnumCase, read_signature


def test_options_parameters_and_what_a_param_says_are_read():
    signature = read_signature(
        'Tool(scopes=["a:b"], clamps={"n":{"max":5}}) '
        '(?int $n = 20, Param("Max, or less", clamp=[1,100]), string $q Param(required=true))'
    )

    first, second = signature.parameters
    assert signature.options == {"scopes": ["a:b"], "clamps": {"n": {"max": 5}}}
    assert (first.name, first.types, first.default) == ("n", ("int", "null"), 20)
    assert first.says == {"description": "Max, or less", "clamp": [1, 100]}
    assert (second.name, second.default, second.says) == ("q", NO_DEFAULT, {"required": True})


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("($x) [no type]", ()),
        ("(int|string $x)", ("int", "string")),
        ("(int &$x)", ("int",)),
        ("public static (array $x)", ("array",)),
    ],
)
def test_types_are_read_as_they_are_written(text, types):
    assert read_signature(text).parameters[0].types == types


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("(int $x = <constant 8>)", 8),
        ("(bool $x = false)", False),
        ('(array $x = {"k":"v"})', {"k": "v"}),
        ("(Suit $x = Suit.Hearts) [unit enum]", EnumCase(enum="Suit", case="Hearts")),
    ],
)
def test_defaults_are_read_as_they_are_written(text, default):
    assert read_signature(text).parameters[0].default == default


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(Color $x) [string-backed enum red|blue]", {"Red": "red", "Blue": "blue"}),
        ("(Level $x) [int-backed enum 1|2]", {"1": 1, "2": 2}),
        ("(Suit $x = Suit.Hearts) [unit enum, no value]", {"Hearts": "Hearts"}),
        ("(ToolContext $x) [string-backed enum red]", {}),
    ],
)
def test_an_enum_has_the_values_that_are_noted(text, values):
    assert read_signature(text).parameters[0].enum_values == values


def test_a_variadic_may_be_left_out():
    parameter = read_signature("(int ...$ids)").parameters[0]

    assert (parameter.is_variadic, parameter.has_default) == (True, True)


@pytest.mark.parametrize("text", ["int $x", "(int x)", "(int $x"])
def test_what_is_no_signature_is_said_to_be_none(text):
    with pytest.raises(ValueError, match="found"):
        read_signature(text)
