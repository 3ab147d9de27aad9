"""Retelling: an account read back into the values that decisions are made of."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from comal_runtime.record import (
    Question,
    QuestionKind,
    QuestionState,
    Repositories,
    Transaction,
    Vote,
)

Account = Mapping[str, Any]

_UNTOLD: Final[Mapping[str, Any]] = {"request_id": "", "call_key": None, "secret_hash": None}
"""What a question has for its host alone."""

_KNOWN: Final = frozenset(one.name for one in fields(Question))


class Witness:
    """Who people were when a receipt was signed, as it tells."""

    def __init__(self, account: Account) -> None:
        self._persons: Mapping[str, str] = account["persons"]
        self._asked_by: str | None = account["asked"]["principal"]
        votes = account["votes"]
        self._roles = {vote["identity"]: frozenset(vote["roles"]) for vote in votes}
        self._requesters = {vote["identity"] for vote in votes if vote["isRequester"]}

    async def refresh(self, stored: Repositories | Transaction) -> None:
        """A receipt learns nothing."""

    def person(self, principal: str) -> str:
        return self._persons.get(principal, principal)

    def roles(self, principal: str) -> frozenset[str]:
        return self._roles.get(principal, frozenset())

    def ever_one(self, principal: str, other: str, since: float) -> bool:
        one = self.person(principal) == self.person(other)
        return one or (principal == self._asked_by and other in self._requesters)

    def counts(self, principal: str, at: float) -> bool:
        return True


def question_in(account: Account) -> Question:
    """Return the question of an account; fields that this program does not know are left out."""
    asked, decided = account["asked"], account["decided"]
    told = {name: value for name, value in asked.items() if name in _KNOWN}
    told |= _UNTOLD
    told["kind"] = QuestionKind(asked["kind"])
    return Question(
        **told,
        state=QuestionState(decided["state"]),
        digest=account["seal"],
        escalated_at=account["escalatedAt"],
        decided_at=decided["at"],
        decided_by=decided["by"],
        reason=decided["reason"],
    )


def votes_in(account: Account) -> list[Vote]:
    """Return the votes of an account."""
    return [
        Vote(
            question=account["asked"]["id"],
            person=vote["person"],
            identity=vote["identity"],
            choice=vote["choice"],
            reason=vote["reason"],
            at=vote["at"],
        )
        for vote in account["votes"]
    ]
