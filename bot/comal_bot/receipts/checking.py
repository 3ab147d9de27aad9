"""Checking: whether a receipt is what its key signed, and whether what it tells fits together.

Needs the receipt and a public key, and neither a host nor its record.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from comal_runtime.consent.policies import Policy
from comal_runtime.consent.question import digest
from comal_runtime.consent.seal import seal_over
from comal_runtime.consent.tally import tally
from comal_runtime.consent.terms import Terms
from comal_runtime.record import ActState, QuestionKind, QuestionState, Vote

from .paper import VERSION, NoReceipt, Paper, read
from .retelling import Witness, question_in, votes_in
from .signing import is_signed_by, key_id

_NOT_BY_VOTES: Final = (QuestionState.EXPIRED, QuestionState.SUPERSEDED, QuestionState.CANCELLED)
_BEGUN: Final = frozenset(ActState) - {ActState.APPROVED, ActState.VOID}

Check = Callable[["Told"], Iterator[str]]
"""Yields what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What an account says, read."""

    account: Mapping[str, Any]

    @property
    def asked(self) -> Mapping[str, Any]:
        """What was asked, as it was sealed."""
        return self.account["asked"]  # type: ignore[no-any-return]  # checked by `_read`

    @property
    def is_masked(self) -> bool:
        """Whether something in it is masked, so that its digests cannot be taken again."""
        return bool(self.asked["masked"] != "[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of checking: `wrong` in the order of the checks, and what is good to know."""

    paper: Paper | None = None
    wrong: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong


def check(text: str, public: str) -> Checked:
    """Check a receipt against the public key of whoever should have signed it.

    Raises:
        BadReceiptKey: The public key is none.
    """
    try:
        paper = read(text)
    except NoReceipt as error:
        return Checked(wrong=(f"this is no receipt: {error}",))
    if paper.key != public:
        signed, meant = key_id(paper.key), key_id(public)
        return Checked(wrong=(f"it is signed by another key ({signed}) than yours ({meant})",))
    if not is_signed_by(public, paper.signature, paper.line.encode("ascii")):
        return Checked(wrong=("its signature is not that of its text: one of them was changed",))
    wrong = tuple(_read(paper))
    return Checked(paper=paper, wrong=wrong, notes=() if wrong else _notes(paper))


def _read(paper: Paper) -> Iterator[str]:
    """Yield what is wrong with an account that is signed; first what keeps it from being read."""
    version = paper.account.get("version")
    if version != VERSION:
        known = f"this program reads {VERSION}"
        yield f"it is of version {version!r}, {known}; use the newer program"
        return
    told = Told(account=paper.account)
    for one in _CHECKS:
        try:
            yield from one(told)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            why = f"{type(error).__name__}: {error}"
            yield f"what it says {one.__doc__ or ''} cannot be read: {why}"
            return


def _sealing(told: Told) -> Iterator[str]:
    """of the question"""
    asked, seal = told.asked, told.account["seal"]
    if told.is_masked:
        return
    if digest(asked["args"]) != asked["args_digest"]:
        yield "the arguments are not those of their digest"
    if seal is not None and seal_over(asked) != seal:
        yield "what was asked is not what was sealed when it was asked"


def _order(told: Told) -> Iterator[str]:
    """of its number"""
    account = told.account
    if (account["number"] == 1) is not (account["previous"] is None):
        yield "its number does not fit the receipt that it says came before"


def _voting(told: Told) -> Iterator[str]:
    """of the votes"""
    asked, votes = told.asked, votes_in(told.account)
    if len({vote.person for vote in votes}) != len(votes):
        yield "somebody's vote is there twice"
    for vote in votes:
        if vote.choice not in ("yes", "no", "changes"):
            yield f"the vote of {vote.identity} is {vote.choice!r}, which no vote is"
        if not asked["created_at"] <= vote.at < asked["expires_at"]:
            yield f"the vote of {vote.identity} was not given while the question was open"


def _deciding(told: Told) -> Iterator[str]:
    """of the decision"""
    decided = told.account["decided"]
    state = QuestionState(decided["state"])
    if state is QuestionState.OPEN:
        yield "the question is open, of which there is no receipt"
    if state in _NOT_BY_VOTES:
        return
    yield from _counted(told, state, votes_in(told.account))


def _counted(told: Told, state: QuestionState, votes: list[Vote]) -> Iterator[str]:
    question = question_in(told.account)
    if question.kind is QuestionKind.CONFIRMATION:
        yield from _confirmed(told, votes)
        return
    if Terms.read(question.route).policy is Policy.AUTO:
        if not str(told.account["decided"]["by"]).startswith("rule:"):
            yield "a rule decides by its terms, and it was none"
        return
    stands = tally(question, votes, Witness(told.account))
    if state is QuestionState.APPROVED and not stands.approved:
        yield (
            "its votes do not satisfy the terms it was asked by: "
            f"{stands.yes} of {stands.needed} count"
        )
    if state is QuestionState.REJECTED and not stands.rejected:
        yield "it is rejected, and its votes do not say so"


def _confirmed(told: Told, votes: list[Vote]) -> Iterator[str]:
    persons, asked_by = told.account["persons"], told.asked["principal"]
    for who in {vote.identity for vote in votes} | {told.account["decided"]["by"]}:
        if persons.get(who, who) != persons.get(asked_by, asked_by):
            yield f"a confirmation is its requester's to give, and {who} gave it"


def _acting(told: Told) -> Iterator[str]:
    """of the act"""
    asked, act, decided = told.asked, told.account["act"], told.account["decided"]
    approved = decided["state"] == QuestionState.APPROVED
    if act is None:
        if approved and asked["tool"] is not None:
            yield "it was approved, and nothing is told of the act"
        return
    if not approved:
        yield f"something was to be done although the question was {decided['state']}"
    for name, sealed in _SAME.items():
        if act[name] != asked[sealed]:
            yield f"the act's {name} is not that of the question"
    yield from _timed(act, decided)


def _timed(act: Mapping[str, Any], decided: Mapping[str, Any]) -> Iterator[str]:
    state, started, ended = ActState(act["state"]), act["startedAt"], act["endedAt"]
    if state in _BEGUN and (started is None or started < decided["at"]):
        yield "the act did not start after the decision"
    if started is not None and ended is not None and ended < started:
        yield "the act ended before it started"


def _showing(told: Told) -> Iterator[str]:
    """of the cards"""
    for card in told.account["cards"]:
        if not isinstance(card["text"], str) or not card["text"].strip():
            yield f"the card in {card['channel']}:{card['chat']} has no text"


_SAME: Final[Mapping[str, str]] = {
    "key": "id",
    "tool": "tool",
    "argsDigest": "args_digest",
    "principal": "principal",
    "idempotencyKey": "idempotency_key",
}
_CHECKS: Final[tuple[Check, ...]] = (_sealing, _order, _voting, _deciding, _acting, _showing)


def _notes(paper: Paper) -> tuple[str, ...]:
    return tuple(_noted(Told(account=paper.account)))


def _noted(told: Told) -> Iterator[str]:
    account = told.account
    if told.is_masked:
        yield "secrets in its arguments are masked, so their digest was not taken again"
    for vote in account["votes"]:
        if vote["breakGlass"]:
            yield f"BREAK-GLASS: {vote['identity']} decided without being entitled to"
    if account["previous"] is not None:
        yield f"it amends the receipt {account['previous']}"
    act = account["act"]
    if act is not None and act["state"] == ActState.UNKNOWN:
        yield "whether it was done was not known when this was signed; a later receipt may say"
    if not account["cards"]:
        yield "no card of it hung anywhere"
