"""`reconcile`: what it must be, and how it is given the key."""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from comal_runtime.afterwards import check_reconcile, keyed
from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration
from comal_runtime.scanner import tools_of
from comal_runtime.tools import tool

CTX = ToolContext.cli(principal="telegram:1")


def by_name(idempotency_key: str) -> object:
    return idempotency_key


def by_place(key: str, /, ctx: ToolContext, *, more: int = 0) -> object:
    return key, ctx.principal, more


def context_first(ctx: ToolContext, key: str, /) -> object:
    return key, ctx.principal


def by_keyword(*, key: str = "") -> object:
    return key


async def many(first: str, second: str) -> bool:
    return True


async def streamed(key: str):
    yield True


def blocking(key: str):
    yield True


def nothing() -> bool:
    return True


@pytest.mark.parametrize(
    ("hook", "gives"),
    [
        (by_name, "k"),
        (by_place, ("k", "telegram:1", 0)),
        (context_first, ("k", "telegram:1")),
        (by_keyword, "k"),
        (functools.partial(many, "fixed"), None),
    ],
)
def test_the_key_arrives_however_the_function_takes_it(
    hook: Callable[..., object], gives: object
) -> None:
    check_reconcile(hook)
    ask, keywords = keyed(hook, "k", CTX)

    came: Any = ask(**keywords)

    if gives is None:
        came.close()
    else:
        assert came == gives


@pytest.mark.parametrize(
    ("hook", "problem"),
    [
        (many, "must take the idempotency key alone, not first, second"),
        (nothing, "must take the idempotency key alone, not nothing"),
        (streamed, "not one in parts"),
        (blocking, "it is a generator"),
    ],
)
def test_a_function_that_cannot_be_asked_is_refused_when_the_tool_is_made(
    hook: Callable[..., object], problem: str
) -> None:
    @tool(mutating=True, reconcile=hook)
    def pay(amount: int) -> None: ...

    with pytest.raises(BadDeclaration, match=problem) as refused:
        list(tools_of(pay))
    assert str(refused.value).startswith("tool 'pay': ")


class Bank:
    """A class whose tool is asked about by another of its methods."""

    def __init__(self, known: str) -> None:
        self.known = known

    def knows(self, key: str) -> bool:
        return key == self.known

    @tool(mutating=True, reconcile=knows)
    def pay(self, amount: int) -> None:
        """Pay."""


def test_a_method_is_asked_on_the_object_that_holds_the_tool() -> None:
    (pay,) = tools_of(Bank("k"))
    hook = pay.options.reconcile
    assert hook is not None

    ask, keywords = keyed(hook, "k", CTX)

    assert ask(**keywords) is True
