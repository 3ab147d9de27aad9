"""The options of a tool, checked when they are made."""

from typing import Any

import pytest

from comal_runtime.errors import BadDeclaration
from comal_runtime.options import ToolOptions


@pytest.mark.runtime_line(9)
def test_an_option_that_does_not_exist_raises() -> None:
    with pytest.raises(TypeError, match="mutatin"):
        ToolOptions(mutatin=True)  # type: ignore[call-arg]  # the mistake under test


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mutating": "false"}, "mutating must be True or False, not 'false'"),
        ({"confirm": 1}, "confirm must be True or False, not 1"),
        ({"approval": " "}, "approval must be a name or left out, not ' '"),
        ({"version": 2}, "version must be a name or left out, not 2"),
        ({"preview": "p"}, "preview must be a function or left out, not 'p'"),
        ({"scopes": ["a", ""]}, "a scope must be a name, not ''"),
        ({"timeout": "30"}, "timeout must be 0 seconds or more, not '30'"),
        ({"timeout": True}, "timeout must be 0 seconds or more, not True"),
        ({"clamps": {"n": {"maxLength": float("inf")}}}, "maxLength counts characters, not inf"),
    ],
)
def test_an_option_of_another_kind_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(BadDeclaration, match=told):
        ToolOptions(**options)


@pytest.mark.original_fault("TS:schema-o_category")
def test_the_category_and_version_are_kept() -> None:
    options = ToolOptions(category="notes", version="1.2.0")

    assert (options.category, options.version) == ("notes", "1.2.0")


def test_no_time_at_all_is_a_time() -> None:
    assert ToolOptions(timeout=0).timeout == 0
