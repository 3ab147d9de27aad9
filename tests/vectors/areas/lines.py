"""What the lines of the contract say by which calls come out otherwise than recorded."""

from collections.abc import Mapping
from typing import Final

from tests.vectors.areas.area import Facets, Ruling, first_difference
from tests.vectors.decisions import Decision
from tests.vectors.values import same

WHY: Final[Mapping[str, str]] = {
    "8": "the context is no argument",
    "9": "a schema that is not valid draft 2020-12 is refused at registration",
    "11": "a call raises nothing",
    "13": "an unknown name is an error of its own",
    "14": "the full draft 2020-12; a text that is no Unicode is no JSON",
    "15": "clamps bring in numbers only, and inverted ones are refused",
    "16": "a blank principal is nobody; the effect of a rule is allow or deny",
    "18": "telegram needs a principal, tui allows all, an unknown channel fails closed",
    "19": "a custom policy changes only what it names, and names only what there is",
    "20": "one intended act is charged once, a plan nothing, and budgets refill evenly",
    "21": "a mode is execute or plan",
    "22": "a call that must be confirmed asks",
    "23": "the first call's arguments run, and a token is dead when its time is over",
    "24": "a token is its asker's, whose rights are checked again",
    "25": "a token travels beside the arguments and is a text",
    "26": "a model never redeems, nor sees a token",
    "27": "tokens that redeem nothing are refused alike",
    "31": "a listener that fails stops the call, and none answers for an act",
    "32": "a callback is cancelled at its time limit",
    "33": "a mutating call that raised is unknown",
    "36": "a dispatcher that fails changes nothing",
    "42": "an approver's tap is the consent; nobody is asked twice",
    "43": "the gate decides who may resolve",
    "44": "requests are stored: unknown, decided, blank and taken ids are errors",
    "45": "the caller acts as itself and as nobody else",
    "46": "policies count distinct people, and the requester is none of them",
    "49": "a plan never guesses: the mode is known, and rules may say another thing later",
    "50": "a plan says where the call would certainly end, and nothing follows that",
    "60": "a context holds exactly what was given",
    "faults 1": "a question is stored, redeemed wherever it is known, and open ones are bounded",
    "faults 2": "no caller and no right is made up",
}


def ruling(recorded: Facets, right: Facets, line: str | None) -> Ruling | None:
    """Return what a line decides, if that is not what was recorded."""
    if line is None or all(same(value, recorded.get(name)) for name, value in right.items()):
        return None
    return Ruling(expected=right, line=line, why=WHY[line])


def decided(decision: Decision | None, right: Facets, found: Facets, why: str | None) -> str | None:
    """Return what differs from a decision, and from the rest wherever it decides the same."""
    if decision is None:
        return why
    other = first_difference(decision.expected, found)
    if other is not None:
        return f"{other} (by {decision.line}: {decision.why})"
    agrees = all(same(value, right.get(name)) for name, value in decision.expected.items())
    return why if agrees else None
