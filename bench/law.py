"""What the law costs, beside FastMCP and pydantic-ai doing their kind of it in the same minutes.

Peers do less: neither asks, nor keeps a record, nor audits. Rounds of all are mixed, so that a busy
machine weighs on each alike; a figure is the median of the rounds.
"""

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from comal_runtime import ToolContext, ToolRegistry, ToolScanner, Wiring, tool
from comal_runtime.record import SqliteRecord

from .support.peers import NoPeers, Peer, installed, running
from .support.timing import Own, Took, median

ROUNDS: Final = 9
ARGUMENTS: Final = {"order": 7, "language": "es", "full": True, "limit": 3}
PEERS: Final = {
    "fastmcp-server": 100,
    "fastmcp-client": 30,
    "pydantic-ai": 500,
    "fastmcp-summaries": 50,
}
TARGETS: Final = {
    "read call": Took(20, 45),
    "ask + redeem, in memory": Took(110, 110),
    "ask + redeem, SQLite FULL, alone": Took(4000, 4000),
    "ask + redeem, SQLite FULL, of 50 at once": Took(500, 500),
    "summaries of 50 tools": Took(5, 5),
}
"""At most, in microseconds, on a quiet machine of two cores; a read's CPU is with its record."""


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


async def ask_and_redeem(tools: ToolRegistry) -> None:
    """Ask for one deletion and redeem it."""
    asked = await tools.call("delete", {"note": 1})
    done = await tools.call("delete", {}, confirm_token=asked.confirm_token)
    assert done.success, done.error


def catalogue() -> ToolRegistry:
    """Return a registry with fifty tools."""
    tools, one = ToolRegistry(), registry(None).get("look")
    assert one is not None
    for number in range(50):
        tools.register(f"look_{number}", one.description, one.input_schema, one.callback)
    return tools


@asynccontextmanager
async def ours(folder: Path) -> AsyncIterator[list[Own]]:
    """Make what is measured of ours, and end it."""
    memory, many = registry(None), catalogue()
    record = SqliteRecord(folder / "bench.db")
    stored = registry(record)

    async def look_up() -> None:
        await memory.call("look", ARGUMENTS, ToolContext.cli())

    async def fifty() -> None:
        await asyncio.gather(*(ask_and_redeem(stored) for _ in range(50)))

    async def summaries() -> None:
        many.get_tool_summaries()

    yield [
        Own(name="read call", work=look_up, count=500, after=memory.audit.flush),
        Own(name="ask + redeem, in memory", work=lambda: ask_and_redeem(memory), count=60),
        Own(name="ask + redeem, SQLite FULL, alone", work=lambda: ask_and_redeem(stored), count=20),
        Own(name="ask + redeem, SQLite FULL, of 50 at once", work=fifty, count=2, shared_by=50),
        Own(name="summaries of 50 tools", work=summaries, count=2000),
    ]
    await stored.audit.flush()
    await record.aclose()


async def mixed(all_of_them: Sequence[Own | Peer]) -> dict[str, Took]:
    """Return the medians of rounds in which each has its turn."""
    rounds: dict[str, list[Took]] = {one.name: [] for one in all_of_them}
    for _ in range(ROUNDS):
        for one in all_of_them:
            rounds[one.name].append(await one.round())
    return {name: median(took) for name, took in rounds.items()}


def tell(found: dict[str, Took]) -> None:
    """Print every figure, and the ratios that count."""
    print(f"{'microseconds of one call':<44}{'wall':>9}{'CPU':>9}   target, wall and CPU")
    for name, took in found.items():
        print(f"{name:<44}{took.wall:>9.1f}{took.cpu:>9.1f}   {_judged(took, TARGETS.get(name))}")
    for peer in ("fastmcp-server", "fastmcp-client", "pydantic-ai"):
        if peer in found:
            ratio = found["read call"].wall / found[peer].wall
            print(f"ratio: read call / {peer:<25}{ratio:>9.3f}")
    if "fastmcp-summaries" in found:
        ratio = found["summaries of 50 tools"].wall / found["fastmcp-summaries"].wall
        print(f"ratio: summaries / fastmcp-summaries        {ratio:>9.5f}")


def _judged(took: Took, target: Took | None) -> str:
    if target is None:
        return "(peer)"
    met = took.wall <= target.wall and took.cpu <= target.cpu
    return f"{target.wall:g}, {target.cpu:g}: {'met' if met else 'missed'}"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            work: list[Own | Peer] = [*await stack.enter_async_context(ours(Path(folder)))]
            try:
                python = installed()
                for name, count in PEERS.items():
                    work.append(await stack.enter_async_context(running(python, name, count)))
            except NoPeers as reason:
                print(f"peers are not measured: {reason}")
            gc.freeze()  # as `comal run` does, and the peers do here
            tell(await mixed(work))


if __name__ == "__main__":
    asyncio.run(main())
