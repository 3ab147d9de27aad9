"""Walks that end at a gate, or with a question: one for each path."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from comal_runtime.consent import Routes
from comal_runtime.consent.question import MOST_OPEN
from comal_runtime.consent.verification import RESOLVE_VERIFICATION
from comal_runtime.context import Consent, ToolContext
from comal_runtime.policy import PolicyGate, PolicyRule
from comal_runtime.rate_limit import GcraRateLimiter, Limit, RecordRateLimiter
from comal_runtime.record import memory_record
from comal_runtime.tools import Tool
from tests.runtime.stations.arranging import (
    Household,
    LosableRecord,
    answered,
    by_ana,
    in_code,
    key,
    made,
    route,
    routes,
    verifying,
)

from .scene import Scene, Walk, cancelled

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


async def nothing_of_this_name(scene: Scene) -> None:
    scene.with_tools()
    await scene.call(name="no such tool")


async def too_many_refused(scene: Scene) -> None:
    scene.with_tools(probing=Limit(amount=1, per=60))
    await scene.call(name="guess")
    await scene.call(name="guess again")


async def a_models_token(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    await scene.call(in_code(origin="model"), token="anything")


async def an_unknown_token(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    await scene.call(token="guessed")


async def a_used_token(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    token = await scene.token()
    await scene.call(token=token)
    await scene.call(token=token)


async def an_expired_token(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    token = await scene.token()
    scene.clock.advance(3600)
    await scene.call(token=token)


async def a_foreign_token(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    token = await scene.token()
    await scene.call(replace(in_code(), principal="cli:bo"), token=token)


async def another_tools_token(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True), made(scene.ran, "other", confirm=True))
    token = await scene.token()
    await scene.call(name="other", token=token)


async def a_consent_to_nothing(scene: Scene) -> None:
    scene.with_tools()
    await scene.call(in_code(consent=Consent(
        question_id="none", tool="wipe", args_digest="d", principal="cli:ana"
    )))  # fmt: skip


async def invalid(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, schema=SCHEMA))
    await scene.call(n="seven")


async def bounds_that_changed(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, schema=SCHEMA, confirm=True))
    token = await scene.token(n=7)
    scene_audit = scene.registry.audit
    narrower = made(scene.ran, schema=SCHEMA, confirm=True, clamps={"n": {"max": 5}})
    scene.with_tools(narrower, audit=scene_audit)
    await scene.call(token=token)


async def denied(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, scopes=("root",)))
    await scene.call()


async def rules_away(scene: Scene) -> None:
    class Away:
        def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
            raise OSError

    scene.with_tools(policy=PolicyGate(Away()))
    await scene.call()


async def limited(scene: Scene) -> None:
    scene.with_tools(limiter=GcraRateLimiter(1, 60))
    await scene.call()
    await scene.call()


async def limits_away(scene: Scene) -> None:
    lost = LosableRecord(memory_record(clock=scene.clock))
    lost.gone = True
    scene.with_tools(made(scene.ran, mutating=True), limiter=RecordRateLimiter(lost))
    await scene.call()


async def planned(scene: Scene) -> None:
    scene.with_tools()
    await scene.call(in_code(mode="plan"))


async def asked_the_requester(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    await scene.call()


async def asked_others(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True), routes=routes())
    await scene.call()


async def asked_and_answered_before(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True))
    await scene.call(by_ana(call_key=key()))
    await answered(scene.registry, scene.clock, by="telegram:1", yes=False)
    await scene.call(by_ana(call_key=key()))


async def approved_by_nobody_there(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, approval="bosses"))
    await scene.call()


async def one_question_too_many(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    for number in range(MOST_OPEN + 1):
        await scene.call(n=number)


async def asked_to_repeat_what_is_known(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True))
    await scene.call(by_ana(repeats="an act that is not unknown"))


async def a_rule_says_no(scene: Scene) -> None:
    by_rule = route(policy="auto", rule="small", approvers=())
    scene.with_tools(
        made(scene.ran, mutating=True), routes=Routes([by_rule]), verifiers={"small": _no}
    )
    await scene.call()


async def a_consent_to_another_answer(scene: Scene) -> None:
    scene.with_tools()
    verifying(scene.registry, scene.clock, Household({}, {}))
    consent = Consent(
        question_id="q", tool=RESOLVE_VERIFICATION, args_digest="of no", principal="cli:ana"
    )
    answer = {"request_id": "q", "decision": "grant", "principal": "cli:ana"}
    await scene.call(in_code(consent=consent), RESOLVE_VERIFICATION, **answer)


async def cancelled_while_it_asks(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    hold = scene.record.transaction()
    async with hold:
        calling = asyncio.ensure_future(scene.call())
        for _ in range(5):
            await asyncio.sleep(0)
        await cancelled(calling)


async def the_record_is_gone_at_resolve(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    scene.record.gone = True
    await scene.call(token="any")
    scene.record.gone = False


async def the_record_is_gone_at_confirm(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True))
    scene.record.gone = True
    await scene.call()
    scene.record.gone = False


def _no(request: object) -> bool:
    return False


AT_GATES: Mapping[tuple[str, str], tuple[Walk, ...]] = {
    ("resolve", "refused_at_resolve"): (nothing_of_this_name,),
    ("resolve", "probing_limited"): (too_many_refused,),
    ("resolve", "model_token"): (a_models_token,),
    ("resolve", "unknown_token"): (an_unknown_token,),
    ("resolve", "used_token"): (a_used_token,),
    ("resolve", "expired_token"): (an_expired_token,),
    ("resolve", "foreign_token"): (a_foreign_token,),
    ("resolve", "wrong_tool_token"): (another_tools_token,),
    ("resolve", "foreign_consent"): (a_consent_to_nothing,),
    ("resolve", "host_fault"): (the_record_is_gone_at_resolve,),
    ("validate", "refused_at_validate"): (invalid,),
    ("clamp", "refused_at_clamp"): (bounds_that_changed,),
    ("authorize", "refused_at_authorize"): (denied,),
    ("authorize", "rules_failed"): (rules_away,),
    ("rate_limit", "refused_at_rate_limit"): (limited,),
    ("rate_limit", "limiter_unavailable"): (limits_away,),
    ("plan_mode", "planned"): (planned,),
    ("confirm", "asked_confirmation"): (asked_the_requester,),
    ("confirm", "asked_pending"): (asked_others,),
    ("confirm", "answered_before"): (asked_and_answered_before,),
    ("confirm", "refused_at_confirm"): (approved_by_nobody_there,),
    ("confirm", "too_many_open"): (one_question_too_many,),
    ("confirm", "not_repeated"): (asked_to_repeat_what_is_known,),
    ("confirm", "rule_refused"): (a_rule_says_no,),
    ("confirm", "foreign_consent"): (a_consent_to_another_answer,),
    ("confirm", "cancelled"): (cancelled_while_it_asks,),
    ("confirm", "host_fault"): (the_record_is_gone_at_confirm,),
}
