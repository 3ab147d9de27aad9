"""One answer, with the fast validator and without it."""

import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from comal_runtime.dialect import DISAGREEMENTS, Disagreement
from comal_runtime.errors import BadToolSchema
from comal_runtime.schema import CompiledSchema

from .generating import SIMPLE, patterns, schemas, values

fast = pytest.importorskip("jsonschema_rs")

FEW = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=15_000)
some_values = st.lists(values, min_size=3, max_size=6)


def compiled(schema: dict[str, Any], *, quick: bool) -> CompiledSchema | str:
    """Return the compiled schema, or the place where it is refused."""
    with pytest.MonkeyPatch.context() as patched:
        if not quick:
            patched.setitem(sys.modules, "jsonschema_rs", None)
        try:
            return CompiledSchema(schema)
        except BadToolSchema as error:
            return error.pointer


def agree(schema: dict[str, Any], given_values: list[Any]) -> None:
    """Hold values against a schema both ways; the fast validator's own word must do."""
    quick, plain = compiled(schema, quick=True), compiled(schema, quick=False)
    if isinstance(quick, str) or isinstance(plain, str):
        assert quick == plain
        return
    for value in given_values:
        told = plain.faults(value)
        assert quick.faults(value) == told
        if quick._fast is not None:
            assert quick._fast.is_valid(value) is (not told)


@FEW
@given(schemas(), some_values)
def test_both_validators_give_one_answer(schema: dict[str, Any], given_values: list[Any]) -> None:
    agree(schema, given_values)


@FEW
@given(
    st.sampled_from(sorted(SIMPLE)).flatmap(lambda name: st.tuples(st.just(name), SIMPLE[name])),
    some_values,
)
def test_every_keyword_alone_gets_one_answer(
    keyword: tuple[str, Any], given_values: list[Any]
) -> None:
    agree({keyword[0]: keyword[1], "$defs": {"x": {}, "y": {"$anchor": "there"}}}, given_values)


texts = st.text("aAbBé\u017fK7_- \n\r\u0663\u2028\ufeff\x1c\u00a0<", max_size=4)


@FEW
@given(patterns, st.lists(texts, min_size=5, max_size=10))
def test_a_pattern_gets_one_answer(pattern: str, given_texts: list[str]) -> None:
    agree({"pattern": pattern}, given_texts)


@pytest.mark.fuzz
@pytest.mark.timeout(900)
@MANY
@given(schemas(), some_values)
def test_both_validators_give_one_answer_at_length(
    schema: dict[str, Any], given_values: list[Any]
) -> None:
    agree(schema, given_values)


@pytest.mark.fuzz
@pytest.mark.timeout(900)
@MANY
@given(patterns, st.lists(texts, min_size=5, max_size=10))
def test_a_pattern_gets_one_answer_at_length(pattern: str, given_texts: list[str]) -> None:
    agree({"pattern": pattern}, given_texts)


@pytest.mark.parametrize("row", DISAGREEMENTS, ids=lambda row: row.about)
def test_what_the_validators_read_apart_is_decided_for_both(row: Disagreement) -> None:
    quick, plain = (compiled(dict(row.schema), quick=quick) for quick in (True, False))

    assert isinstance(quick, CompiledSchema)
    assert isinstance(plain, CompiledSchema)
    assert (not quick.faults(row.value), not plain.faults(row.value)) == (row.fits, row.fits)


@pytest.mark.parametrize("row", DISAGREEMENTS, ids=lambda row: row.about)
def test_every_row_is_a_disagreement_of_the_two_as_they_come(row: Disagreement) -> None:
    slow = Draft202012Validator(row.schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    quick = fast.Draft202012Validator(dict(row.schema), validate_formats=True)
    try:
        answers = {slow.is_valid(row.value), quick.is_valid(row.value)}
    except OverflowError:
        answers = {True, False}

    assert answers != {row.fits}
