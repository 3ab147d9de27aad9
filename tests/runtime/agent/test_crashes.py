"""A worker may die between any two writes: nothing runs twice, nothing is asked twice."""

from collections import Counter
from pathlib import Path

import pytest

from comal_runtime.agent import TurnTakenOver, history_for_model, legal
from comal_runtime.testing import FakeClock, Reply
from tests.runtime.agent.rig import (
    CHAT,
    TURN,
    Killed,
    MortalRecord,
    Shop,
    answers,
    call,
    caller,
    lines,
    model,
    open_turn,
    runner,
    sqlite,
    steps_in,
    the_turn,
)

MOST = 60  # transactions that any of these turns needs, at most
PLANS: dict[str, list[Reply]] = {
    "two steps": [
        [call("look", "a"), call("order", "b"), call("look", "c"), call("order", "d")],
        [call("order", "e")],
    ],
    "a failing tool": [[call("break", "a"), call("order", "b")]],
    "a question in the middle": [
        [call("order", "a"), call("refund", "b"), call("order", "c"), call("refund", "d")]
    ],
}


async def live_and_die(folder: Path, plan: list[Reply], *, dies_at: int, stored: bool) -> bool:
    """Run a turn until its process dies, then to its end in a new one; False if none died."""
    clock, shop = FakeClock(), Shop()
    real = sqlite(folder, clock)
    await open_turn(real)
    mortal = MortalRecord(real, dies_at=dies_at, stored=stored)
    first = model(*plan)
    try:
        await runner(mortal, first, clock, shop).run(TURN, caller())
        died = False
    except Killed:
        died = True
    mortal.dead = True
    known = {line.step for line in await lines(real) if line.place == 0 and line.step > 0}
    await real.aclose()

    reopened = sqlite(folder, clock)
    second = model(*plan)
    try:
        await runner(reopened, second, clock, shop).run(TURN, caller())
    except TurnTakenOver:
        assert (await the_turn(reopened)).state == "ended"
    told = await lines(reopened)
    async with reopened.reading() as stored_now:
        acts = {key: await stored_now.acts.get(f"{TURN}/1/{key}") for key in (1, 2, 3, 4)}
    await reopened.aclose()

    done = Counter(did for did in shop.did if not did.startswith("look"))
    assert max(done.values(), default=1) == 1, done
    assert not {steps_in(asked.messages) + 1 for asked in second.requests} & known
    assert all(legal(asked.messages) for asked in [*first.requests, *second.requests])
    assert legal(history_for_model(told))
    if plan is PLANS["a question in the middle"]:
        assert set(done) <= {"order a"}
        assert acts[3] is None
    return died


@pytest.mark.failure_mode(17)
@pytest.mark.parametrize("stored", [True, False], ids=["after a commit", "before a commit"])
@pytest.mark.parametrize("name", PLANS)
async def test_a_death_at_any_write_runs_no_act_twice_and_asks_for_no_stored_step(
    tmp_path: Path, name: str, stored: bool
):
    deaths = 0
    for dies_at in range(1, MOST):
        folder = tmp_path / str(dies_at)
        folder.mkdir()
        if not await live_and_die(folder, PLANS[name], dies_at=dies_at, stored=stored):
            break
        deaths += 1

    assert 6 <= deaths < MOST - 1


async def test_a_resumed_call_that_ended_before_the_crash_answers_with_its_stored_result(
    tmp_path: Path,
):
    clock, shop = FakeClock(), Shop()
    real = sqlite(tmp_path, clock)
    await open_turn(real)
    plan = [[call("order", "a")]]
    mortal = MortalRecord(real, dies_at=5, stored=False)  # take, said, claim, end, answered
    with pytest.raises(Killed):
        await runner(mortal, model(*plan), clock, shop).run(TURN, caller())

    outcome = await runner(real, model(*plan), clock, shop).run(TURN, caller())

    answer = next(line.body for line in await lines(real) if line.role == "tool")
    await real.aclose()
    assert outcome.text == "done"
    assert shop.did == ["order a"]
    assert "ordered a" in answer


async def test_an_act_whose_worker_died_inside_it_ends_the_resumed_turn_as_running(
    tmp_path: Path,
):
    clock, shop = FakeClock(), Shop()
    real = sqlite(tmp_path, clock)
    await open_turn(real)
    plan = [[call("order", "a"), call("order", "b")]]
    mortal = MortalRecord(real, dies_at=4, stored=False)  # take, said, claim, end
    with pytest.raises(Killed):
        await runner(mortal, model(*plan), clock, shop).run(TURN, caller())

    service = model(*plan)
    outcome = await runner(real, service, clock, shop).run(TURN, caller())

    answers = [line.body for line in await lines(real) if line.role == "tool"]
    await real.aclose()
    assert outcome.reason == "confirmation_required"
    assert shop.did == ["order a"]
    assert service.requests == []
    assert "running" in answers[0]
    assert "not_run" in answers[1]


async def test_a_stored_answer_of_a_read_is_not_read_again(tmp_path: Path):
    clock, shop = FakeClock(), Shop()
    real = sqlite(tmp_path, clock)
    await open_turn(real)
    plan = [[call("look", "a"), call("order", "b")]]
    mortal = MortalRecord(real, dies_at=4, stored=False)  # take, said, answered, claim
    with pytest.raises(Killed):
        await runner(mortal, model(*plan), clock, shop).run(TURN, caller())

    await runner(real, model(*plan), clock, shop).run(TURN, caller())

    await real.aclose()
    assert shop.did == ["look a", "order b"]


async def test_a_person_who_stops_before_the_resumption_is_not_told_that_a_finished_act_did_not_run(
    tmp_path: Path,
):
    clock, shop = FakeClock(), Shop()
    real = sqlite(tmp_path, clock)
    await open_turn(real)
    plan = [[call("order", "a"), call("order", "b")]]
    mortal = MortalRecord(real, dies_at=5, stored=False)  # take, said, claim, end, answered
    with pytest.raises(Killed):
        await runner(mortal, model(*plan), clock, shop).run(TURN, caller())
    async with real.transaction() as tx:
        await tx.turns.ask_stop(CHAT)

    outcome = await runner(real, model(*plan), clock, shop).run(TURN, caller())

    told = await answers(real)
    await real.aclose()
    assert outcome.reason == "interrupted"
    assert shop.did == ["order a"]
    assert told[0] == {"ok": True, "data": "ordered a"}
    assert told[1]["status"] == "not_run"
