"""What the law costs: a read call, and asking plus redeeming, in memory and on a file.

The yardstick is `jsonschema.validate` of the same arguments in the same process: one check of the
kind that every call needs, done the plain way.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import jsonschema

from comal_runtime import ToolRegistry, ToolScanner, Wiring, tool
from comal_runtime.record import SqliteRecord

ROUNDS = 7


@tool
async def look(order: int, language: str = "en", full: bool = False, limit: int = 10) -> str:
    """Look an order up."""
    return f"{order}{language}{full}{limit}"


@tool(mutating=True, confirm=True)
async def delete(note: int) -> str:
    """Delete a note."""
    return f"{note} is gone"


def registry(record: SqliteRecord | None) -> ToolRegistry:
    """Return a registry with the two tools."""
    made = ToolRegistry(Wiring() if record is None else Wiring(record=record))
    ToolScanner(made).scan([look, delete])
    return made


async def median(count: int, work: Callable[[], Awaitable[object]]) -> float:
    """Return the median microseconds of one call over several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(count):
            await work()
        rounds.append((time.perf_counter() - began) / count * 1e6)
    return statistics.median(rounds)


async def ask_and_redeem(tools: ToolRegistry) -> None:
    """Ask for one deletion and redeem it."""
    asked = await tools.call("delete", {"note": 1})
    done = await tools.call("delete", {}, confirm_token=asked.confirm_token)
    assert done.success, done.error


async def main() -> None:
    arguments = {"order": 7, "language": "es", "full": True, "limit": 3}
    memory = registry(None)
    schema = memory.get_tool_summaries()[0]["inputSchema"]

    async def plain() -> None:
        jsonschema.validate(arguments, schema)

    yardstick = await median(20, plain)
    print(f"yardstick: jsonschema.validate once          {yardstick:9.1f} us   ratio 1.00")

    def tell(what: str, micros: float) -> None:
        print(f"{what:<45}{micros:9.1f} us   ratio {micros / yardstick:.2f}")

    tell(
        "read call, in memory, audit on", await median(500, lambda: memory.call("look", arguments))
    )
    await memory.audit.flush()
    tell("ask + redeem, in memory", await median(100, lambda: ask_and_redeem(memory)))
    with tempfile.TemporaryDirectory() as folder:
        record = SqliteRecord(Path(folder) / "bench.db")
        tools = registry(record)
        tell("ask + redeem, SQLite FULL, alone", await median(30, lambda: ask_and_redeem(tools)))

        async def fifty() -> None:
            await asyncio.gather(*(ask_and_redeem(tools) for _ in range(50)))

        tell("ask + redeem, SQLite FULL, of 50 at once", await median(3, fifty) / 50)
        await tools.audit.flush()
        await record.aclose()


if __name__ == "__main__":
    asyncio.run(main())
