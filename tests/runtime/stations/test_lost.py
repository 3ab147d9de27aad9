"""A resumed call is answered from its question or its act; it never runs again."""

import asyncio

import pytest

from comal_runtime.testing import FakeClock

from .arranging import (
    Ran,
    answered,
    by_ana,
    decisions,
    in_code,
    key,
    made,
    registry_with,
)


class TestOneCallKey:
    """A resumed call finds its act instead of running again."""

    async def test_runs_once_and_answers_from_the_stored_result(self) -> None:
        ran = Ran(gives={"wiped": 3})
        registry = registry_with(made(ran, mutating=True))

        results = [await registry.call("wipe", {}, in_code(call_key=key())) for _ in range(3)]

        assert [one.data for one in results] == [{"wiped": 3}] * 3
        assert len(ran.calls) == 1
        assert await decisions(registry) == ["act_done", "act_not_claimed", "act_not_claimed"]

    async def test_of_many_at_once_one_runs_and_the_others_say_it_runs(self) -> None:
        goes_on, ran = asyncio.Event(), Ran()

        async def body() -> object:
            await goes_on.wait()
            return await ran()

        registry = registry_with(made(body, mutating=True))
        calls = [
            asyncio.ensure_future(registry.call("wipe", {}, in_code(call_key=key())))
            for _ in range(9)
        ]
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED, timeout=1)
        goes_on.set()
        results = await asyncio.gather(*calls)

        assert len(ran.calls) == 1
        assert sorted(one.type for one in results) == ["generic"] + ["pending"] * 8

    async def test_another_index_is_another_act(self) -> None:
        ran = Ran()
        registry = registry_with(made(ran, mutating=True))

        for index in range(2):
            await registry.call("wipe", {}, in_code(call_key=key(index)))

        assert len(ran.calls) == 2

    async def test_a_resumed_call_finds_the_question_it_asked(self) -> None:
        registry = registry_with(made(Ran(), mutating=True))

        first, second = [await registry.call("wipe", {}, by_ana(call_key=key())) for _ in range(2)]

        async with registry.record.reading() as stored:
            assert len(await stored.questions.recent(state=None, limit=9)) == 1
        assert first.type == second.type == "confirmation"

    @pytest.mark.parametrize("yes", [True, False])
    async def test_a_resumed_call_hears_how_its_question_ended(self, yes: bool) -> None:
        clock = FakeClock()
        registry = registry_with(made(Ran(), mutating=True), clock=clock)
        await registry.call("wipe", {}, by_ana(call_key=key()))
        await answered(registry, clock, by="telegram:1", yes=yes)

        result = await registry.call("wipe", {}, by_ana(call_key=key()))

        assert result.success
        assert result.data == (
            {"status": "running"} if yes else {"decision": "cancelled", "reason": None}
        )
