"""Redrafting: the question about a call of which an approver changed some arguments."""

import json
from collections.abc import Mapping
from typing import Any, Final

from ..call import Call, Request
from ..consent.editing import succeed
from ..consent.policies import Policy
from ..consent.question import digest_of
from ..consent.route import Route
from ..consent.terms import Terms
from ..context import ToolContext
from ..deps import Deps
from ..record import Question
from ..result import ErrorCode, ToolResult
from .authorize import authorize
from .clamp import clamp
from .drafting import draft
from .validate import validate

_CHECKS: Final = (validate, clamp, authorize)


async def redraft(
    asked: Question, changes: Mapping[str, Any], ctx: ToolContext, deps: Deps
) -> Question | ToolResult:
    """Return the question to ask in the place of `asked`, or why its call cannot be changed so.

    The changed call passes the law's checks as its requester, `ctx`; its arguments must come out
    as they went in. It is asked by the route it falls under now, else by the one it was asked by.
    """
    why = deps.grounds.changed(asked)
    registered = deps.tools.get(asked.tool or "")
    if why is not None or registered is None:
        return _refused(why or "there is no call to change")
    args = {**json.loads(asked.args), **changes}
    call = Call(Request(registered.tool.name, args, ctx), registered, args)
    for check in _CHECKS:
        answer = check(call, deps)
        if isinstance(answer, ToolResult):
            return answer
        call = answer
    if digest_of(call.args) != digest_of(args):
        return _refused(_brought_in(call))
    route = _route(call, asked, deps)
    if route is None:
        return _refused("the route it was asked by is there no more")
    fresh, _ = await draft(call, deps, route)
    return succeed(asked, fresh)


def _route(call: Call, asked: Question, deps: Deps) -> Route | None:
    """Return the route of a changed call; the one it was asked by where no people decide."""
    found = deps.routes.of(call.tool, call.args)
    if found is not None and found.terms.policy is not Policy.AUTO:
        return found
    return deps.routes.named(Terms.read(asked.route).name or "")


def _brought_in(call: Call) -> str:
    bounds = [f"{name}: {old!r} would become {new!r}" for name, (old, new) in call.clamped.items()]
    return "; ".join(bounds) or "the tool takes other arguments"


def _refused(why: str) -> ToolResult:
    return ToolResult.error(why, code=ErrorCode.VALIDATION_ERROR)
