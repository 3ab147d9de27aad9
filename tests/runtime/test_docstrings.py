"""Descriptions from docstrings in the three usual styles."""

from collections.abc import Callable
from typing import Annotated

import pytest

from comal_runtime.scanner import tool_of
from comal_runtime.tools import Param, tool


def google(q: str, n: int) -> None:
    """Find notes
    quickly.

    More to read.

    Args:
        q: What to look for,
            in words.
        n (int): How many.

    Returns:
        q: not this.
    """


def numpy_style(q: str, n: int) -> None:
    """Find notes quickly.

    Parameters
    ----------
    q : str
        What to look for,
        in words.
    n : int
        How many.

    Returns
    -------
    q : str
        Not this.
    """


def rest(q: str, n: int) -> None:
    """Find notes quickly.

    :param q: What to look for,
        in words.
    :param int n: How many.
    :returns: nothing
    """


@pytest.mark.parametrize("function", [google, numpy_style, rest])
def test_a_docstring_describes_tool_and_parameters(function: Callable[..., None]) -> None:
    subject = tool_of(tool()(function))

    assert subject.description == "Find notes quickly."
    properties = subject.input_schema["properties"]
    assert properties["q"]["description"] == "What to look for, in words."
    assert properties["n"]["description"] == "How many."


def test_what_the_decorator_and_the_param_say_wins_over_the_docstring() -> None:
    @tool(description="Mine.")
    def find(q: Annotated[str, Param("Words.")]) -> None:
        """Theirs.

        Args:
            q: Theirs.
        """

    subject = tool_of(find)

    assert subject.description == "Mine."
    assert subject.input_schema["properties"]["q"]["description"] == "Words."
