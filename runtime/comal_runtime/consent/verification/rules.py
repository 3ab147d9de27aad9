"""Rules: what a program can verify by itself, registered by name for routes that say `auto`."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import ModuleType
from typing import Final, TypeVar

from ...invoke import only_itself
from ...record import Question
from .outcomes import VerificationOutcome, VerificationRequest, VerificationResult, Verifier

log = logging.getLogger(__name__)

Evidence = Callable[[VerificationRequest], bool | Awaitable[bool]]
"""Looks at a request; grants it by returning True, and by nothing else."""

Marked = TypeVar("Marked", bound=Callable[..., bool | Awaitable[bool]])

_PATIENCE: Final = 10.0  # seconds a rule may take
_MARK: Final = "__comal_rule__"
_BY_RULE: Final = "rule:"


class RuleVerifier:
    """A function as a verifier: passed when it returns True; anything else decides nothing."""

    def __init__(self, name: str, evidence: Evidence) -> None:
        self._name = name
        self._evidence = evidence

    async def verify(self, request: VerificationRequest) -> VerificationResult:
        """Ask the function, however long it takes; what it raises is raised."""
        said: object = self._evidence(request)
        if inspect.isawaitable(said):
            said = await said
        if said is True:
            return VerificationResult(outcome=VerificationOutcome.PASSED, verifier=self._name)
        return _undecided(self._name, "does not hold")


def evidence_rule(name: str) -> Callable[[Marked], Marked]:
    """Mark a function of a tools module as the rule `name`; it registers nothing by itself."""

    def marked(function: Marked) -> Marked:
        setattr(function, _MARK, name)
        return function

    return marked


def rules_of(source: object) -> dict[str, Verifier]:
    """Return the rules among the members of a module or an object, or the one it is itself."""
    return {name: RuleVerifier(name, function) for name, function in _marked_in(source)}


def rule_name(rule: str) -> str:
    """Return how a rule is called where a principal is expected."""
    return f"{_BY_RULE}{rule}"


def granted_by_rule(question: Question) -> bool:
    """Tell whether a rule decided about a question, so that nobody was asked."""
    return question.decided_by is not None and question.decided_by.startswith(_BY_RULE)


async def ask_rule(
    rules: Mapping[str, Verifier], name: str | None, request: VerificationRequest
) -> VerificationResult:
    """Ask a registered rule; one that is missing, raises or is too slow decides nothing."""
    verifier = rules.get(name or "")
    if verifier is None:
        log.error("rule.not_registered", extra={"rule": name})
        return _undecided(name, "is not registered")
    try:
        async with asyncio.timeout(_PATIENCE):
            with only_itself():
                said: object = await verifier.verify(request)
    except Exception:  # a rule of the host's own may raise anything; it grants nothing then
        log.exception("rule.failed", extra={"rule": name, "request_id": request.request_id})
        return _undecided(name, "failed")
    return said if isinstance(said, VerificationResult) else _undecided(name, "gave no result")


def _undecided(rule: str | None, why: str) -> VerificationResult:
    return VerificationResult(
        outcome=VerificationOutcome.PENDING, verifier=rule, reason=f"rule {rule!r} {why}"
    )


def _marked_in(source: object) -> Iterator[tuple[str, Evidence]]:
    if isinstance(source, ModuleType):
        members = list(vars(source).values())
    else:  # only what is marked is read off an object: reading a property may do anything
        marked = (name for name in dir(type(source)) if _is_marked(type(source), name))
        members = [source, *(getattr(source, name) for name in marked)]
    for member in members:
        name = getattr(member, _MARK, None)
        if isinstance(name, str) and callable(member):
            yield name, member


def _is_marked(kind: type, name: str) -> bool:
    found = inspect.getattr_static(kind, name, None)
    return hasattr(getattr(found, "__func__", found), _MARK)
