"""Filing: a question that has ended gets its receipt, and another one when more becomes known."""

import logging
from typing import Final

from comal_runtime.record import Job, QuestionState, Repositories, StoredReceipt, Transaction
from comal_runtime.record.acts import ActState

from ..naming import name_of
from ..wiring import Premises
from .account import Facts, account_of
from .paper import read, written
from .signing import Signer

log = logging.getLogger(__name__)

SIGN_RECEIPT: Final = "sign_receipt"
"""The job that signs a receipt; its key is the question's id."""

_RUNNING: Final = (ActState.APPROVED, ActState.STARTED)


class NotFiled(Exception):
    """Another worker filed a receipt meanwhile; the job looks again."""


class Filing:
    """Signs and keeps receipts."""

    def __init__(self, house: Premises, signer: Signer) -> None:
        self._house = house
        self._signer = signer

    async def look(self, key: str) -> None:
        """Leave a job if a question has ended otherwise than its newest receipt tells."""
        async with self._house.record.reading() as stored:
            facts = await self._facts(stored, key)
        if facts is None:
            return
        async with self._house.record.transaction() as tx:
            tx.defer(Job(kind=SIGN_RECEIPT, lane=f"receipt:{key}", key=key))

    async def sign(self, key: str) -> None:
        """Sign and keep the receipt of a question, if there is anything new to tell."""
        async with self._house.record.transaction() as tx:
            await self._house.people.refresh(tx)
            facts = await self._facts(tx, key)
            if facts is None:
                return
            account = account_of(facts, self._house.people)
            text = written(account, self._signer)
            receipt = StoredReceipt(
                question=key,
                number=account["number"],
                state=facts.state,
                digest=read(text).digest,
                body=text,
                made_at=facts.now,
            )
            if not await tx.receipts.add(receipt):
                raise NotFiled(f"receipt {receipt.number} of this question is there already")
        log.info("receipt.signed", extra={"number": receipt.number, "state": receipt.state})

    async def _facts(self, stored: Repositories | Transaction, key: str) -> Facts | None:
        """Return what is to be told of a question; None while it runs, or when it was told."""
        question, act = await stored.questions.get(key), await stored.acts.get(key)
        if question is None or question.state is QuestionState.OPEN:
            return None
        waits = question.state is QuestionState.APPROVED and question.tool is not None
        if waits if act is None else act.state in _RUNNING:
            return None
        latest = await stored.receipts.latest(key)
        votes, ended = await stored.questions.votes(key), question.decided_at
        shown = [
            one
            for one in await stored.showings.of(key)
            if not (one.edited and one.at is not None and ended is not None and one.at > ended)
        ]
        facts = Facts(
            question=question,
            act=act,
            votes=votes,
            shown=[*shown, *await stored.showings.unacknowledged(key)],
            requester=await name_of(self._house, stored, question.principal),
            previous=None if latest is None else read(latest.body),
            instance=self._house.instance,
            now=self._house.clock.now(),
        )
        return None if latest is not None and latest.state == facts.state else facts
