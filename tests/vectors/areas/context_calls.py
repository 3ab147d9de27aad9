"""Contexts made by their constructors, written as the vectors write them: lines 21, 59, 60."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from comal_runtime import PolicyGate, ToolContext, ToolOptions
from comal_runtime.tools import Tool
from tests.vectors.areas.area import Facets, Ruling, first_difference
from tests.vectors.areas.lines import decided, ruling
from tests.vectors.decisions import Decision
from tests.vectors.rows import Row
from tests.vectors.values import difference

REFUSED: Final[Facets] = {"declared": "refused"}

NOBODY: Final = "nobody"

_CALL: Final = re.compile(
    r"(?:new )?ToolContext(?:\.(?P<name>\w+))?\((?P<args>.*?)\)(?P<plan>\.asPlan\(\))?.*"
)
_MODE: Final = re.compile(r"""mode\W{0,5}([\w-]+)""")
_NAMED: Final = re.compile(r"""(\w+)\s*[=:]\s*"([^"]*)\"""")
_MODES: Final = ("execute", "plan")
_SCOPES: Final = re.compile(r"has\w*Scope|on scopes")
_LIST: Final = re.compile(r"\[([^\]]*)\]")
_WORDS: Final = re.compile(r"(?P<wild>wild )?(?P<kind>hasScope|any|all) (?P<names>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """A constructor with its arguments; `name` is None for the plain one."""

    name: str | None
    args: Sequence[Any] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    plan: bool = False

    @property
    def mode(self) -> str:
        """The mode that is asked for."""
        last = self.args[3] if self.name == "mcp" and len(self.args) > 3 else "execute"
        return str(self.named.get("mode", last))

    def at(self, place: int) -> Any:
        """Return an argument, None where there is none."""
        return self.args[place] if len(self.args) > place else None


def fits(op: str) -> bool:
    """Tell whether an operation makes a context or asks one for scopes."""
    return "ToolContext" in op or bool(_SCOPES.search(op))


def _read(op: str) -> _Call | None:
    """Read a constructor's call, or prose that tells of a mode."""
    call = _CALL.fullmatch(op)
    if call is not None:
        named = dict(_NAMED.findall(call["args"]))
        args = () if named else json.loads(f"[{call['args']}]")
        return _Call(name=call["name"], args=args, named=named, plan=bool(call["plan"]))
    mode = _MODE.search(op) if "ToolContext" in op else None
    return None if mode is None else _Call(name=None, named={"mode": mode[1]})


def differs(row: Row, decision: Decision | None) -> str | None:
    """Make the context of a row, or ask one for scopes."""
    call = _read(str(row.input["op"]))
    if call is None:
        return _scopes_differ(str(row.input["op"]), row.output)
    if row.output.get("same_request_id") is False:
        return "a plan's context is said to have another request id"
    right = _right(call) or recorded(row)
    found = _made(call)
    return decided(decision, right, found, _context_differs(right, found))


def recorded(row: Row) -> Facets:
    """Read the recorded context, or as much of it as was told."""
    told = dict(row.output.get("ctx") or {})
    if "principal" in told:
        told["principal"] = told["principal"] or NOBODY
    return {**told, "mode": row.output["mode"]} if "mode" in row.output else told


def ruled(row: Row) -> Ruling | None:
    """Say what a constructor gives by lines 21 and 60."""
    call = _read(str(row.input["op"]))
    right = None if call is None else _right(call)
    if call is None or right is None:
        return None
    line = "21" if call.mode not in _MODES else "60"
    return ruling(recorded(row), right, "faults 2" if call.name in ("cli", "tui") else line)


def _right(call: _Call) -> Facets | None:
    """Return what a constructor must give by lines 21 and 60; None where the recorded is right."""
    if call.mode not in _MODES:
        return REFUSED
    rule = _BY_LINE_60.get(call.name or "")
    return None if rule is None else rule(call)


def _by_cli(call: _Call) -> Facets | None:
    """No caller and no right is made up for code that names none."""
    return {"principal": call.at(0) or NOBODY, "scopes": call.at(1) or []}


def _by_mcp(call: _Call) -> Facets | None:
    return REFUSED if len(call.args) < 3 else None


def _by_telegram(call: _Call) -> Facets | None:
    user = call.at(1)
    principal = NOBODY if user is None else f"telegram:{user}"
    return {"principal": principal, "scopes": call.at(2) or [], "channel": "telegram"}


_BY_LINE_60: Final[Mapping[str, Callable[[_Call], Facets | None]]] = {
    "cli": _by_cli,
    "tui": _by_cli,
    "mcp": _by_mcp,
    "telegram": _by_telegram,
}


def _made(call: _Call) -> Facets:
    """Return the context as the recorded outputs show one."""
    try:
        ctx = _build(call)
    except (TypeError, ValueError):
        return REFUSED
    if call.plan:
        planned = ctx.as_plan()
        if planned.request_id != ctx.request_id:
            return {"request_id": "another"}
        ctx = planned
    shown = ("channel", "request_id", "ip", "user_agent", "mode")
    facets: Facets = {name: getattr(ctx, name) for name in shown}
    return {**facets, "principal": ctx.principal or NOBODY, "scopes": list(ctx.scopes)}


def _build(call: _Call) -> ToolContext:
    match call.name:
        case None:
            return ToolContext(**call.named)
        case "cli" | "tui":
            scopes = tuple(call.at(1) or ())
            make = ToolContext.cli if call.name == "cli" else ToolContext.tui
            return make(principal=call.at(0), scopes=scopes)
        case "telegram":
            return ToolContext.telegram(call.args[0], call.at(1), tuple(call.at(2) or ()))
        case "mcp":
            return replace(ToolContext.mcp(*call.args[:3]), mode=call.mode)
        case name:
            make = getattr(ToolContext, name)
            return make(*call.args)


def _context_differs(right: Facets, found: Facets) -> str | None:
    generated = [name for name, value in right.items() if value == "<generated>"]
    if not all(found.get(name) for name in generated):
        return f"nothing was generated for {generated}"
    return first_difference({**right, **{name: found[name] for name in generated}}, found)


def _scopes_differ(op: str, output: dict[str, bool]) -> str | None:
    """Compare what scopes let through: any of them is enough, and `*` grants all (line 16).

    A tool that names no scope needs none, so that an empty list denies nobody.
    """
    held = _names(_LIST.search(op).group(1)) if _LIST.search(op) else ()
    for words, recorded in output.items():
        read = _WORDS.fullmatch(words)
        if read is None:
            return f"cannot read {words!r}"
        wanted = _names(read["names"].strip("[]"))
        scopes = ("*",) if read["wild"] else held
        if not wanted and recorded is not (read["kind"] == "all"):
            return f"{words} is said to be {recorded}"
        right = recorded if wanted else True
        groups = [(one,) for one in wanted] if read["kind"] == "all" else [wanted]
        found = all(_lets(scopes, group) for group in groups)
        why = difference(words, right, found)
        if why:
            return why
    return None


def _lets(scopes: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    options = ToolOptions(scopes=wanted)
    tool = Tool(name="t", description="", input_schema={}, callback=lambda: None, options=options)
    return PolicyGate().authorize(ToolContext.cli(scopes=scopes), tool).allowed


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
