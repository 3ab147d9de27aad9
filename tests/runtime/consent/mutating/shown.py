"""What people were shown and said yes to, stored anew for each change that is tried on it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from comal_runtime.consent import Route, Routes
from comal_runtime.consent.question import call_question
from comal_runtime.consent.seal import sealed
from comal_runtime.consent.votes import act_of
from comal_runtime.context import Consent, ToolContext
from comal_runtime.events import EventDispatcher, ToolExecuting
from comal_runtime.rate_limit import Limit
from comal_runtime.record import Act, Question, QuestionState, Transaction, Vote, memory_record
from comal_runtime.registry import ToolRegistry
from comal_runtime.testing import FakeClock
from comal_runtime.tools import Tool, ToolOptions
from comal_runtime.wiring import Wiring

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "to": {"type": "string"},
        "amount": {"type": "integer"},
        "lines": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["to", "amount"],
}
ARGS: Final[Mapping[str, Any]] = {"to": "Bo", "amount": 7, "lines": [{"qty": 2, "name": "ñ"}]}

ROSA: Final = "telegram:1"
ANA: Final = "telegram:2"
BO: Final = "telegram:3"

ROUTE: Final = Route(
    name="owners", tool="pay", approvers=(ANA, BO), policy="quorum", k=2, cards=("main:9",)
)


@dataclass(slots=True)
class Ran:
    """What ran: who called which tool with what, and under which key."""

    calls: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A question with its yes and its act, as they are stored."""

    question: Question
    votes: tuple[Vote, ...]
    act: Act | None


@dataclass(slots=True, kw_only=True)
class Stage:
    """A registry in which calls were approved; `pay` by two people, `send` by who asked."""

    ran: Ran = field(default_factory=Ran)
    clock: FakeClock = field(default_factory=FakeClock)
    effect: dict[str, Any] = field(default_factory=lambda: {"balance": [100, 93]})
    foretells: Any = None
    whispers: Any = None
    routes: tuple[Route, ...] = (ROUTE,)
    registry: ToolRegistry = field(init=False)

    def __post_init__(self) -> None:
        self.foretells = self.effect
        dispatcher = EventDispatcher()
        dispatcher.subscribe(ToolExecuting.name, self._whisper)
        self.registry = ToolRegistry(
            Wiring(
                clock=self.clock,
                record=memory_record(clock=self.clock),
                routes=Routes(self.routes),
                dispatcher=dispatcher,
                probing=Limit(amount=1e9, per=1),  # nobody is kept out for having tried before
            )
        )
        for name in ("pay", "send", "look"):
            self.registry.add(self.tool(name))

    def tool(self, name: str, **changes: Any) -> Tool:
        """Return a tool that notes what it ran with; `changes` make it another one."""

        async def body(ctx: ToolContext, **given: Any) -> str:
            self.ran.calls.append(
                {
                    "tool": name,
                    "args": given,
                    "principal": ctx.principal,
                    "channel": ctx.channel,
                    "conversation": ctx.conversation,
                    "key": ctx.idempotency_key,
                }
            )
            return "done"

        async def preview(amount: int) -> Any:
            if self.foretells is ValueError:
                raise ValueError
            return self.foretells

        fields: dict[str, Any] = {
            "description": f"{name} it",
            "schema": SCHEMA,
            "version": None,
            "preview": preview,
            **changes,
        }
        return Tool(
            name=name,
            description=fields["description"],
            input_schema=fields["schema"],
            callback=body,
            options=ToolOptions(
                mutating=True,
                confirm=True,
                version=fields["version"],
                preview=fields["preview"],
                scopes=fields.get("scopes", ()),
            ),
        )

    async def _whisper(self, event: Any) -> None:
        """Do what a hostile listener does at the last moment."""
        if self.whispers is not None:
            await self.whispers(event)

    def approved(self, name: str, *, by_token: bool = False) -> tuple[Rows, str]:
        """Return the rows of a call that was approved, and the secret of its question."""
        tool, now = self.registry.get(name), self.clock.now()
        assert tool is not None
        ctx = ToolContext.telegram(1, 1)
        under = ROUTE if name == "pay" else None
        asked, secret = call_question(tool, ARGS, ctx, route=under, now=now, ttl=600.0)
        asked = sealed(replace(asked, preview=json.dumps({"effect": self.effect}, **_CANONICAL)))
        if by_token:
            return Rows(question=asked, votes=(), act=None), secret
        voters = (ANA, BO) if name == "pay" else (ROSA,)
        votes = tuple(_yes(asked, voter, now) for voter in voters)
        decided = replace(
            asked, state=QuestionState.APPROVED, decided_at=now, decided_by=voters[-1]
        )
        return Rows(question=decided, votes=votes, act=act_of(asked, now=now)), secret


_CANONICAL: Final[Mapping[str, Any]] = {
    "sort_keys": True,
    "separators": (",", ":"),
    "ensure_ascii": False,
}


def _yes(question: Question, voter: str, now: float) -> Vote:
    return Vote(
        question=question.id, person=voter, identity=voter, choice="yes", reason=None, at=now
    )


async def store(tx: Transaction, rows: Rows) -> None:
    """Store what was approved, or what somebody made of it."""
    await tx.questions.open(rows.question)
    for vote in rows.votes:
        await tx.questions.vote(vote)
    if rows.act is not None:
        await tx.acts.open(rows.act)


def as_host(question: Question) -> ToolContext:
    """Return the context in which a host runs an approved call."""
    consent = Consent(
        question_id=question.id,
        tool=question.tool or "",
        args_digest=question.args_digest,
        principal=question.principal or "",
    )
    return ToolContext(
        principal=question.principal,
        channel=question.channel,
        conversation=question.conversation,
        consent=consent,
        idempotency_key=question.idempotency_key,
    )


def as_shown(rows: Rows) -> Mapping[str, Any]:
    """Return what runs when everything is as people saw it."""
    asked = rows.question
    return {
        "tool": asked.tool,
        "args": json.loads(asked.args),
        "principal": asked.principal,
        "channel": asked.channel,
        "conversation": asked.conversation,
        "key": asked.idempotency_key,
    }
