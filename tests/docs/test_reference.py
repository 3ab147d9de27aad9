"""The reference tells something of every public name, and is built without a complaint."""

import importlib
from pathlib import Path

import pytest

from .public import PACKAGES, Public, public, untold

NAMES = list(public())


def test_every_public_name_has_a_docstring_and_every_public_member_of_one() -> None:
    silent = [one.name for one in NAMES if not one.told]

    assert silent == []


def test_every_parameter_whose_type_tells_no_unit_or_shape_is_named_in_a_docstring() -> None:
    lacking = {one.name: names for one in NAMES if (names := untold(one))}

    assert lacking == {}


def test_a_parameter_is_told_by_its_function_its_class_or_its_name() -> None:
    def waits(left: float, long: float, size_bytes: int, name: str, told: bytes | None) -> None:
        """Wait for `long` (seconds).

        Args:
            told: Anything.
        """

    def alone(left: float) -> None: ...

    around = Public(name="alone", value=alone, around="`left` is in seconds.")

    assert untold(Public(name="waits", value=waits)) == ["left"]
    assert untold(around) == []
    assert untold(Public(name="alone", value=alone)) == ["left"]


def test_the_reference_is_built_with_every_public_name_and_without_a_warning(
    tmp_path: Path,
) -> None:
    pytest.importorskip("pdoc", reason="pdoc is not installed; `make docs` installs it")
    reference = importlib.import_module("tests.docs.reference")

    reference.build(tmp_path)

    for name in PACKAGES:
        page = (tmp_path / f"{name}.html").read_text("utf-8")
        exported = importlib.import_module(name).__all__
        assert [one for one in exported if f'id="{one}"' not in page] == []
        assert str(Path(__file__).parents[2]) not in page
    assert (tmp_path / "index.html").is_file()
