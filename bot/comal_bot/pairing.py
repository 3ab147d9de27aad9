"""Pairing: a stranger asks to be let in, and an owner decides."""

from typing import Final

from comal_renderers.i18n import LANGUAGES, text
from comal_runtime.consent import Terms
from comal_runtime.consent.question import new_id, show, subject_question
from comal_runtime.consent.seal import is_intact
from comal_runtime.consent.tally import tally
from comal_runtime.context import ToolContext
from comal_runtime.record import Pairing, Place, Question, QuestionState, Transaction
from comal_runtime.tools import canonical_json

from .channels.channel import Inbound
from .entrance import Strangers
from .inbox import place_of
from .owners import OWNER, owner_chats
from .receiving import Reception, Reply, spoken_time
from .speech import Speech

LASTS: Final = 24 * 3600.0
"""Seconds that owners have to answer."""

PAUSE: Final = 24 * 3600.0
"""Seconds until somebody who was not let in may ask again."""

_MOST: Final = 20  # strangers who may wait at a time: owners read no more
_LONGEST_NAME: Final = 64


class Pairings:
    """Handles `/pair`, and what comes of it."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception
        self._house = reception.house

    async def handle(self, update: int, inbound: Inbound) -> None:
        """Ask the owners to let a stranger in.

        Any stranger may ask, in private, one question at a time; whom an owner did not let in
        waits a day.
        """
        async with self._reception.open(inbound) as tx:
            reply = await self._asked(tx, inbound)
            if not self._house.shuns(inbound.sender):
                await self._reception.answer(tx, update, inbound, reply)
        self._reception.witness(inbound.sender, "pair", {}, reply)

    async def look(self, key: str) -> None:
        """Do what the owners decided about a stranger, once; `key` is a question's."""
        async with self._house.record.reading() as stored:
            pairing = await stored.admissions.pairing(key)
        if pairing is None or pairing.state != "open":
            return
        async with self._house.record.transaction() as tx:
            await self._house.people.refresh(tx)
            question = await tx.questions.get(key)
            if question is None or question.state is QuestionState.OPEN:
                return
            reply = await self._ended(tx, pairing, question)
            if reply is None:
                return
            words, now = self._reception.words(reply), self._house.clock.now()
            place = Place(channel=pairing.channel, chat=pairing.chat)
            await Speech(self._house.channels).plain(tx, f"pairing:{key}", place, words, now)
        said = {"who": pairing.principal, "roles": pairing.roles}
        self._reception.witness(question.decided_by, "let_in", said, reply)

    async def _asked(self, tx: Transaction, inbound: Inbound) -> Reply:
        house, sender = self._house, inbound.sender
        if sender is None or inbound.sender_is_bot:
            return Reply("answer.nobody")
        if house.people.is_known(sender):
            return Reply("pair.known")
        if house.entrance.strangers is not Strangers.PAIR:
            return Reply("host.not_a_command", values={"command": "pair"})
        if not inbound.private:
            return Reply("people.private")
        owners = await owner_chats(house, tx)
        if not owners:
            return Reply("pair.no_owner")
        return await self._wait(tx, inbound, sender, owners)

    async def _wait(
        self, tx: Transaction, inbound: Inbound, sender: str, owners: list[Place]
    ) -> Reply:
        now = self._house.clock.now()
        refused = await tx.admissions.refused_at(sender)
        if refused is not None and refused + PAUSE > now:
            return Reply("pair.pause", values={"time": spoken_time(refused + PAUSE)})
        if await tx.admissions.waiting() >= _MOST:
            return Reply("pair.crowded")
        place = place_of(inbound)
        pairing = Pairing(
            question=new_id(),
            principal=sender,
            name=_called(inbound.sender_name),
            roles=",".join(self._house.entrance.roles),
            channel=place.channel,
            chat=place.chat,
            asked_at=now,
        )
        if not await tx.admissions.ask(pairing):
            return Reply("pair.waiting")
        if await tx.questions.open(self._question(pairing, owners)):
            tx.defer(show(pairing.question))
        return Reply("pair.asked", done=True)

    def _question(self, pairing: Pairing, owners: list[Place]) -> Question:
        """Return the question to the owners; it belongs to no conversation, so no model hears."""
        cards = tuple(f"{place.channel}:{place.chat}" for place in owners)
        terms = Terms(approvers=(f"role:{OWNER}",), name="pairing", cards=cards)
        kind = self._house.channels[pairing.channel].descriptor.name
        return subject_question(
            pairing.question,
            subject_of(pairing, self._house.language),
            ToolContext(principal=pairing.principal, channel=kind),
            now=pairing.asked_at,
            ttl=LASTS,
            route=terms.to_json(),
        )

    async def _ended(self, tx: Transaction, pairing: Pairing, question: Question) -> Reply | None:
        """Let somebody in, or do not; None when that was done."""
        now = self._house.clock.now()
        if question.state is not QuestionState.APPROVED:
            was_no = question.state is QuestionState.REJECTED
            state, key = ("refused", "pair.refused") if was_no else ("expired", "pair.expired")
        elif await self._still_holds(tx, pairing, question):
            state, key = "granted", "pair.granted"
        else:
            state, key = "expired", "pair.expired"
        if not await tx.admissions.end(pairing.question, state, now=now):
            return None
        if state != "granted":
            return Reply(key)
        by, roles = question.decided_by or OWNER, _roles(pairing)
        await tx.identities.add(pairing.principal, by=by, now=now)
        for role in roles:
            await tx.identities.give(pairing.principal, role, by=by, now=now)
        shown = ", ".join(roles) or text("host.no_roles", self._house.language)
        return Reply(key, done=True, values={"roles": shown})

    async def _still_holds(self, tx: Transaction, pairing: Pairing, question: Question) -> bool:
        """Tell whether what owners were shown is what would be done, and they may still say so."""
        shown = {subject_of(pairing, language) for language in LANGUAGES}
        votes = await tx.questions.votes(question.id)
        return (
            question.digest is not None
            and is_intact(question)
            and question.subject in shown
            and set(_roles(pairing)) <= set(self._house.entrance.roles)
            and tally(question, votes, self._house.people).approved
        )


def subject_of(pairing: Pairing, language: str) -> str:
    """Say what owners are asked; the name comes last, quoted, and is nobody's word but theirs."""
    roles = ", ".join(_roles(pairing)) or text("host.no_roles", language)
    name = canonical_json(pairing.name)
    return text("pair.subject", language, who=pairing.principal, roles=roles, name=name)


def _roles(pairing: Pairing) -> tuple[str, ...]:
    return tuple(filter(None, pairing.roles.split(",")))


def _called(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
