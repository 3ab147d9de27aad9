"""A row of calls, read: its tools, its wiring, its steps, and how a recorded step came out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from tests.vectors.areas.bodies import Body, body_of

NOW: Final = 1_700_000_000.0
TOKEN: Final = "confirm_token"

_IN_CODE: Final = {"channel": "cli", "principal": None}
_SHORT: Final = 3  # answers of one kind in a row that are written one by one
_BAD_TOKEN: Final = "confirmation token"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A tool of a row."""

    name: str
    schema: Mapping[str, Any]
    options: Mapping[str, Any]
    body: Body

    @property
    def mutating(self) -> bool:
        """Whether it changes something."""
        return bool(self.options.get("mutating"))

    @property
    def timeout(self) -> float:
        """Seconds it may take."""
        return float(self.options.get("timeout", 30))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of a row. `args` are as given, `$TOKENn` unreplaced; `place` counts from 1."""

    place: int
    name: str
    args: Mapping[str, Any]
    ctx: Mapping[str, Any]
    at: float
    recorded: Mapping[str, Any]

    @property
    def has_token(self) -> bool:
        """Whether it carries a token; null is none."""
        return self.args.get(TOKEN) is not None

    @property
    def plain_args(self) -> dict[str, Any]:
        """The arguments without a token."""
        return {name: value for name, value in self.args.items() if name != TOKEN}

    @property
    def by_model(self) -> bool:
        """Whether a model calls: on mcp one does (line 45)."""
        return self.ctx.get("channel") == "mcp"

    @property
    def plans(self) -> bool:
        """Whether the plan alone is asked for."""
        return self.ctx.get("mode") == "plan"

    @property
    def found_invalid(self) -> bool:
        """Whether the original refused the arguments themselves."""
        said = str(self.recorded.get("error") or "")
        return answer_of(self.recorded) == "VALIDATION_ERROR" and _BAD_TOKEN not in said


def tools_of(given: Mapping[str, Any]) -> dict[str, Declared]:
    """Read the tools of a row; a tool may be told by what it does alone."""
    found: dict[str, Declared] = {}
    for name, said in given.get("tools", {}).items():
        whole = said if isinstance(said, dict) else {"does": said, "options": _options_in(said)}
        found[name] = Declared(
            name=name,
            schema=as_schema(whole.get("schema") or {}),
            options=whole.get("options") or {},
            body=body_of(whole.get("does") or 'returns {"ok":true}'),
        )
    return found


def steps_of(given: Mapping[str, Any], output: Any) -> list[Step]:
    """Read the steps of a row with what was recorded of each."""
    recorded = output.get("steps", []) if isinstance(output, dict) else []
    return [
        Step(
            place=at + 1,
            name=raw["call"],
            args=raw.get("args") or {},
            ctx={"request_id": f"req-{at + 1}", **(raw.get("ctx") or _IN_CODE)},
            at=NOW + float(raw.get("at_s") or 0),
            recorded=recorded[at] if at < len(recorded) else {},
        )
        for at, raw in enumerate(given["steps"])
    ]


def answer_of(result: Mapping[str, Any]) -> str:
    """Name how a call came out: ok, asks, waits, planned, blocked, a code, or escaped."""
    if "EXCEPTION_ESCAPED" in result or "exception" in result:
        return "escaped"
    meta, data = result.get("meta") or {}, result.get("data")
    if not result.get("success"):
        code = meta.get("code") or result.get("code")
        return "blocked" if meta.get("type") == "blocked" else str(code or "error")
    if result.get("code"):
        return f"ok, with the code {result['code']}"
    if meta.get("type") in ("confirmation", "pending"):
        return "asks" if meta["type"] == "confirmation" else "waits"
    return "planned" if isinstance(data, dict) and set(data) == {"plan"} else "ok"


def rule_in(wiring: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the one policy rule that a row wires, if it does."""
    rule = wiring.get("rule") or wiring.get("ruleProvider")
    return rule if isinstance(rule, dict) else None


def runs(answers: Iterable[str]) -> list[str]:
    """Write a long run of one answer once, with its length."""
    grouped = [(answer, len(list(same))) for answer, same in groupby(answers)]
    return [
        one
        for answer, length in grouped
        for one in ([f"{answer} x {length}"] if length > _SHORT else [answer] * length)
    ]


def epoch(iso: str) -> float:
    """Return a recorded time as epoch seconds."""
    return datetime.fromisoformat(iso).timestamp()


def as_schema(schema: Any) -> Any:
    """Give a schema back the empty objects that the original writes as empty lists."""
    if not isinstance(schema, dict):
        return schema
    maps = ("properties", "$defs", "items", "additionalProperties")
    return {
        key: {} if key in maps and value == [] else _inner(value) for key, value in schema.items()
    }


def _inner(value: Any) -> Any:
    return (
        {key: as_schema(item) for key, item in value.items()} if isinstance(value, dict) else value
    )


def _options_in(said: str) -> dict[str, Any]:
    return {"mutating": "mutating" in said, "requiresConfirmation": "confirm" in said}
