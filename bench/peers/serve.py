"""A peer's side: does the work so many times when told to, and tells what one took.

Runs in the peers' environment, where nothing of ours is installed. A line in is a count, a line out
is microseconds of one call, and of its CPU time.
"""

import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable

Work = Callable[[], Awaitable[object]]

ARGUMENTS = {"order": 7, "language": "es", "full": True, "limit": 3}


async def look(order: int, language: str = "en", full: bool = False, limit: int = 10) -> str:
    """Look an order up."""
    return f"{order}{language}{full}{limit}"


async def serve(work: Work) -> None:
    """Answer every count on standard input until it closes."""
    await work()
    gc.freeze()
    print("ready", flush=True)
    for line in sys.stdin:
        count = int(line)
        began, cpu = time.perf_counter(), time.process_time()
        for _ in range(count):
            await work()
        took = (time.perf_counter() - began) / count * 1e6
        print(took, (time.process_time() - cpu) / count * 1e6, flush=True)


async def fastmcp_server() -> None:
    """Call the server's own `call_tool`: no client, no protocol."""
    from fastmcp import FastMCP

    app = FastMCP("bench")
    app.tool(look)
    await serve(lambda: app.call_tool("look", ARGUMENTS))


async def fastmcp_client() -> None:
    """Call through the client in memory, as a program that uses the server does."""
    from fastmcp import Client, FastMCP

    app = FastMCP("bench")
    app.tool(look)
    async with Client(app) as client:
        await serve(lambda: client.call_tool("look", ARGUMENTS))


async def fastmcp_summaries() -> None:
    """List fifty tools."""
    from fastmcp import FastMCP

    app = FastMCP("bench")
    for number in range(50):
        app.tool(look, name=f"look_{number}")
    await serve(app.list_tools)


async def pydantic_ai() -> None:
    """Handle a model's tool call: validation, context, the function; no model, no run."""
    from pydantic_ai import RunContext
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.tool_manager import ToolManager
    from pydantic_ai.toolsets import FunctionToolset
    from pydantic_ai.usage import RunUsage

    tools = FunctionToolset([look])
    context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    manager = await ToolManager(tools).for_run_step(context)
    await serve(lambda: manager.handle_call(ToolCallPart("look", ARGUMENTS)))


PEERS: dict[str, Callable[[], Awaitable[None]]] = {
    "fastmcp-server": fastmcp_server,
    "fastmcp-client": fastmcp_client,
    "fastmcp-summaries": fastmcp_summaries,
    "pydantic-ai": pydantic_ai,
}

if __name__ == "__main__":
    asyncio.run(PEERS[sys.argv[1]]())  # type: ignore[arg-type]
