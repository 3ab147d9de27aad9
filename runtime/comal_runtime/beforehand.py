"""Asking beforehand: what a tool's `preview` must be, and how it is called."""

import inspect
from collections.abc import Collection, Mapping
from typing import Any, Final

from .callables import Way, check_body, context_parameter, parameters_of, way_of
from .context import ToolContext
from .errors import BadDeclaration
from .options import Callback

_NAMED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_ALL: Final = inspect.Parameter.VAR_KEYWORD


def check_preview(hook: Callback, takes: Collection[str] | None) -> None:
    """Refuse a function that cannot foretell what a call would change.

    Args:
        takes: The arguments of its tool; None where these are not known by name.

    Raises:
        BadDeclaration: It asks for what its tool does not take, or gives its answer in parts.
    """
    try:
        check_body(hook)
        parameters = parameters_of(hook)
    except BadDeclaration as error:
        raise BadDeclaration(f"preview: {error}") from error
    if way_of(hook) is Way.STREAMED:
        raise BadDeclaration("preview gives one answer, not one in parts; return it")
    wants = context_parameter(hook)
    for name, parameter in parameters.items():
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise BadDeclaration(
                f"preview is called with keywords, so that {name!r} can never be given; "
                "take the `/` out of its signature"
            )
        is_needed = parameter.kind in _NAMED and parameter.default is inspect.Parameter.empty
        if is_needed and name != wants and takes is not None and name not in takes:
            known = ", ".join(sorted(takes)) or "nothing"
            raise BadDeclaration(
                f"preview asks for {name!r}, which its tool does not take (it takes: {known}); "
                "use the tool's own names, with a ToolContext besides if it needs one"
            )


def previewed(
    hook: Callback, bound: Mapping[str, Any], own_context: str | None, ctx: ToolContext
) -> dict[str, Any]:
    """Return the keywords for a preview: those of its tool that it takes, and its own context.

    Args:
        bound: The keywords of the tool's own callback.
        own_context: The name of the tool's own context parameter, which is no argument.
    """
    parameters, wants = parameters_of(hook), context_parameter(hook)
    takes_all = any(one.kind is _ALL for one in parameters.values())
    values = {
        name: value
        for name, value in bound.items()
        if name != own_context and (takes_all or name in parameters)
    }
    return values if wants is None else {**values, wants: ctx}
