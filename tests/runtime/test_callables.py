"""What a tool's body tells of itself."""

import functools
from typing import Annotated, Any, Optional

import pytest

from comal_runtime.callables import (
    Way,
    body_of,
    context_parameter,
    hints_of,
    is_context,
    parameters_of,
    way_of,
)
from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration


def move(who: str, amount: int = 3, ctx: ToolContext | None = None) -> str:
    return f"{who} {amount}"


def test_what_a_partial_has_bound_is_no_parameter_however_it_was_bound() -> None:
    assert list(parameters_of(functools.partial(move, amount=5))) == ["who", "ctx"]
    assert list(parameters_of(functools.partial(move, "ana"))) == ["amount", "ctx"]


def test_a_partial_that_wears_the_signature_of_its_function_still_hides_what_it_bound() -> None:
    worn = functools.update_wrapper(functools.partial(move, amount=5), move)

    assert "amount" not in parameters_of(worn)


def test_a_context_that_a_partial_has_bound_is_not_passed_again() -> None:
    ctx = ToolContext.cli()

    assert context_parameter(functools.partial(move, ctx=ctx)) is None
    assert context_parameter(functools.partial(move, "ana", 1, ctx)) is None
    assert context_parameter(functools.partial(move, "ana")) == "ctx"


@pytest.mark.runtime_line(8)
@pytest.mark.parametrize(
    ("hint", "taken"),
    [
        (ToolContext, True),
        (ToolContext | None, True),
        (Optional[ToolContext], True),  # noqa: UP045  an older spelling
        (Annotated[ToolContext, "mine"], True),
        ("ToolContext", True),
        ("runtime.ToolContext | None", True),
        (ToolContext | str, False),
        (list[ToolContext], False),
        ("ToolContexts", False),
        (str, False),
    ],
)
def test_the_context_is_asked_for_by_its_own_annotation_only(hint: Any, taken: bool) -> None:
    assert is_context(hint) is taken


def test_one_annotation_that_names_nothing_spoils_no_other() -> None:
    def find(
        q: "str",
        ctx: "ToolContext",
        where: "Elsewhere",  # type: ignore[name-defined]  # noqa: F821  the mistake
    ) -> None: ...

    hints = hints_of(find)

    assert hints == {"q": str, "ctx": ToolContext, "where": "Elsewhere"}


def test_an_object_made_to_be_called_is_called_through_its_method() -> None:
    class Streamer:
        async def __call__(self, n: int) -> Any:
            yield n

    assert way_of(Streamer()) is Way.STREAMED
    assert list(parameters_of(body_of(Streamer()))) == ["n"]


def test_a_cached_function_keeps_its_signature() -> None:
    @functools.lru_cache
    def find(n: int) -> int:
        return n

    assert body_of(find) is find
    assert hints_of(find) == {"n": int}


def test_a_signature_that_cannot_be_read_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadDeclaration, match="write a function of your own around it"):
        parameters_of(dict)
