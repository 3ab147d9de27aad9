"""What can be known of a tool's body without calling it."""

import functools
import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from .context import ToolContext
from .errors import BadDeclaration
from .options import Callback

_CONTEXT = ToolContext.__name__


def body_of(callback: Callback) -> Callback:
    """Return what runs when `callback` is called: the method of an object made to be called."""
    method = getattr(type(callback), "__call__", None)  # noqa: B004  the method is wanted
    if not inspect.isfunction(method) or hasattr(callback, "__wrapped__"):
        return callback
    bound: Callback = method.__get__(callback)
    return bound


class Way(Enum):
    """How a body runs: awaited or iterated on the event loop, or in a thread of its own."""

    AWAITED = "awaited"
    STREAMED = "streamed"
    THREADED = "threaded"


def way_of(callback: Callback) -> Way:
    """Tell how a body runs, as far as its definition shows."""
    body = body_of(callback)
    if inspect.isasyncgenfunction(body):
        return Way.STREAMED
    return Way.AWAITED if inspect.iscoroutinefunction(body) else Way.THREADED


def check_body(callback: Callback) -> None:
    """Refuse a body that cannot be run.

    Raises:
        BadDeclaration: It is a generator that is not async, or cannot be called at all.
    """
    if not callable(callback):
        raise BadDeclaration(f"the callback must be a function, not {callback!r}")
    if inspect.isgeneratorfunction(body_of(callback)):
        raise BadDeclaration(
            "it is a generator, which would block its thread between parts; write `async def` to "
            "tell of progress on the way, or return a list"
        )


def parameters_of(callback: Callback) -> dict[str, inspect.Parameter]:
    """Return the parameters a caller fills; those that a `partial` has bound are none.

    Raises:
        BadDeclaration: The signature cannot be read.
    """
    bound = callback.keywords if isinstance(callback, functools.partial) else {}
    try:  # a partial may carry the __wrapped__ of a signature that is wider than its own
        signature = inspect.signature(callback, follow_wrapped=not bound)
    except (TypeError, ValueError) as error:
        name = getattr(callback, "__name__", type(callback).__name__)
        raise BadDeclaration(
            f"the signature of {name} cannot be read; write a function of your own around it"
        ) from error
    return {name: one for name, one in signature.parameters.items() if name not in bound}


def context_parameter(callback: Callback) -> str | None:
    """Return the name of the parameter annotated `ToolContext`, also `ToolContext | None`."""
    try:
        names = parameters_of(callback)
    except BadDeclaration:
        return None
    hints = hints_of(callback)
    return next((name for name in names if is_context(hints.get(name))), None)


def is_context(hint: object) -> bool:
    """Tell whether an annotation asks for the context itself."""
    if isinstance(hint, str):  # imported for type checkers only, so that nothing resolves it
        return hint.replace(" ", "").removesuffix("|None").rpartition(".")[2] == _CONTEXT
    if get_origin(hint) is Annotated:
        return is_context(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return [one for one in get_args(hint) if one is not NoneType] == [ToolContext]
    return hint is ToolContext


def mentions_context(hint: object) -> bool:
    """Tell whether the context is anywhere in an annotation."""
    return hint is ToolContext or any(map(mentions_context, get_args(hint)))


def hints_of(callback: Callback) -> dict[str, Any]:
    """Return the parameters' annotations, resolved; as written where a name cannot be found."""
    inner = callback
    while isinstance(inner, functools.partial):
        inner = inner.func
    inner = body_of(inner)
    try:
        hints = get_type_hints(inner, include_extras=True)
    except (NameError, AttributeError, TypeError):
        hints = _one_by_one(inner)
    hints.pop("return", None)
    return hints


def _one_by_one(function: Callable[..., object]) -> dict[str, Any]:
    """Resolve each annotation for itself, so that one unknown name spoils no other."""
    names: Mapping[str, Any] = getattr(inspect.unwrap(function), "__globals__", {})
    hints: dict[str, Any] = {}
    for name, written in dict(getattr(function, "__annotations__", {})).items():
        alone: Any = SimpleNamespace(__annotations__={name: written})
        try:
            hints.update(get_type_hints(alone, globalns=dict(names), include_extras=True))
        except (NameError, AttributeError, TypeError):
            hints[name] = written
    return hints
