"""The changes that are tried: each makes something else of what was shown."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from comal_runtime.consent import Group, Routes, Terms
from comal_runtime.consent.question import digest_of
from comal_runtime.context import Consent, ToolContext
from comal_runtime.record import ActState, QuestionKind, QuestionState

from .others import arguments, other
from .shown import ROUTE, SCHEMA, Rows, Stage


@dataclass(slots=True, kw_only=True)
class Attempt:
    """One call of something approved, as somebody changed it.

    `undo` puts the stage back. `whispers` runs as a listener's last word, after every gate.
    """

    rows: Rows
    name: str
    ctx: ToolContext
    token: object = None
    args: Mapping[str, Any] = field(default_factory=dict)
    undo: list[Callable[[], object]] = field(default_factory=list)
    whispers: Callable[[Any], Awaitable[None]] | None = None


Change = Callable[[Attempt, Stage, Random], None]

_ROW: Final = (
    "definition_digest", "summary", "principal", "channel", "conversation", "origin",
    "idempotency_key", "masked", "preview", "route", "kind", "subject", "tool", "created_at",
    "expires_at", "args_digest", "supersedes", "edited_by", "repeats", "args", "id",
)  # fmt: skip


def a_field_of_the_question(attempt: Attempt, stage: Stage, chance: Random) -> None:
    name = chance.choice(_ROW)
    asked = attempt.rows.question
    if name == "kind":
        kinds = [kind for kind in QuestionKind if kind is not asked.kind]
        new: Any = chance.choice(kinds)
    elif name in ("route", "masked", "preview", "args"):
        new = _other_json(getattr(asked, name), chance)
    else:
        new = other(getattr(asked, name), chance)
    attempt.rows = replace(attempt.rows, question=replace(asked, **{name: new}))
    if name == "id":
        votes = tuple(replace(vote, question=new) for vote in attempt.rows.votes)
        attempt.rows = replace(attempt.rows, votes=votes)
    if chance.random() < 0.5:
        attempt.ctx = _following(attempt)


def _following(attempt: Attempt) -> ToolContext:
    """Return the context that a host builds from the row as it is now."""
    asked, ctx = attempt.rows.question, attempt.ctx
    if ctx.consent is None:
        return replace(ctx, principal=asked.principal, channel=asked.channel)
    consent = replace(
        ctx.consent,
        question_id=asked.id,
        tool=asked.tool or "",
        args_digest=asked.args_digest,
        principal=asked.principal or "",
    )
    return replace(
        ctx,
        principal=asked.principal,
        channel=asked.channel,
        conversation=asked.conversation,
        consent=consent,
    )


def _other_json(text: str | None, chance: Random) -> str | None:
    if text is None:
        return Terms(approvers=("telegram:9",)).to_json()
    return json.dumps(other(json.loads(text), chance))


def the_arguments_with_their_digests(attempt: Attempt, stage: Stage, chance: Random) -> None:
    """Change every copy of the arguments alike, and the consent; sometimes the seal goes."""
    args = arguments(chance)
    text = json.dumps(args, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    changed = {"args": text, "args_digest": digest_of(args)}
    question = replace(attempt.rows.question, **changed)
    if chance.random() < 0.5:
        question = replace(question, digest=None)
    act = attempt.rows.act
    act = None if act is None else replace(act, **changed)
    attempt.rows = replace(attempt.rows, question=question, act=act)
    attempt.ctx = _following(attempt)


def the_seal(attempt: Attempt, stage: Stage, chance: Random) -> None:
    seal = attempt.rows.question.digest or ""
    new = chance.choice([None, seal[::-1], "", seal.upper()])
    attempt.rows = replace(attempt.rows, question=replace(attempt.rows.question, digest=new))


def the_state_of_the_question(attempt: Attempt, stage: Stage, chance: Random) -> None:
    states = [one for one in QuestionState if one is not attempt.rows.question.state]
    if attempt.rows.act is None:
        states.remove(QuestionState.APPROVED)  # without its act it is nobody's yes
    question = replace(attempt.rows.question, state=chance.choice(states))
    attempt.rows = replace(attempt.rows, question=question)


def a_field_of_the_act(attempt: Attempt, stage: Stage, chance: Random) -> None:
    name = chance.choice(
        ["tool", "args", "args_digest", "principal", "channel", "conversation", "idempotency_key",
         "question", "execute_by", "state"]
    )  # fmt: skip
    act = attempt.rows.act
    if act is None:
        the_votes(attempt, stage, chance)
        return
    if name == "args":
        args = arguments(chance)
        act = replace(act, args=json.dumps(args), args_digest=digest_of(args))
    elif name == "execute_by":
        act = replace(act, execute_by=stage.clock.now() - chance.random() * 1e5)
    elif name == "state":
        act = replace(act, state=chance.choice([one for one in ActState if one != "approved"]))
    else:
        act = replace(act, **{name: other(getattr(act, name), chance)})
    attempt.rows = replace(attempt.rows, act=act)


def the_votes(attempt: Attempt, stage: Stage, chance: Random) -> None:
    votes = list(attempt.rows.votes)
    if not votes:
        attempt.token = other(str(attempt.token), chance)
        return
    at = chance.randrange(len(votes))
    one = chance.choice(["gone", "no", "requester", "stranger", "twice"])
    if one == "gone" or (one == "twice" and len(votes) == 1):
        del votes[at]
    elif one == "no":
        votes[at] = replace(votes[at], choice="no")
    elif one == "twice":
        votes[at] = replace(votes[at], identity=votes[at - 1].identity)
    else:
        who = "telegram:77" if one == "stranger" or len(votes) == 1 else "telegram:1"
        votes[at] = replace(votes[at], identity=who, person=who)
    attempt.rows = replace(attempt.rows, votes=tuple(votes))


def the_caller(attempt: Attempt, stage: Stage, chance: Random) -> None:
    name = chance.choice(["principal", "channel", "conversation", "origin"])
    new = "model" if name == "origin" else other(getattr(attempt.ctx, name), chance)
    attempt.ctx = replace(attempt.ctx, **{name: new})


def the_consent(attempt: Attempt, stage: Stage, chance: Random) -> None:
    consent = attempt.ctx.consent
    if consent is None:
        attempt.token = chance.choice([other(str(attempt.token), chance), 7, True, [], {}])
        return
    name = chance.choice(["question_id", "tool", "args_digest", "principal"])
    new = other(getattr(consent, name), chance)
    attempt.ctx = replace(attempt.ctx, consent=replace(consent, **{name: new}))


def the_name(attempt: Attempt, stage: Stage, chance: Random) -> None:
    attempt.name = chance.choice([one for one in ("pay", "send", "look") if one != attempt.name])
    consent = attempt.ctx.consent
    if consent is not None and chance.random() < 0.5:
        forged = Consent(
            question_id=consent.question_id,
            tool=attempt.name,
            args_digest=consent.args_digest,
            principal=consent.principal,
        )
        attempt.ctx = replace(attempt.ctx, consent=forged)


def the_definition(attempt: Attempt, stage: Stage, chance: Random) -> None:
    _swap(attempt, stage, chance)


def _swap(attempt: Attempt, stage: Stage, chance: Random) -> None:
    """Let another tool stand under the name, or none; put the first one back afterwards."""
    tools, name = stage.registry._tools, attempt.name
    before = tools[name]
    attempt.undo.append(lambda: tools.__setitem__(name, before))
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "bcc": {"type": "string"}}}
    changes: list[dict[str, Any]] = [
        {"description": other(before.tool.description, chance)},
        {"schema": schema},
        {"schema": {**SCHEMA, "required": ["to"]}},
        {"version": other("1", chance) or "2"},
    ]
    del tools[name]
    if chance.random() < 0.9:
        stage.registry.add(stage.tool(name, **chance.choice(changes)))


def the_route(attempt: Attempt, stage: Stage, chance: Random) -> None:
    group = Group(approvers=("telegram:2",), k=1)
    plain = {"approvers": (), "policy": None, "k": None}
    pay = chance.choice(
        [
            None,
            replace(ROUTE, k=1),
            replace(ROUTE, approvers=("telegram:2", "telegram:9")),
            replace(ROUTE, reject_threshold=2),
            replace(ROUTE, name="others"),
            replace(ROUTE, reason=True),
            replace(ROUTE, **{**plain, "groups": (group,)}),
        ]
    )
    if attempt.name == "send":
        pay = replace(ROUTE, tool=chance.choice(["*", "send", "s*"]), when="amount > 5")
    deps, before = stage.registry._deps, stage.registry._deps.routes
    object.__setattr__(deps, "routes", Routes([] if pay is None else [pay]))
    attempt.undo.append(lambda: object.__setattr__(deps, "routes", before))


def what_is_foretold(attempt: Attempt, stage: Stage, chance: Random) -> None:
    new = [other(stage.effect, chance), None, ValueError, "x" * 5000, {"a": {1}}, float("nan")]
    stage.foretells = chance.choice(new)


def a_listener_at_the_last_moment(attempt: Attempt, stage: Stage, chance: Random) -> None:
    asked, choice = attempt.rows.question.id, chance.randrange(4)
    args = json.dumps(arguments(chance))

    async def whispers(event: Any) -> None:
        if choice == 0:
            await _update(stage, "questions", "args", args, asked)
        elif choice == 1:
            await _update(stage, "questions", "conversation", "telegram:9", asked)
        elif choice == 2:
            _swap(attempt, stage, chance)
        else:
            object.__setattr__(event.ctx, "principal", "telegram:9")

    attempt.whispers = whispers


async def _update(stage: Stage, table: str, column: str, value: object, key: str) -> None:
    async with stage.registry.record.transaction() as tx:
        await tx.questions._sql.execute(
            f"UPDATE {table} SET {column} = :value WHERE id = :key", {"value": value, "key": key}
        )


CHANGES: Final[tuple[Change, ...]] = (
    a_field_of_the_question,
    the_arguments_with_their_digests,
    the_seal,
    the_state_of_the_question,
    a_field_of_the_act,
    the_votes,
    the_caller,
    the_consent,
    the_name,
    the_definition,
    the_route,
    what_is_foretold,
    a_listener_at_the_last_moment,
)
