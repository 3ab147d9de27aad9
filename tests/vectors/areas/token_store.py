"""The rows about confirm tokens: each token is asked for and redeemed through the registry."""

from datetime import datetime
from typing import Any

from comal_runtime import ConfirmationTokenStore, ToolContext, ToolOptions, ToolRegistry, Wiring
from comal_runtime.record import Question, memory_record
from tests.vectors.areas.area import Ruling
from tests.vectors.areas.frozen_clock import FROZEN, StepClock

_BITS = 128
_ASKER = ToolContext.cli(principal="cli:1")


async def carried_out(steps: list[dict[str, Any]]) -> list[Any]:
    """Return what each step gave."""
    store = _Store()
    return [await store.carry_out(step) for step in steps]


def recorded(steps: list[dict[str, Any]], results: list[Any]) -> list[Any]:
    """Read the results; of a token that was made its strength and its end."""
    pairs = zip(steps, results, strict=True)
    return [_made(said) if step["op"] == "create" else said for step, said in pairs]


def ruled(steps: list[dict[str, Any]], results: list[Any]) -> Ruling | None:
    """Say that a clock set back makes a token of that time good again; making purges nothing."""
    said = recorded(steps, results)
    ends = [one["expires_at"] for one in said if isinstance(one, dict) and "expires_at" in one]
    latest, changed = 0, False
    for place, step in enumerate(steps):
        token = str(step["args"][0])
        if step["op"] == "isValid" and step["at_s"] < latest and token.startswith("$T"):
            said[place] = step["at_s"] < ends[int(token[2:]) - 1]
            changed = changed or said[place] != results[place]
        latest = max(latest, step["at_s"])
    if not changed:
        return None
    why = "a token ends at its own time; making one neither scans nor purges the others"
    return Ruling(expected={"results": said}, line="faults 1", why=why)


def _made(said: dict[str, Any]) -> dict[str, Any]:
    ends = datetime.fromisoformat(said["expiresAt"]).timestamp()
    return {"strong": bool(said["matches"]), "expires_at": ends - FROZEN}


class _Store:
    """A registry that knows the tools the steps name, and the tokens it gave out."""

    def __init__(self) -> None:
        self.clock = StepClock()
        self.tokens: list[str] = []
        self.received: list[dict[str, Any]] = []
        self.record = memory_record(clock=self.clock)
        self.registry = ToolRegistry(Wiring(record=self.record, clock=self.clock))
        self.tools = ConfirmationTokenStore(self.record, self.clock)

    async def carry_out(self, step: dict[str, Any]) -> Any:
        self.clock.at = step["at_s"]
        match step["op"], step["args"]:
            case "create", [str(tool), args, *_]:
                return await self._create(tool, args)
            case "isValid", [token, tool]:
                found = await self.tools.find(self._token(token), tool, _ASKER)
                return isinstance(found, Question)
            case "consume", [token, tool]:
                return await self._consume(self._token(token), tool)
            case op, _:
                raise ValueError(f"a step of a token store is create, isValid or consume, not {op}")

    async def _create(self, tool: str, args: Any) -> dict[str, Any]:
        self._know(tool)
        result = await self.registry.call(tool, dict(args or {}), _ASKER)
        token = result.data["confirm_token"]
        self.tokens.append(token)
        strong = len(set(self.tokens)) == len(self.tokens) and len(token) * 6 >= _BITS
        return {"strong": strong, "expires_at": _seconds(result.data["expires_at"]) - FROZEN}

    async def _consume(self, token: str, tool: str) -> Any:
        self._know(tool)
        self.received.clear()
        await self.registry.call(tool, {}, _ASKER, confirm_token=token)
        return self.received[0] if self.received else None

    def _know(self, tool: str) -> None:
        if tool not in self.registry:
            keep = self.received.append
            options = ToolOptions(confirm=True)
            self.registry.register(tool, "keeps", {}, lambda **args: keep(args), options)

    def _token(self, written: str) -> str:
        return self.tokens[int(written[2:]) - 1] if written.startswith("$T") else written


def _seconds(moment: Any) -> float:
    return moment if isinstance(moment, float | int) else datetime.fromisoformat(moment).timestamp()
