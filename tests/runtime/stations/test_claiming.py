"""A claim whose callback never began leaves nothing started behind."""

import asyncio
from pathlib import Path

import pytest

from comal_runtime.record import ActState, SqliteRecord
from comal_runtime.testing import FakeClock

from .arranging import (
    Ran,
    act_at,
    answered,
    consent_to,
    eventually,
    in_code,
    made,
    newest_question,
    registry_with,
)


@pytest.mark.parametrize("by_job", [False, True])
async def test_cancelled_after_its_claim_an_act_goes_back_to_its_job_or_is_void(
    tmp_path: Path, by_job: bool
) -> None:
    ran, clock = Ran(), FakeClock()
    in_file = SqliteRecord(tmp_path / "c.db", clock=clock)
    registry = registry_with(made(ran, mutating=True, confirm=True), record=in_file, clock=clock)
    asked = await registry.call("wipe", {}, in_code())
    question = await newest_question(in_file)
    if by_job:
        await answered(registry, clock, by="cli:ana")
        ctx, token = in_code(consent=await consent_to(registry)), None
    else:
        ctx, token = in_code(), asked.confirm_token
    calling = asyncio.ensure_future(registry.call("wipe", {}, ctx, confirm_token=token))
    while not in_file._writer.in_transaction:
        await asyncio.sleep(0)
    calling.cancel()  # its COMMIT is on its way

    await asyncio.wait([calling])
    await eventually(lambda: not registry._deps.late)

    assert ran.calls == []
    act = await act_at(in_file, question.id)
    assert act.state is (ActState.APPROVED if by_job else ActState.VOID)
    await in_file.aclose()
