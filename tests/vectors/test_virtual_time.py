"""Time that tools of the vectors take passes at once."""

import asyncio

import pytest

from tests.vectors.areas.virtual_time import in_virtual_time


async def test_an_hour_passes_at_once_and_is_seen_to_have_passed() -> None:
    async def sleep() -> float:
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time() - began

    passed = await in_virtual_time(sleep)

    assert passed == pytest.approx(3600)


async def test_a_time_limit_cuts_what_takes_longer() -> None:
    async def limited() -> None:
        async with asyncio.timeout(30):
            await asyncio.sleep(3600)

    with pytest.raises(TimeoutError):
        await in_virtual_time(limited)
