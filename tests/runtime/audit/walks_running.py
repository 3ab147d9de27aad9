"""Walks that end at a listener, or in the tool: one for each path."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from comal_runtime.errors import ToolError
from tests.runtime.stations.arranging import (
    eventually,
    in_code,
    key,
    made,
)

from .scene import Scene, Walk, cancelled


async def _heard(scene: Scene, listener: Callable[[Any], object], **options: Any) -> None:
    assert scene.dispatcher is not None
    scene.dispatcher.subscribe("tool.executing", listener)
    scene.with_tools(made(scene.ran, **options))
    await scene.call()


async def vetoed(scene: Scene) -> None:
    await _heard(scene, lambda event: event.slot.stop("no"))


async def a_listener_fails(scene: Scene) -> None:
    await _heard(scene, lambda event: 1 / 0)


async def a_listener_answers_for_a_change(scene: Scene) -> None:
    await _heard(scene, lambda event: event.slot.short_circuit("cached"), mutating=True)


async def served_from_a_cache(scene: Scene) -> None:
    await _heard(scene, lambda event: event.slot.short_circuit("cached"))


async def executed(scene: Scene) -> None:
    scene.with_tools()
    await scene.call()


async def failed(scene: Scene) -> None:
    scene.with_tools(made(_declined))
    await scene.call()


async def timed_out(scene: Scene) -> None:
    scene.with_tools(made(_hangs, timeout=0.01))
    await scene.call()


async def an_act_done(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True))
    await scene.call()


async def an_act_declined(scene: Scene) -> None:
    scene.with_tools(made(_declined, mutating=True))
    await scene.call()


async def an_act_nobody_knows_of(scene: Scene) -> None:
    scene.with_tools(made(_hangs, mutating=True, timeout=0.01))
    await scene.call()


async def an_act_done_late(scene: Scene) -> None:
    async def slow() -> str:
        scene.clock.advance(1000)
        return "done"

    scene.with_tools(made(slow, mutating=True))
    await scene.call()


async def an_act_declined_late(scene: Scene) -> None:
    async def slow() -> str:
        scene.clock.advance(1000)
        raise ToolError("no")

    scene.with_tools(made(slow, mutating=True))
    await scene.call()


async def an_act_that_ran_already(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True))
    await scene.call(in_code(call_key=key()))
    await scene.call(in_code(call_key=key()))


async def changed_after_the_last_word_of_listeners(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, confirm=True, preview=lambda: scene.calls))
    token = await scene.token()
    await scene.call(token=token)


async def a_host_too_slow(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True))
    scene.clock.times = 99
    await scene.call()


async def an_end_that_is_not_stored(scene: Scene) -> None:
    async def loses() -> str:
        scene.record.gone = True
        return "done"

    scene.with_tools(made(loses, mutating=True))
    await scene.call()
    scene.record.gone = False


async def cancelled_while_it_runs(scene: Scene) -> None:
    began = asyncio.Event()

    async def body() -> None:
        began.set()
        await asyncio.Event().wait()

    scene.with_tools(made(body))
    calling = asyncio.ensure_future(scene.call())
    await began.wait()
    await cancelled(calling)


async def a_change_cancelled_while_it_runs(scene: Scene) -> None:
    began = asyncio.Event()

    async def body() -> None:
        began.set()
        await asyncio.Event().wait()

    scene.with_tools(made(body, mutating=True))
    calling = asyncio.ensure_future(scene.call())
    await began.wait()
    await cancelled(calling)
    await eventually(lambda: not scene.registry._deps.late)


async def the_record_is_gone_at_execute(scene: Scene) -> None:
    scene.with_tools(made(scene.ran, mutating=True))
    scene.record.gone = True
    await scene.call()
    scene.record.gone = False


async def _declined() -> None:
    raise ToolError("no")


async def _hangs() -> None:
    await asyncio.Event().wait()


WHILE_RUNNING: Mapping[tuple[str, str], tuple[Walk, ...]] = {
    ("emit_executing", "vetoed"): (vetoed,),
    ("emit_executing", "listener_failed"): (a_listener_fails,),
    ("emit_executing", "short_circuit_refused"): (a_listener_answers_for_a_change,),
    ("emit_executing", "cache_served"): (served_from_a_cache,),
    ("execute", "executed"): (executed,),
    ("execute", "failed"): (failed,),
    ("execute", "timed_out"): (timed_out,),
    ("execute", "act_done"): (an_act_done,),
    ("execute", "act_failed"): (an_act_declined,),
    ("execute", "act_unknown"): (an_act_nobody_knows_of, a_change_cancelled_while_it_runs),
    ("execute", "act_done_late"): (an_act_done_late,),
    ("execute", "act_settled_not_done"): (an_act_declined_late,),
    ("execute", "not_as_shown"): (changed_after_the_last_word_of_listeners,),
    ("execute", "act_not_claimed"): (an_act_that_ran_already,),
    ("execute", "act_not_started"): (a_host_too_slow,),
    ("execute", "act_end_not_stored"): (an_end_that_is_not_stored,),
    ("execute", "cancelled"): (cancelled_while_it_runs,),
    ("execute", "host_fault"): (the_record_is_gone_at_execute,),
}
