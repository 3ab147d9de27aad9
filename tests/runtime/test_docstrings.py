"""Descriptions from docstrings in the three usual styles."""

from collections.abc import Callable
from typing import Annotated

import pytest

from comal_runtime.docstrings import read
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


@pytest.mark.runtime_line(1, 2)
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


def described(docstring: str) -> dict[str, str]:
    return read(docstring).parameters


def test_a_google_entry_may_have_nested_types_and_begin_on_the_next_line() -> None:
    found = described(
        """Find.

        Args:
            q (Callable[[int], str], optional): What to look for.
            where:
                The folder,
                with a colon: here.

            deep (tuple(int, int)): Two numbers.

        Raises:
            ValueError: q: is empty.
        """
    )

    assert found == {
        "q": "What to look for.",
        "where": "The folder, with a colon: here.",
        "deep": "Two numbers.",
    }


def test_a_second_section_of_parameters_is_read_too_and_others_are_not() -> None:
    found = described(
        """Find.

        Args:
            q: Words.

        Returns:
            n: Not this.

        Keyword Args:
            limit: Rows.
        """
    )

    assert found == {"q": "Words.", "limit": "Rows."}


def test_a_numpy_entry_may_name_several_parameters_and_choices() -> None:
    found = described(
        """Find.

        Parameters
        ----------
        x, y : int
            A place.
        order : {'up', 'down'}, optional
            Which way.

        Other Parameters
        ----------------
        *rest
            More.

        See Also
        --------
        other : not a parameter
            No.
        """
    )

    assert found == {"x": "A place.", "y": "A place.", "order": "Which way.", "rest": "More."}


def test_a_rest_entry_goes_on_over_an_indented_paragraph() -> None:
    found = described(
        """Find.

        :param q: Words,
            and more

            after a blank line.
        :type q: str
        :keyword int limit: Rows.
        :raises ValueError: never
            q: not this
        """
    )

    assert found == {"q": "Words, and more after a blank line.", "limit": "Rows."}


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        ("Find\n    notes.\n\n    More.", "Find notes."),
        ("Find notes.\n    Args:\n        q: x", "Find notes."),
        ("Find notes.\n    Parameters\n    ----------\n    q : x", "Find notes."),
        ("Find notes.\n    :param q: x", "Find notes."),
        ("Find one of these:\n    - a", "Find one of these: - a"),
        ("Args:\n    q: x", ""),
        (None, ""),
    ],
)
def test_the_summary_is_the_first_paragraph_and_ends_before_any_section(
    docstring: str | None, summary: str
) -> None:
    assert read(docstring).summary == summary
