"""The promise: what runs is what was shown, because those who said yes still may, and are enough.

Checked when the call comes in, and again in the transaction that claims its act, after every
listener has had its word.
"""

from collections.abc import Mapping
from typing import Final

from ..call import Arguments, Call
from ..consent.grounds import ALTERED
from ..consent.question import digest_of, tell
from ..consent.tally import tally
from ..consent.terms import Terms
from ..consent.verification import ask_rule, granted_by_rule, request_of, rule_name
from ..consent.votes import act_of
from ..deps import Deps
from ..record import Act, ActState, Question, QuestionState, Repositories, Transaction
from ..result import ErrorCode, ToolResult

NO_MORE: Final = "whoever approved this may not approve it any more"

_OF_ONE: Final = (
    "question", "tool", "args", "args_digest", "principal", "channel", "conversation",
    "idempotency_key",
)  # fmt: skip
"""What an act has from its question, and keeps."""

_NOT_YES: Final = frozenset(QuestionState) - {QuestionState.APPROVED}


def refused(why: str) -> ToolResult:
    """Say that nothing runs, because the promise would not hold."""
    return ToolResult.error(f"It may not run: {why}; ask for it again.", code=ErrorCode.FORBIDDEN)


async def void_redeemed(tx: Transaction, question: Question, reason: str, now: float) -> None:
    """Close a question whose redemption was refused: nothing runs, and that is said."""
    if await tx.questions.close(question.id, QuestionState.APPROVED, now=now, reason=reason):
        await tx.acts.open(act_of(question, now=now))
    if await tx.acts.void(question.id, reason=reason, now=now):
        tx.defer(tell(question.id))


def broken(call: Call, question: Question, deps: Deps) -> str | None:
    """Say in what a call is not the one that was shown, or None."""
    why = deps.grounds.changed(question)
    if why is not None:
        return why
    if deps.tools.get(call.tool.name) is not call.registered or question.tool != call.tool.name:
        return f"another tool goes by the name of {call.tool.name} now"
    if not _are_shown(call.args, question):
        return "its arguments are not those that were shown"
    by, asked_by = call.ctx, question
    if (by.principal, by.channel, by.conversation) != (
        asked_by.principal,
        asked_by.channel,
        asked_by.conversation,
    ):
        return "it is called by somebody else, or elsewhere, than it was asked"
    return None


async def broken_by_rule(question: Question, deps: Deps) -> str | None:
    """Say that a rule which granted a call does not any more; for one that people decided, None."""
    terms = Terms.read(question.route)
    if terms.needed is not None:
        return None
    said = await ask_rule(deps.verifiers, terms.rule, request_of(question))
    return None if said.is_satisfied else NO_MORE


async def broken_since(
    call: Call, asked: Question, deps: Deps, stored: Repositories | Transaction
) -> str | None:
    """Say what the record knows by now that keeps the call of a question from running, or None.

    An act that has started, ended or was never opened is for its claim to tell.
    """
    question = await stored.questions.get(asked.id)
    states = {asked.state, None if question is None else question.state}
    waits = states == {QuestionState.OPEN}  # for its token; opening its act will tell if it has one
    act = None if waits else await stored.acts.get(asked.id)
    if act is not None and act.state is not ActState.APPROVED:
        return None
    if question is None or question.digest != asked.digest:
        return ALTERED
    why = broken(call, question, deps)
    if why is not None or waits or act is None:
        return why
    if question.state in _NOT_YES or not _is_of(act, question):
        return ALTERED
    return await _no_more(question, deps, stored)


async def _no_more(
    question: Question, deps: Deps, stored: Repositories | Transaction
) -> str | None:
    """Say that those who said yes are not enough any more, or may not say it."""
    terms = Terms.read(question.route)
    if terms.needed is None:
        by_it = granted_by_rule(question) and question.decided_by == rule_name(terms.rule or "")
        return None if by_it else NO_MORE
    await deps.directory.refresh(stored)
    votes = await stored.questions.votes(question.id)
    return None if tally(question, votes, deps.directory).approved else NO_MORE


def _are_shown(args: Arguments, question: Question) -> bool:
    try:
        return digest_of(args) == question.args_digest
    except (TypeError, ValueError, RecursionError):  # what JSON lacks was never shown
        return False


def _is_of(act: Act, question: Question) -> bool:
    expected = act_of(question, now=question.created_at)
    own: Mapping[str, object] = {name: getattr(act, name) for name in _OF_ONE}
    return own == {name: getattr(expected, name) for name in _OF_ONE}
