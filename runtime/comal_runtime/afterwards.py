"""Asking afterwards: what a tool's `reconcile` must be, and how it is called."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from .callables import Way, check_body, context_parameter, parameters_of, way_of
from .context import ToolContext
from .errors import BadDeclaration
from .options import Callback

_MANY: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_WANTED: Final = (
    "write `def reconcile(idempotency_key)`, with a ToolContext besides if it needs one"
)


def check_reconcile(hook: Callback) -> None:
    """Refuse a function that cannot be asked whether something was done.

    Raises:
        BadDeclaration: It takes something else than one key, or gives its answer in parts.
    """
    try:
        check_body(hook)
        way = way_of(hook)
        needed = _needed(hook)
    except BadDeclaration as error:
        raise BadDeclaration(f"reconcile: {error}") from error
    if way is Way.STREAMED:
        raise BadDeclaration("reconcile gives one answer, not one in parts; return it")
    if len(needed) != 1:
        found = ", ".join(needed) or "nothing"
        raise BadDeclaration(
            f"reconcile must take the idempotency key alone, not {found}; {_WANTED}"
        )


def keyed(
    hook: Callback, key: str, ctx: ToolContext
) -> tuple[Callable[..., object], dict[str, Any]]:
    """Return the function and the keywords that ask it about one key."""
    wants = context_parameter(hook)
    (name,) = _needed(hook)
    values = {name: key} | ({} if wants is None else {wants: ctx})
    parameters = parameters_of(hook)
    first = [
        values.pop(one)
        for one, parameter in parameters.items()
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY and one in values
    ]
    return functools.partial(hook, *first) if first else hook, values


def beside(callback: Callback, hook: Callback | None) -> Callback | None:
    """Return a tool's hook as it can be called: a method of its class is bound as the tool is."""
    owner = getattr(callback, "__self__", None)
    if owner is None or not inspect.isfunction(hook):
        return hook
    parts = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    held = any(hook is value for part in parts for value in vars(part).values())
    bound: Callback = hook.__get__(owner) if held and not isinstance(owner, type) else hook
    return bound


def _needed(hook: Callback) -> list[str]:
    """Return the parameters that carry the key: all but the context and those with a default.

    A function whose every parameter has a default is given the key as its first.
    """
    wants = context_parameter(hook)
    taken: Mapping[str, inspect.Parameter] = {
        name: one
        for name, one in parameters_of(hook).items()
        if name != wants and one.kind not in _MANY
    }
    needed = [name for name, one in taken.items() if one.default is inspect.Parameter.empty]
    return needed or list(taken)[:1]
