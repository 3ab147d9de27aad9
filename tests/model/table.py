"""How questions and acts change: the table behind the document, the model and the fuzz."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comal_runtime.record import ActState, QuestionState

NONE: Final = "none"
"""The state of a row that is not there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One conditional statement: what it expects, what it makes of it, and by whom.

    `timely` edges are refused from the moment the row's time is over; those of its `holder` only
    the attempt that started the act can take; `tells` says that people are told by a job of the
    same transaction.
    """

    event: str
    frm: str
    to: str
    by: str
    timely: bool = False
    holder: bool = False
    tells: bool = True


QUESTION: Final[tuple[Edge, ...]] = (
    Edge(
        event="ask",
        frm=NONE,
        to=QuestionState.OPEN,
        by="a call that needs a yes; the job that hangs its cards is in the same transaction",
    ),
    Edge(
        event="vote",
        frm=QuestionState.OPEN,
        to=QuestionState.OPEN,
        by="an answer that does not decide: others are waited for",
        timely=True,
    ),
    Edge(
        event="approve",
        frm=QuestionState.OPEN,
        to=QuestionState.APPROVED,
        by="the requester's Confirm or the last Approve that its policy needs, before it expires",
        timely=True,
    ),
    Edge(
        event="redeem",
        frm=QuestionState.OPEN,
        to=QuestionState.APPROVED,
        by="a redeemed token, before it expires; its act starts in the same transaction",
        timely=True,
        tells=False,
    ),
    Edge(
        event="rule",
        frm=QuestionState.OPEN,
        to=QuestionState.APPROVED,
        by="the registered rule of an `auto` route, in the transaction that asks; the same call "
        "claims the act",
        timely=True,
        tells=False,
    ),
    Edge(
        event="cancel",
        frm=QuestionState.OPEN,
        to=QuestionState.CANCELLED,
        by="the requester's Cancel, before it expires",
        timely=True,
    ),
    Edge(
        event="reject",
        frm=QuestionState.OPEN,
        to=QuestionState.REJECTED,
        by="an approver's Reject, before it expires",
        timely=True,
    ),
    Edge(
        event="expire",
        frm=QuestionState.OPEN,
        to=QuestionState.EXPIRED,
        by="the sweep, once its time is over",
    ),
    Edge(
        event="refuse",
        frm=QuestionState.OPEN,
        to=QuestionState.APPROVED,
        by="a redemption that the law refuses: rights, limits or the tool changed since; its act "
        "is void at once. Other arguments sent along are inert: those that were asked about run",
    ),
    Edge(
        event="change",
        frm=QuestionState.OPEN,
        to=QuestionState.SUPERSEDED,
        by="an answer to what is no more as it was shown: definition, route or what is stored "
        "changed; the answer does not count and the reason is told",
        timely=True,
    ),
    Edge(
        event="edit",
        frm=QuestionState.OPEN,
        to=QuestionState.SUPERSEDED,
        by="an approver's edit, before it expires: a new question goes through its route again",
        timely=True,
    ),
    Edge(
        event="forestall",
        frm=QuestionState.OPEN,
        to=QuestionState.SUPERSEDED,
        by="the first attempt of what it asks to do again turned out to be done",
    ),
)

ACT: Final[tuple[Edge, ...]] = (
    Edge(
        event="open",
        frm=NONE,
        to=ActState.APPROVED,
        by="the yes to its question; or a call that changes something and needs no yes",
        tells=False,
    ),
    Edge(
        event="claim",
        frm=ActState.APPROVED,
        to=ActState.STARTED,
        by="the one executor whose claim wins, committed before the tool runs",
        timely=True,
        tells=False,
    ),
    Edge(
        event="void",
        frm=ActState.APPROVED,
        to=ActState.VOID,
        by="rights gone, arguments or definition changed, stopped by a listener, called off or too "
        "slow before it began with no job to try again, or an hour went by",
    ),
    Edge(
        event="abandon",
        frm=ActState.STARTED,
        to=ActState.APPROVED,
        by="its executor, before the tool ran: frozen for more than a second, called off, or told "
        "by the record that the claim may not be stored",
        holder=True,
        tells=False,
    ),
    Edge(
        event="end_done",
        frm=ActState.STARTED,
        to=ActState.DONE,
        by="the tool came back in time",
        holder=True,
    ),
    Edge(
        event="end_failed",
        frm=ActState.STARTED,
        to=ActState.FAILED,
        by="the tool raised `ToolError` or returned a failure: its author says that nothing was "
        "done",
        holder=True,
    ),
    Edge(
        event="end_unknown",
        frm=ActState.STARTED,
        to=ActState.UNKNOWN,
        by="its executor: time limit, cancellation, any other exception",
        holder=True,
    ),
    Edge(
        event="lose",
        frm=ActState.STARTED,
        to=ActState.UNKNOWN,
        by="the sweep, when deadline *and* owner's lease are over; or its executor, whose result "
        "is past the deadline and follows in the same transaction",
        holder=True,
    ),
    Edge(
        event="late_done",
        frm=ActState.UNKNOWN,
        to=ActState.DONE_LATE,
        by="the result came after all",
        holder=True,
    ),
    Edge(
        event="late_failed",
        frm=ActState.UNKNOWN,
        to=ActState.SETTLED_NOT_DONE,
        by="the late end says that nothing was done, or its executor woke before the tool ran",
        holder=True,
    ),
    Edge(
        event="late_unknown",
        frm=ActState.UNKNOWN,
        to=ActState.UNKNOWN,
        by="its executor does not know either, and says what it saw",
        holder=True,
    ),
    Edge(
        event="settle_done",
        frm=ActState.UNKNOWN,
        to=ActState.SETTLED_DONE,
        by="the tool's `reconcile` asked the service: it was done; or a person says so. What was "
        "to do it again is superseded or void in the same transaction",
    ),
    Edge(
        event="settle_not_done",
        frm=ActState.UNKNOWN,
        to=ActState.SETTLED_NOT_DONE,
        by="the service says that it was not done and the first attempt can do nothing any more; "
        "or a person says so on the command line",
    ),
    Edge(
        event="leave",
        frm=ActState.UNKNOWN,
        to=ActState.UNKNOWN,
        by="a person decides that it stays unknown; their name is kept",
    ),
)

FINAL_QUESTIONS: Final = frozenset(set(QuestionState) - {QuestionState.OPEN})
RUNNING_ACTS: Final = frozenset({ActState.APPROVED, ActState.STARTED})
ENDED_ACTS: Final = frozenset(set(ActState) - RUNNING_ACTS)
FINAL_ACTS: Final = ENDED_ACTS - {ActState.UNKNOWN}


def steps(edges: tuple[Edge, ...]) -> Mapping[tuple[str, str], str]:
    """Return where each event leads from each state that takes it."""
    return {(edge.event, str(edge.frm)): str(edge.to) for edge in edges}


def changes(edges: tuple[Edge, ...]) -> frozenset[tuple[str, str]]:
    """Return every (from, to) that some event brings about."""
    return frozenset((str(edge.frm), str(edge.to)) for edge in edges)
