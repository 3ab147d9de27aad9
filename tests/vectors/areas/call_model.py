"""Foretells how the steps of a row come out under a law, one after another."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.vectors.areas import schema_rules
from tests.vectors.areas.bodies import answer_of as listeners_answer
from tests.vectors.areas.bodies import fails_at, reaction
from tests.vectors.areas.budget_model import Budget
from tests.vectors.areas.gate_rules import Judged, Use
from tests.vectors.areas.law_tables import Law
from tests.vectors.areas.recorded_calls import TOKEN, Declared, Step, rule_in
from tests.vectors.areas.recorded_calls import answer_of as recorded_answer

_TTL: Final = 60.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Foretold:
    """How a step comes out, by the check that decides; `line` is the contract's.

    `ran` are the arguments the tool receives, None where it does not run; `events` their names;
    a `neutral` refusal does not tell what is wrong with a token (line 27).
    """

    answer: str
    line: str
    ran: Mapping[str, Any] | None = None
    events: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    neutral: bool = False


@dataclass(slots=True, kw_only=True)
class _Token:
    args: Mapping[str, Any]
    tool: str
    asker: tuple[Any, Any]
    ends: float
    spent: bool = False


@dataclass(slots=True, kw_only=True)
class World:
    """A row under one law: its tools and wiring, and what its steps leave behind."""

    law: Law
    tools: Mapping[str, Declared]
    wiring: Mapping[str, Any]
    budget: Budget
    _tokens: dict[int, _Token] = field(default_factory=dict)

    def step(self, step: Step) -> Foretold:
        """Carry one step through the law."""
        tool = self.tools.get(step.name)
        if tool is None:
            return Foretold(answer="TOOL_NOT_FOUND", line="13")
        judged = self.law.judge(self._use(step, tool))
        if self.law.token_beside and step.has_token and not step.plans:
            return self._redeemed_first(step, tool, judged)
        return self._guarded(step, tool, judged)

    def _redeemed_first(self, step: Step, tool: Declared, judged: Judged) -> Foretold:
        """Find the question behind a token before anything else is looked at."""
        if not isinstance(step.args[TOKEN], str):
            return Foretold(answer="VALIDATION_ERROR", line="25")
        if step.by_model:
            return Foretold(answer="FORBIDDEN", line="26", neutral=True)
        token = self._redeemable(step, tool)
        if not isinstance(token, _Token):
            return Foretold(answer="FORBIDDEN", line=token, neutral=True)
        token.spent = True
        if not judged.allowed:
            return Foretold(answer="FORBIDDEN", line="24", says=judged.says)
        return self._emitted(tool, token.args, is_act=True)

    def _guarded(self, step: Step, tool: Declared, judged: Judged) -> Foretold:
        args = self._arguments(step)
        if self._is_invalid(step, tool, args):
            return Foretold(answer="VALIDATION_ERROR", line="14")
        args = self._clamped(tool, args)
        if not judged.allowed:
            return Foretold(answer="FORBIDDEN", line=judged.check, says=judged.says)
        if not self._within_budget(step, tool):
            return Foretold(answer="RATE_LIMITED", line="20")
        if step.plans:
            return Foretold(answer="planned", line="21")
        if judged.asks:
            return self._asked(step, tool, args)
        return self._emitted(tool, args, is_act=tool.mutating)

    def _arguments(self, step: Step) -> dict[str, Any]:
        args = dict(step.plain_args if self.law.token_beside else step.args)
        if not self.law.context_apart:
            args.pop("_ctx", None)
        return args

    def _is_invalid(self, step: Step, tool: Declared, args: Mapping[str, Any]) -> bool:
        """Tell whether the schema refuses; what the original knows of schemas it knows rightly."""
        if not self.law.token_beside:
            return step.found_invalid
        right = "valid" if schema_rules.allows(tool.schema, args) else "invalid"
        said = "invalid" if step.found_invalid else "valid"
        if recorded_answer(step.recorded) == "escaped":
            said = ""
        explained = schema_rules.rule_for(tool.schema, step.args, said, right)
        return right == "invalid" if explained else step.found_invalid

    def _clamped(self, tool: Declared, args: dict[str, Any]) -> dict[str, Any]:
        for name, bounds in (tool.options.get("clamps") or {}).items():
            if name in args and self.law.clamps_numbers_only:
                args = {**args, name: _brought_in(args[name], bounds)}
            elif name in args:
                args = {**args, name: _loosely(args[name], bounds)}
        return args

    def _within_budget(self, step: Step, tool: Declared) -> bool:
        key = (step.ctx.get("channel", "cli"), step.ctx.get("principal"), tool.name)
        cost = 5 if tool.mutating else 1
        spends = not (step.plans and self.law.charged_once)
        return self.budget.lets(key, cost, now=step.at, spends=spends)

    def _asked(self, step: Step, tool: Declared, args: Mapping[str, Any]) -> Foretold:
        if not step.has_token:
            ttl = float(self.wiring.get("confirm_ttl", _TTL))
            asker = (step.ctx.get("channel"), step.ctx.get("principal"))
            self._tokens[step.place] = _Token(
                args=args, tool=tool.name, asker=asker, ends=step.at + ttl
            )
            return Foretold(answer="asks", line="22")
        if not isinstance(step.args[TOKEN], str):
            return Foretold(answer="escaped", line="25")
        token = self._redeemable(step, tool)
        if not isinstance(token, _Token):
            return Foretold(answer="VALIDATION_ERROR", line=token)
        token.spent = True
        return self._emitted(tool, token.args, is_act=True)

    def _redeemable(self, step: Step, tool: Declared) -> _Token | str:
        """Return the token a step carries, or the line by which this caller may not redeem it."""
        carried = str(step.args[TOKEN])
        token = self._tokens.get(int(carried[6:])) if carried[6:].isdigit() else None
        if token is None or token.spent or token.tool != tool.name:
            return "27"
        if step.at > token.ends or (self.law.ends_at_expiry and step.at == token.ends):
            return "23"
        asker = (step.ctx.get("channel"), step.ctx.get("principal"))
        return "24" if self.law.binds_tokens and asker != token.asker else token

    def _emitted(self, tool: Declared, args: Mapping[str, Any], *, is_act: bool) -> Foretold:
        """Let listeners answer, stop or fail, then run the tool."""
        dispatcher = self.wiring.get("dispatcher")
        if "tool.executing" in fails_at(dispatcher):
            answer = "blocked" if self.law.fails_closed else "escaped"
            return Foretold(answer=answer, line="31")
        for hears in self._listeners() if dispatcher else ():
            came = self._heard(reaction(hears["does"]), hears["does"], is_act)
            if came is not None:
                return came
        return self._told(self._run(tool, args, is_act=is_act))

    def _listeners(self) -> list[Mapping[str, Any]]:
        listed = self.wiring.get("listeners") or []
        before = [one for one in listed if one.get("event", "tool.executing") == "tool.executing"]
        return sorted(before, key=lambda one: -one.get("priority", 0))

    def _heard(self, came: str, does: str, is_act: bool) -> Foretold | None:
        failed = "raises" in came and self.law.fails_closed
        if came == "stops" or failed or ("answers" in came and is_act and self.law.fails_closed):
            return Foretold(answer="blocked", line="31", events=("tool.executing",))
        if "answers" in came:
            given = listeners_answer(does)
            answer = recorded_answer(given.to_dict()) if hasattr(given, "to_dict") else "ok"
            return Foretold(answer=answer, line="31", events=("tool.executing", "tool.executed"))
        return None

    def _run(self, tool: Declared, args: Mapping[str, Any], *, is_act: bool) -> Foretold:
        body, unknown = tool.body, is_act and self.law.acts_may_be_unknown
        if self.law.cut_at_the_limit and body.seconds > tool.timeout:
            answer = "OUTCOME_UNKNOWN" if unknown else "TIMEOUT"
            return _ran(answer, args, "32", "tool.failed")
        if body.raises is not None:
            answer = "OUTCOME_UNKNOWN" if unknown else "INTERNAL_ERROR"
            return _ran(answer, args, "33", "tool.failed")
        made = recorded_answer(body.gives.to_dict()) if hasattr(body.gives, "to_dict") else "ok"
        return _ran(made if body.known else "as recorded", args, "32", "tool.executed")

    def _told(self, ran: Foretold) -> Foretold:
        """Tell the end to a dispatcher that may fail at it."""
        down = fails_at(self.wiring.get("dispatcher"))
        if not down or self.law.fails_closed:
            return ran
        answer = ran.answer
        if "tool.executed" in down and ran.events[-1] == "tool.executed":
            answer = "INTERNAL_ERROR"
        if "tool.failed" in down and answer == "INTERNAL_ERROR":
            answer = "escaped"
        return Foretold(answer=answer, line="36", ran=ran.ran)

    def _use(self, step: Step, tool: Declared) -> Use:
        return Use(
            channel=step.ctx.get("channel", "cli"),
            principal=step.ctx.get("principal"),
            scopes=tuple(step.ctx.get("scopes") or ()),
            tool={"name": tool.name, **tool.options},
            policies=self.wiring.get("policies") or {},
            rule=rule_in(self.wiring),
        )


def _ran(answer: str, args: Mapping[str, Any], line: str, event: str) -> Foretold:
    return Foretold(answer=answer, line=line, ran=args, events=("tool.executing", event))


def _loosely(value: Any, bounds: Mapping[str, Any]) -> Any:
    """Clamp as the original does, which makes a number of whatever it meets."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "(something else)"
    return _brought_in(value, bounds)


def _brought_in(value: Any, bounds: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and "maxLength" in bounds:
        return value[: bounds["maxLength"]]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return min(max(value, bounds.get("min", value)), bounds.get("max", value))
