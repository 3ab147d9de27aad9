"""Drafting: the question that a checked call asks; stored by whoever asks it."""

from ..call import Call
from ..consent.question import call_question
from ..consent.route import Route
from ..deps import Deps
from ..record import Question
from .foretelling import with_preview


async def draft(call: Call, deps: Deps, route: Route | None) -> tuple[Question, str]:
    """Return the question about a call, and the secret that redeems it. Nothing is stored yet.

    It shows what the tool foretells, and stays open for as long as its route, its tool or its
    channel says.
    """
    ctx, tool = call.ctx, call.tool
    within = tool.options.answer_within
    if route is None:
        ttl = within or deps.policy.channel_policy(ctx.channel).confirmation_ttl
    else:
        ttl = route.lasts(within)
    question, secret = call_question(
        tool, call.args, ctx, route=route, now=deps.clock.now(), ttl=ttl
    )
    return await with_preview(question, call, deps), secret
