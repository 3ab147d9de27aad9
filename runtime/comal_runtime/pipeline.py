"""The law: eleven stations in one order. The order is data; it is carried out and explained."""

import asyncio
from typing import Final

from .call import Call, Request
from .deps import Deps
from .rate_limit import caller_of
from .record import Question
from .redact import printable
from .result import ErrorCode, ToolResult
from .sentences import cut
from .stations.authorize import authorize, inspect_authorize
from .stations.clamp import clamp, inspect_clamp
from .stations.confirm import confirm, inspect_confirm
from .stations.emit_executing import emit_executing, inspect_emit_executing
from .stations.execute import execute, inspect_execute
from .stations.outcome import (
    audit,
    contain_exception,
    inspect_audit,
    inspect_contain,
    interrupted,
)
from .stations.plan_mode import inspect_plan_mode, plan_mode
from .stations.promise import void_redeemed
from .stations.rate_limit import inspect_rate_limit, rate_limit
from .stations.resolve import inspect_resolve, resolve
from .stations.station import Role, Station
from .stations.validate import inspect_validate, validate

STATIONS: Final[tuple[Station, ...]] = (
    Station(name="resolve", role=Role.GUARD, inspect=inspect_resolve),
    Station(name="validate", role=Role.GUARD, inspect=inspect_validate, run=validate, voids=True),
    Station(
        name="clamp",
        role=Role.TRANSFORM,
        inspect=inspect_clamp,
        run=clamp,
        voids=True,
    ),
    Station(
        name="authorize", role=Role.GUARD, inspect=inspect_authorize, run=authorize, voids=True
    ),
    Station(name="rate_limit", role=Role.GUARD, inspect=inspect_rate_limit, run=rate_limit),
    Station(name="plan_mode", role=Role.BRANCH, inspect=inspect_plan_mode, run=plan_mode),
    Station(
        name="confirm",
        role=Role.BRANCH,
        inspect=inspect_confirm,
        run=confirm,
        voids=True,
        asks=True,
    ),
    Station(
        name="emit_executing",
        role=Role.HOOK,
        inspect=inspect_emit_executing,
        run=emit_executing,
        voids=True,
    ),
    Station(
        name="execute", role=Role.EXECUTION, inspect=inspect_execute, run=execute, mutates=True
    ),
    Station(name="contain_exception", role=Role.BOUNDARY, inspect=inspect_contain, wraps="execute"),
    Station(name="audit", role=Role.OUTCOME, inspect=inspect_audit),
)

_WALK: Final = tuple((one.name, one.run, one.voids) for one in STATIONS if one.run is not None)
_ANSWERS: Final = (Call, ToolResult)
_PROBES: Final = frozenset({"resolve", "validate", "authorize"})
_PROBE_COST: Final = 1
_NAME: Final = 100  # characters of a name that no tool takes
_MOST_NAMES: Final = 20


async def carry(request: Request, deps: Deps) -> ToolResult:
    """Carry one request through the law. Raises nothing but cancellation."""
    result: ToolResult | None = None
    try:
        if deps.audit.is_crowded:  # a caller that never waits leaves the audit no time of its own
            await deps.audit.flush()
        result = _signed(request, await _walk(request, deps))
    except asyncio.CancelledError:
        if not request.trail.recorded:
            request.trail.decision = "cancelled"
        raise
    except Exception as error:
        result = _signed(request, contain_exception(request, error))
    finally:
        audit(request, result or interrupted(request), deps)
    return result


async def _walk(request: Request, deps: Deps) -> ToolResult:
    limited = _probing(request, deps)
    if limited is not None:
        return limited
    found = resolve(request, deps)
    call = found if isinstance(found, _ANSWERS) else await found
    if isinstance(call, ToolResult):
        return _probed(request, call, deps)
    for name, run, voids in _WALK:
        request.trail.station = name
        answer = run(call, deps)
        step = answer if isinstance(answer, _ANSWERS) else await answer
        if isinstance(step, Call):
            call = step
            continue
        if voids and call.question is not None:
            await _void(call.question, step, deps)
        return _told(call, _probed(request, step, deps))
    raise RuntimeError("the walk ended without a result")


def _probing(request: Request, deps: Deps) -> ToolResult | None:
    """Refuse a caller whose failed requests have used its probing budget up."""
    if not deps.probing:  # nobody was refused of late
        return None
    wait = deps.probing.peek(_prober(request), _PROBE_COST, now=deps.clock.boot())
    if wait <= 0:
        return None
    request.trail.decision = "probing_limited"
    return ToolResult.error(
        f"Too many refused requests. Try again in {wait:.0f} s.",
        code=ErrorCode.RATE_LIMITED,
        meta={"retry_after_seconds": wait},
    )


def _probed(request: Request, result: ToolResult, deps: Deps) -> ToolResult:
    """Charge a refusal by the first guards to the caller's probing budget."""
    if not result.success and request.trail.station in _PROBES:
        deps.probing.take(_prober(request), _PROBE_COST, now=deps.clock.boot())
    return result


def _prober(request: Request) -> str:
    return f"{request.ctx.channel}:{caller_of(request.ctx)}"


async def _void(question: Question, refusal: ToolResult, deps: Deps) -> None:
    async with deps.record.transaction() as tx:
        await void_redeemed(tx, question, refusal.error or "refused", deps.clock.now())


def _told(call: Call, result: ToolResult) -> ToolResult:
    """Say which arguments are not those that came."""
    if call.ignored:
        names = [cut(printable(name), _NAME) for name in call.ignored[:_MOST_NAMES]]
        result = result.with_meta(ignored=names)
    if not call.clamped:
        return result
    changed = {name: {"from": old, "to": new} for name, (old, new) in call.clamped.items()}
    return result.with_meta(clamped=changed)


def _signed(request: Request, result: ToolResult) -> ToolResult:
    """Add what the runtime knows; a tool cannot forge it."""
    ctx = request.ctx
    return result.with_meta(
        tool=request.name,
        took_ms=request.trail.took_ms(),
        request_id=ctx.request_id,
        channel=ctx.channel,
        principal=ctx.principal,
    )
