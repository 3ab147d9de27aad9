"""Foretells how verifications come out, in the original and by lines 39 to 46."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tests.vectors.areas import gate_rules as gates
from tests.vectors.areas.recorded_calls import TOKEN, Step, answer_of

REQUEST: Final = "request_verification"
RESOLVE: Final = "resolve_verification"
POLICY_NAMES: Final = ("single", "dual", "quorum", "auto")
DECISIONS: Final = ("grant", "reject")

_PEOPLE: Final = {"single": 1, "dual": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Foretold:
    """How a step comes out, and the events it tells of; `line` decides."""

    answer: str
    line: str = ""
    events: tuple[Mapping[str, Any], ...] = ()


@dataclass(slots=True, kw_only=True)
class _Asked:
    subject: str
    requester: str | None
    policy: str
    yes: set[str] = field(default_factory=set)
    decided: bool = False


def by_original(step: Step, wiring: Mapping[str, Any]) -> str:
    """Name how a step comes out where nothing is stored: every well-formed answer is taken."""
    refused = refused_by_schema(step)
    if refused:
        return refused
    judged = gates.by_original(use_of(step, wiring))
    if not judged.allowed:
        return "FORBIDDEN"
    if step.plans:
        return "planned"
    if judged.asks and not step.has_token:
        return "asks"
    names = ("subject",) if step.name == REQUEST else ("request_id", "principal")
    if any(not str(step.args[name]).strip() for name in names):
        return "error"
    return "waits" if step.name == REQUEST else "ok"


def use_of(step: Step, wiring: Mapping[str, Any]) -> gates.Use:
    """Return the use of a tool that a step is, for the gate."""
    scopes = wiring.get("resolveScopes") or () if step.name == RESOLVE else ()
    return gates.Use(
        channel=step.ctx.get("channel", "cli"),
        principal=step.ctx.get("principal"),
        scopes=tuple(step.ctx.get("scopes") or ()),
        tool={"name": step.name, "mutating": True, "scopes": scopes},
        policies=wiring.get("policies") or {},
    )


def recorded_answer(step: Step) -> str:
    """Name how a step was recorded to come out; a tool's own confirmation is pending (line 22a)."""
    data = step.recorded.get("data") or {}
    answer = answer_of(step.recorded)
    return "waits" if answer == "asks" and "request_id" in data else answer


def refused_by_schema(step: Step) -> str | None:
    """Return the code of arguments that the tools' schemas refuse."""
    args = step.args
    if step.name == REQUEST:
        fits = "subject" in args and args.get("policy", "single") in POLICY_NAMES
    else:
        required = ("request_id", "decision", "principal")
        fits = all(name in args for name in required) and args["decision"] in DECISIONS
    texts = all(isinstance(value, str) for name, value in args.items() if name in _TEXTS)
    return None if fits and texts else "VALIDATION_ERROR"


_TEXTS: Final = frozenset(
    {"subject", "policy", "requested_by", "request_id", "decision", "principal", "reason"}
)


@dataclass(slots=True, kw_only=True)
class World:
    """The requests of a row, as they are stored; `told` where a dispatcher hears of them."""

    wiring: Mapping[str, Any]
    told: bool
    _asked: dict[str, _Asked] = field(default_factory=dict)
    _first: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def complete(self, step: Step) -> Step:
        """Give a step that carries a token the arguments of the call that was asked about."""
        first = self._first.get(str(step.args.get(TOKEN)))
        return step if first is None else replace(step, args={**step.args, **first})

    def step(self, step: Step) -> Foretold:
        """Foretell one step, whose ids are filled in."""
        refused = refused_by_schema(step)
        if refused:
            return Foretold(answer=refused, line="14")
        judged = gates.by_comal(use_of(step, self.wiring))
        if not judged.allowed:
            return Foretold(answer="FORBIDDEN", line="43")
        if step.plans:
            return Foretold(answer="planned", line="21")
        if step.name == RESOLVE:
            return self._resolved(step)
        if judged.asks and not step.has_token:
            self._first[f"$TOKEN{step.place}"] = step.args
            return Foretold(answer="asks", line="42")
        return self._requested(step)

    def learn(self, step: Step, request_id: str) -> None:
        """Note the id that a request was given."""
        self._asked[request_id] = _Asked(
            subject=step.args["subject"],
            requester=step.ctx.get("principal"),
            policy=step.args.get("policy", "single"),
        )

    def _requested(self, step: Step) -> Foretold:
        refused = self._request_refused(step)
        if refused is not None:
            return refused
        told = {
            "event": "verification.requested",
            "subject": step.args["subject"],
            "policy": step.args.get("policy", "single"),
            "requested_by": step.ctx.get("principal"),
        }
        return Foretold(answer="waits", line="45", events=(told,) if self.told else ())

    def _request_refused(self, step: Step) -> Foretold | None:
        args, request_id = step.args, step.args.get("request_id") or ""
        if not args["subject"].strip() or (request_id and not request_id.strip()):
            return Foretold(answer="VALIDATION_ERROR", line="44")
        if args.get("requested_by", step.ctx.get("principal")) != step.ctx.get("principal"):
            return Foretold(answer="FORBIDDEN", line="45")
        if args.get("policy", "single") not in _PEOPLE:
            return Foretold(answer="VALIDATION_ERROR", line="46")
        if request_id in self._asked:
            return Foretold(answer="VALIDATION_ERROR", line="44")
        return None

    def _resolved(self, step: Step) -> Foretold:
        if step.has_token:
            return Foretold(answer="FORBIDDEN", line="42")
        if step.args["principal"] != step.ctx.get("principal"):
            return Foretold(answer="FORBIDDEN", line="45")
        if not step.args["request_id"].strip():
            return Foretold(answer="VALIDATION_ERROR", line="44")
        asked = self._asked.get(step.args["request_id"])
        if asked is None:
            return Foretold(answer="NOT_FOUND", line="44")
        if step.args.get("subject", asked.subject) != asked.subject:
            return Foretold(answer="VALIDATION_ERROR", line="44")
        if asked.requester == step.ctx.get("principal"):
            return Foretold(answer="FORBIDDEN", line="46")
        return self._voted(step, asked)

    def _voted(self, step: Step, asked: _Asked) -> Foretold:
        voter = step.args["principal"]
        if asked.decided or voter in asked.yes:
            return Foretold(answer="FORBIDDEN", line="44")
        grants = step.args["decision"] == "grant"
        asked.yes |= {voter} if grants else set()
        asked.decided = not grants or len(asked.yes) >= _PEOPLE[asked.policy]
        kind = ("granted" if grants else "rejected") if asked.decided else "voted"
        told = {
            "event": f"verification.{kind}",
            "subject": step.args.get("subject"),
            "policy": asked.policy,
            "requested_by": asked.requester,
            "request_id": step.args["request_id"],
            "status": {"granted": "passed", "rejected": "failed"}.get(kind, "pending"),
        }
        return Foretold(answer="ok", line="46", events=(told,) if self.told else ())
