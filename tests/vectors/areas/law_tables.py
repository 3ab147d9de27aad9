"""The two laws a recorded call is held against: the original's, and this project's.

Each field is one departure, by the line of the contract that decides it. Where a call comes out
the same under both, the recorded output is right; elsewhere it is what the second law says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.vectors.areas.gate_rules import Judged, Use, by_comal, by_original


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """How calls are carried; every field is False for the original.

    Args:
        judge: Lines 16-19: the gate.
        token_beside: Line 25: a token is no argument; one that is no text is a validation error.
        binds_tokens: Line 24: a token is its asker's; a refusal by `authorize` voids it.
        never_by_a_model: Line 26: a model neither sees nor redeems a token.
        neutral_refusal: Line 27: every token that redeems nothing is refused alike, and it is
            looked up whether or not the tool asks.
        inert_arguments: Line 23: what comes beside a token is neither validated nor run.
        ends_at_expiry: Line 23: a token that lives 60 s is dead 60 s later.
        charged_once: Line 20: the answer to a question costs nothing, nor does a plan.
        refills_evenly: Line 20: GCRA; the original's window is fixed.
        context_apart: Line 8: `_ctx` is an argument like any other.
        fails_closed: Lines 11, 31, 36: a listener or dispatcher that fails before the fact stops
            the call, and after it changes nothing; nobody answers for an act.
        cut_at_the_limit: Line 32: the callback is cancelled at its time limit.
        acts_may_be_unknown: Lines 32, 33: a mutating call that was cut or raised is unknown.
        clamps_numbers_only: Line 15: what is no number is left alone.
    """

    judge: Callable[[Use], Judged] = by_original
    token_beside: bool = False
    binds_tokens: bool = False
    never_by_a_model: bool = False
    neutral_refusal: bool = False
    inert_arguments: bool = False
    ends_at_expiry: bool = False
    charged_once: bool = False
    refills_evenly: bool = False
    context_apart: bool = False
    fails_closed: bool = False
    cut_at_the_limit: bool = False
    acts_may_be_unknown: bool = False
    clamps_numbers_only: bool = False


ORIGINAL: Final = Law()
COMAL: Final = Law(
    judge=by_comal,
    token_beside=True,
    binds_tokens=True,
    never_by_a_model=True,
    neutral_refusal=True,
    inert_arguments=True,
    ends_at_expiry=True,
    charged_once=True,
    refills_evenly=True,
    context_apart=True,
    fails_closed=True,
    cut_at_the_limit=True,
    acts_may_be_unknown=True,
    clamps_numbers_only=True,
)
