"""Token estimates, models' windows and the choice of tools that fit.

Facets: `tokens`; `limit` and `tool_budget`; `total`; `selected`, `excluded`, `tokens_used`,
`budget`; of a report the numbers in it and `dearest`.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from comal_runtime import ToolRegistry
from comal_runtime.budget import estimate_tokens, model_window, tool_share, tool_tokens
from tests.vectors.areas.area import Comparison, Facets, Ruling, first_difference
from tests.vectors.areas.tool_lists import read_tools
from tests.vectors.rows import Row

_FALLBACK: Final = 8_192  # tokens the original gives every model it does not know
_FAMILIES: Final = {
    "gpt-4.1": 1_047_576,
    "gpt-5": 400_000,
    "gpt-4o": 128_000,
    "o1": 200_000,
    "o3": 200_000,
    "claude-3": 200_000,
    "claude-sonnet-4": 200_000,
    "claude-opus-4-1": 200_000,
}
"""What current models hold by their makers' own tables; the original knows none of these names."""

_REGISTRY: Final = re.compile(
    r"ToolRegistry\.getToolsWithinBudget\((?P<model>[^,)]+)(?:, \[(?P<first>[^\]]*)\])?\)"
)
_REPORT: Final = {
    "limit": re.compile(r"Context Limit: (\d+)"),
    "budget": re.compile(r"Tool Budget \(30%\): (\d+)"),
    "count": re.compile(r"Tools Registered: (\d+)"),
    "tokens_used": re.compile(r"Tokens Used: (\d+)"),
}
_DEAREST: Final = re.compile(r"  - (\S+): (\d+) tokens")
_OPS: Final = ("estimateTokens", "estimateToolTokens", "estimateToolsTokens", "getUsageReport")


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row estimates a text or tools, or asks what a model holds."""
    op = str(given.get("op", ""))
    return op in _OPS or op.startswith(("getModelLimit", "selectTools", "ToolRegistry.getToolsW"))


async def found(row: Row) -> Facets:
    """Ask the row's question."""
    given = row.input
    match given:
        case {"text": str(text)}:
            return {"tokens": estimate_tokens(text)}
        case {"tool": tool}:
            tools = read_tools(tool)
            return {"tokens": tool_tokens(tools[0])}
        case {"tools": tools, "op": "estimateToolsTokens"}:
            costs = {tool["name"]: tool_tokens(tool) for tool in read_tools(tools)}
            return {"total": sum(map(tool_tokens, read_tools(tools))), "per_tool": costs}
        case {"tools": tools, "op": "getUsageReport", "model": model}:
            return _reported(read_tools(tools), model)
        case {"tools": tools}:
            return _selected(read_tools(tools), *_asked(given))
        case {"model": model}:
            return {"limit": model_window(model), "tool_budget": tool_share(model)}
        case _:
            raise ValueError(f"no question in {sorted(given)}")


def recorded(row: Row) -> Facets:
    """Read the original's numbers and choices."""
    output = row.output
    if "report" in output:
        text = output["report"]
        numbers = {name: pattern.search(text) for name, pattern in _REPORT.items()}
        facets: Facets = {name: int(told[1]) for name, told in numbers.items() if told}
        return {**facets, "dearest": [[name, int(cost)] for name, cost in _DEAREST.findall(text)]}
    renamed = {"selected" if name == "tools" else name: told for name, told in output.items()}
    return {name: told for name, told in renamed.items() if name in _COMPARED}


_COMPARED: Final = frozenset(
    {
        "tokens",
        "limit",
        "tool_budget",
        "total",
        "per_tool",
        "selected",
        "excluded",
        "tokens_used",
        "budget",
    }
)


def ruled(row: Row) -> Ruling | None:
    """Say what current models hold, what compact JSON costs and that a priority is an order."""
    given = row.input
    if "model" in given and "limit" in row.output:
        return _ruled_window(given["model"], row.output["limit"])
    if "tool" in given:
        return _ruled_cost(given["tool"], row.output["tokens"])
    if str(given["op"]).startswith("ToolRegistry"):
        return _ruled_order(row)
    return None


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


def _ruled_window(model: str, limit: int) -> Ruling | None:
    name = model.lower().rpartition("/")[2]
    window = next((size for start, size in _FAMILIES.items() if name.startswith(start)), None)
    if limit != _FALLBACK or window is None:
        return None
    expected = {"limit": window, "tool_budget": window * 3 // 10}
    why = "current models are known, whatever provider and case their name is written with"
    return Ruling(expected=expected, line="58", why=why)


def _ruled_cost(tool: Any, tokens: int) -> Ruling | None:
    """Compact JSON does not escape slashes, and what cannot be encoded is not free."""
    text = json.dumps(read_tools(tool)[0], ensure_ascii=False, separators=(",", ":"))
    cost = -(-len(text.encode("utf-8", "surrogatepass")) // 4)
    escaped = -(-len(text.replace("/", r"\/").encode("utf-8", "surrogatepass")) // 4)
    if cost == tokens or tokens not in (0, escaped):
        return None
    why = "a tool costs its compact JSON, and none is free"
    return Ruling(expected={"tokens": cost}, line="58", why=why)


def _ruled_order(row: Row) -> Ruling | None:
    model, first = _asked(row.input)
    tools = {tool["name"]: tool for tool in read_tools(row.input["tools"])}
    share = row.output.get("budget", tool_share(model))
    others = [name for name in tools if name not in first]
    right = _fitting([*(name for name in first if name in tools), *others], tools, share)
    unordered = _fitting([*(name for name in tools if name in first), *others], tools, share)
    before = {name: told for name, told in recorded(row).items() if name in right}
    if right == unordered or first_difference(before, unordered):
        return None
    why = "tools are taken in the order of the priority, the others after them"
    return Ruling(expected=right, line="58", why=why)


def _fitting(order: list[str], tools: dict[str, dict[str, Any]], left: int) -> Facets:
    """Take tools in an order until the share is spent; a smaller one may still fit."""
    selected: list[str] = []
    excluded: list[str] = []
    for name in order:
        cost = tool_tokens(tools[name])
        (selected if cost <= left else excluded).append(name)
        left -= cost if cost <= left else 0
    return {"selected": selected, "excluded": excluded}


def _asked(given: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the model and the priority of a row that selects."""
    match = _REGISTRY.match(given["op"])
    if match is None:
        return given["model"], []
    names = (match["first"] or "").split(",")
    return match["model"].strip(), [name.strip() for name in names if name.strip()]


def _registry(tools: Sequence[dict[str, Any]]) -> ToolRegistry:
    registry = ToolRegistry()
    for tool in tools:
        registry.register(tool["name"], tool["description"], tool["inputSchema"], lambda: None)
    return registry


def _selected(tools: Sequence[dict[str, Any]], model: str, priority: list[str]) -> Facets:
    budget = _registry(tools).get_tools_within_budget(model, priority or None)
    return {
        "selected": list(budget.included),
        "excluded": list(budget.excluded),
        "tokens_used": budget.spent,
        "budget": budget.share,
    }


def _reported(tools: Sequence[dict[str, Any]], model: str) -> Facets:
    costs = sorted(([tool["name"], tool_tokens(tool)] for tool in tools), key=lambda one: -one[1])
    return {
        "limit": model_window(model),
        "budget": tool_share(model),
        "count": len(tools),
        "tokens_used": sum(cost for _, cost in costs),
        "dearest": costs[:10],
    }
