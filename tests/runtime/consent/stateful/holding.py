"""Each stored answer held against what answers one after another should come to."""

from typing import Final

from comal_runtime.consent.votes import Answer, Verdict
from comal_runtime.record import Question

from .house import Shared
from .people import ANA
from .sequential import Asked

DECIDED: Final = (Verdict.APPROVED, Verdict.REJECTED, Verdict.CANCELLED)


def hold_against(shared: Shared, verdict: Verdict, question: Question, given: Answer) -> None:
    """Hold a stored verdict against what should come of answers one after another."""
    faults = shared.truth.faults
    if question.tool != "refund":
        if verdict in DECIDED and given.voter != ANA:
            faults.append(f"{given.voter} decided about {question.tool}")
        return
    asked = Asked(shared.rules, ANA, question.expires_at)
    expected = shared.asked.setdefault(question.id, asked).hears(
        shared.directory.person(given.voter),
        given.yes,
        reason=bool(given.reason),
        at=given.at,
        roles=shared.directory.held,
    )
    came = verdict.value if verdict in (*DECIDED, Verdict.VOTED) else "nothing"
    if came != expected:
        faults.append(f"{given.voter} was answered {verdict}; it should be {expected}")
