"""The table of decisions says of each vector in it what is right, and nothing more."""

import re
from pathlib import Path

import pytest

from tests.vectors.areas import AREAS
from tests.vectors.areas.area import Area
from tests.vectors.decisions import load_decisions
from tests.vectors.rows import Row, load
from tests.vectors.running import area_of
from tests.vectors.values import same

LINE = re.compile(r"([1-9]|[1-5]\d|60|22a|faults ([1-9]|1[0-3]))\Z")


@pytest.fixture(scope="module")
def vectors(shared: Path) -> dict[str, tuple[Area, Row]]:
    rows = [row for path in sorted((shared / "vectors").glob("*.json")) for row in load(path)]
    known = ((area_of(row), row) for row in rows)
    return {f"{area.prefix}:{row.id}": (area, row) for area, row in known if area is not None}


def test_every_vector_is_of_an_area(shared):
    rows = [row for path in sorted((shared / "vectors").glob("*.json")) for row in load(path)]

    assert [f"{row.file}: {row.id}" for row in rows if area_of(row) is None] == []


def test_every_vector_is_of_the_area_of_its_file(vectors):
    astray = [id_ for id_, (area, row) in vectors.items() if area.name != row.file]

    assert astray == []


def test_every_decision_is_about_a_vector(vectors):
    assert [id_ for id_ in load_decisions() if id_ not in vectors] == []


def test_every_decision_names_a_line_or_a_section():
    assert [one.id for one in load_decisions().values() if not LINE.match(one.line)] == []


def test_no_decision_says_what_was_recorded(vectors):
    idle = []
    for id_, decision in load_decisions().items():
        area, row = vectors[id_]
        recorded = area.recorded(row) if area.recorded else {}
        if all(
            name in recorded and same(recorded[name], wanted)
            for name, wanted in decision.expected.items()
        ):
            idle.append(id_)

    assert idle == []


def test_no_decision_contradicts_a_rule_of_its_area(vectors):
    contrary = []
    for id_, decision in load_decisions().items():
        area, row = vectors[id_]
        ruling = area.ruled(row) if area.ruled else None
        for name, right in (ruling.expected if ruling else {}).items():
            if name in decision.expected and not same(decision.expected[name], right):
                contrary.append(f"{id_}: {name}")

    assert contrary == []


def test_every_vector_that_a_rule_corrects_has_its_decision(vectors):
    decided = load_decisions()
    undecided = []
    for id_, (area, row) in vectors.items():
        ruling = area.ruled(row) if area.ruled else None
        recorded = area.recorded(row) if area.recorded else {}
        differs = ruling and any(
            name in recorded and not same(recorded[name], right)
            for name, right in ruling.expected.items()
        )
        if differs and id_ not in decided:
            undecided.append(id_)

    assert undecided == []


def test_areas_have_names_and_prefixes_of_their_own():
    names = [area.name for area in AREAS]
    prefixes = [area.prefix for area in AREAS]

    assert len(set(names)) == len(set(prefixes)) == len(AREAS)
