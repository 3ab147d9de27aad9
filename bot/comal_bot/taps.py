"""Taps: a pressed button decides, and only decides. Whose it is comes from the channel."""

import asyncio
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from comal_renderers.i18n import text
from comal_runtime.call import Request
from comal_runtime.consent import Answer, Verdict
from comal_runtime.consent.policies import Terms
from comal_runtime.consent.question import digest_of, tell
from comal_runtime.consent.verification import RESOLVE_VERIFICATION
from comal_runtime.consent.votes import answer, may_answer
from comal_runtime.context import Consent, ToolContext
from comal_runtime.record import Card, Question, QuestionKind, QuestionState
from comal_runtime.result import ErrorCode, ToolResult

from .cards import SHOW_ALL, YES
from .channels.channel import Ack, ChannelError, Inbound, Tap
from .copies import BROKEN, COMING, PART
from .questions import QuestionCards
from .wiring import RESOLVE_SCOPE, House

log = logging.getLogger(__name__)

_ACK: Final = 5.0  # seconds that telling somebody may take; their next tap waits behind it
_DATA: Final = re.compile(r"q1:([\w-]{22}):([yns])")

_SAID: Final[Mapping[Verdict, str]] = {
    Verdict.APPROVED: "answer.recorded",
    Verdict.REJECTED: "answer.recorded",
    Verdict.CANCELLED: "answer.recorded",
    Verdict.VOTED_BEFORE: "answer.voted_before",
    Verdict.NOT_ENTITLED: "answer.not_yours",
    Verdict.OWN_REQUEST: "answer.self",
    Verdict.DECIDED_BEFORE: "answer.already_decided",
    Verdict.EXPIRED: "answer.expired",
    Verdict.UNKNOWN: "answer.unknown_button",
}
_RECORDED: Final = frozenset({Verdict.APPROVED, Verdict.REJECTED, Verdict.CANCELLED, Verdict.VOTED})
_NOT_WEIGHED: Final = frozenset({ErrorCode.INTERNAL_ERROR, ErrorCode.RATE_LIMITED})


class NotWeighed(Exception):
    """Whether the tap counts could not be found out now; its job tries again."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the one who tapped is told; `alert` stays until it is closed."""

    key: str
    alert: bool = True
    values: Mapping[str, object] = field(default_factory=dict)


class Taps:
    """Handles pressed buttons."""

    def __init__(self, house: House, cards: QuestionCards) -> None:
        self._house = house
        self._cards = cards

    async def handle(self, inbound: Inbound, tap: Tap) -> None:
        """Decide, commit, then answer the tap; a failed answer changes nothing."""
        said = await self._decide(inbound, tap)
        words = text(said.key, self._house.language, **said.values)
        channel = self._house.channels[inbound.address.channel]
        ack = Ack(callback=tap.callback, text=words, alert=said.alert)
        try:
            async with asyncio.timeout(_ACK):
                await channel.signal(inbound.address, ack)
        except (ChannelError, TimeoutError) as error:
            log.info("tap.not_acknowledged", extra={"reason": str(error) or "no answer"})

    async def _decide(self, inbound: Inbound, tap: Tap) -> Said:
        match = _DATA.fullmatch(tap.data)
        if match is None:
            self._note(None, inbound.sender, "tap_unknown_button")
            return Said("answer.unknown_button")
        if inbound.sender is None:
            return Said("answer.nobody")
        if inbound.sender_is_bot:
            self._note(None, inbound.sender, "tap_by_bot")
            return Said("answer.not_yours")
        card_id, choice = match.groups()
        async with self._house.record.reading() as stored:
            card = await stored.cards.get(card_id)
            question = None if card is None else await stored.questions.get(card.question)
        if card is None or question is None:
            self._note(None, inbound.sender, "tap_unknown_button")
            return Said("answer.unknown_button")
        if not _hangs_here(card, inbound, tap):
            self._note(question, inbound.sender, "tap_moved")
            return Said("answer.moved")
        if question.state is QuestionState.OPEN and not _offers(card, choice):
            return Said("answer.unknown_button")
        await self._adopt(card, tap)
        if choice == SHOW_ALL:
            return await self._show_all(card, question, inbound.sender)
        return await self._weigh(question, inbound.sender, yes=choice == YES)

    async def _weigh(self, question: Question, voter: str, *, yes: bool) -> Said:
        if question.kind is QuestionKind.VERIFICATION:
            return await self._resolve(question, voter, yes=yes)
        given = Answer(voter=voter, yes=yes, at=self._house.clock.now())
        async with self._house.record.transaction() as tx:
            verdict, _ = await answer(tx, question.id, given, self._house.people)
        self._note(question, voter, f"tap_{verdict}")
        return _said(verdict)

    async def _resolve(self, question: Question, voter: str, *, yes: bool) -> Said:
        decision = {"request_id": question.id, "decision": "grant" if yes else "reject"}
        consent = Consent(
            question_id=question.id,
            tool=RESOLVE_VERIFICATION,
            args_digest=digest_of(decision),
            principal=voter,
        )
        ctx = ToolContext(
            principal=voter,
            channel=question.channel,
            scopes=self._scopes(question, voter),
            conversation=question.conversation,
            consent=consent,
        )
        arguments = {**decision, "principal": voter}
        if question.subject is not None:
            arguments["subject"] = question.subject
        result = await self._house.registry.call(RESOLVE_VERIFICATION, arguments, ctx)
        verdict = _verdict(result)
        if verdict is not Verdict.VOTED:
            return _said(verdict)
        stands = {"yes": result.data["approvals"], "needed": result.data["needed"]}
        return Said("answer.voted" if yes else "answer.voted_no", alert=False, values=stands)

    def _scopes(self, question: Question, voter: str) -> tuple[str, ...]:
        """Return the voter's scopes; who is on the question's route needs none to answer it."""
        granted = self._house.people.scopes(voter)
        names_people = Terms.read(question.route).approvers is not None
        return (*granted, RESOLVE_SCOPE) if names_people else granted

    async def _adopt(self, card: Card, tap: Tap) -> None:
        """Learn where a card stands whose send was never acknowledged."""
        if card.message is not None or tap.message is None:
            return
        async with self._house.record.transaction() as tx:
            await tx.cards.adopt(card.id, tap.message)
            tx.defer(tell(card.question))

    async def _show_all(self, card: Card, question: Question, who: str) -> Said:
        refusal = may_answer(question, who, self._house.people)
        if refusal not in (None, Verdict.OWN_REQUEST):
            return Said(_SAID[refusal])
        if question.state is not QuestionState.OPEN:
            return Said("answer.already_decided")
        async with self._house.record.transaction() as tx:
            shown = await self._cards.show_everything(tx, question, card)
        return Said("answer.recorded", alert=False) if shown else Said("answer.unknown_button")

    def _note(self, question: Question | None, voter: str | None, decision: str) -> None:
        """Leave an audit record of an answer that no tool call carries."""
        ctx = ToolContext(principal=voter, channel="unknown")
        tool: str | None = None
        if question is not None:
            ctx = replace(ctx, channel=question.channel, conversation=question.conversation)
            tool = question.tool
        request = Request("answer_question", {"tool": tool}, ctx)
        request.trail.question = None if question is None else question.id
        recorded = decision in {f"tap_{verdict}" for verdict in _RECORDED}
        result = (
            ToolResult.success()
            if recorded
            else ToolResult.error(decision, code=ErrorCode.FORBIDDEN)
        )
        audit = self._house.registry.audit
        audit.hand_over(audit.outcome(request, request.args, result, decision))


def _said(verdict: Verdict) -> Said:
    return Said(_SAID[verdict], alert=verdict not in _RECORDED)


def _hangs_here(card: Card, inbound: Inbound, tap: Tap) -> bool:
    here = (inbound.address.channel, inbound.address.chat)
    if here != (card.channel, card.chat):
        return False
    return card.message is None or tap.message is None or tap.message == card.message


def _offers(card: Card, choice: str) -> bool:
    """Tell whether a card of an open question has this button; one still on its way has none."""
    shown = card.shown or ""
    if shown in (COMING, BROKEN):
        return False
    return shown.startswith(PART) is (choice == SHOW_ALL)


def _verdict(result: ToolResult) -> Verdict:
    if result.code in _NOT_WEIGHED:
        raise NotWeighed(result.error)
    if result.success:
        return Verdict(result.data["verdict"])
    told = result.meta.get("verdict")
    return Verdict(told) if told is not None else Verdict.NOT_ENTITLED
