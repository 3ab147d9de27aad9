"""The event dispatcher: who is called, in what order, and what a slot holds afterwards.

Facets: `called`, `listened` (whether anybody would be), `slot`, `raised`.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from comal_runtime import EventDispatcher
from comal_runtime.events import InterceptionSlot
from tests.vectors.areas.area import Comparison, Facets, Ruling
from tests.vectors.rows import Row

_LITERAL: Final = re.compile(r"[\w.*-]*")
_ORDER: Final = "at one priority the order is that of subscription"


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row dispatches an event to subscribers."""
    return {"subscribers", "dispatch"} <= given.keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Happened:
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Happening:
    name: str
    slot: InterceptionSlot


async def found(row: Row) -> Facets:
    """Subscribe the row's listeners and dispatch its event."""
    called: list[str] = []
    dispatcher = EventDispatcher()
    handlers = {one["id"]: _handler(one, called) for one in row.input["subscribers"]}
    for one in row.input["subscribers"]:
        dispatcher.subscribe(one["pattern"], handlers[one["id"]], one.get("priority", 0))
    name, slot = row.input["dispatch"], InterceptionSlot()
    event = _Happening(name=name, slot=slot) if row.input.get("slot") else _Happened(name=name)
    raised = False
    try:
        await dispatcher.dispatch(event)
    except Exception:
        raised = True
    facets = {"called": called, "listened": dispatcher.has_listeners(name), "raised": raised}
    if row.input.get("slot"):
        facets["slot"] = [slot.is_stopped, slot.has_result, slot.result]
    return facets


def recorded(row: Row) -> Facets:
    """Read whom the original called, and its slot."""
    facets = {
        "called": row.output["called"],
        "listened": row.output.get("hasSubscribers", bool(row.output["called"])),
        "raised": "exception" in row.output,
    }
    slot = row.output.get("slot")
    if slot:
        facets["slot"] = [slot["isStopped"], slot["hasResult"], slot["result"]]
    return facets


def ruled(row: Row) -> Ruling | None:
    """Say whom lines 31 and 40 have called, where the original calls others."""
    listeners = _by_line_40(row.input)
    called, raised = _until_decided(listeners, bool(row.input.get("slot")))
    before = recorded(row)
    if [called, raised] == [before["called"], before["raised"]]:
        return None
    expected = {"called": called, "listened": bool(listeners), "raised": raised}
    if raised:
        why = "a listener that raises before the fact stops the call"
        return Ruling(expected=expected, line="31", why=why)
    reorders = sorted(before["called"]) == sorted(called) and not _is_plain(row.input)
    reason = _otherwise(row.input) or (_ORDER if reorders else None)
    return Ruling(expected=expected, line="40", why=reason) if reason else None


def _otherwise(given: dict[str, Any]) -> str | None:
    """Say which habit of the original calls others in this row."""
    patterns = [one["pattern"] for one in given["subscribers"]]
    ids = [one["id"] for one in given["subscribers"]]
    if "\n" in given["dispatch"] or not all(map(_LITERAL.fullmatch, patterns)):
        return "every character of a pattern but * means itself, and no line end is overlooked"
    if len(set(ids)) < len(ids):
        return "a handler is called once per event"
    if given.get("async") and (given.get("slot") or given.get("queue")):
        return "listeners are called in place, so that no decision and no event is lost"
    return None


def _is_plain(given: dict[str, Any]) -> bool:
    """Tell whether no two subscribers differ in naming the event exactly or by a pattern."""
    return len({"*" in one["pattern"] for one in given["subscribers"]}) < 2


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


def _handler(one: dict[str, Any], called: list[str]) -> Callable[[Any], None]:
    does = str(one.get("does", ""))

    def handle(event: Any) -> None:
        called.append(one["id"])
        if does.startswith("throw"):
            raise RuntimeError(does)
        if does.startswith("slot.stop"):
            event.slot.stop()
        if does.startswith("slot.shortCircuit"):
            event.slot.short_circuit(_value(does))

    return handle


def _value(does: str) -> Any:
    inside = does.partition("(")[2].rpartition(")")[0]
    try:
        return json.loads(inside)
    except ValueError:
        return inside.strip("'")


def _by_line_40(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the listeners that are to be asked, each once."""
    ordered = sorted(given["subscribers"], key=lambda one: -one.get("priority", 0))
    fitting = [one for one in ordered if _names(one["pattern"], given["dispatch"])]
    return list({one["id"]: one for one in reversed(fitting)}.values())[::-1]


def _names(pattern: str, name: str) -> bool:
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(r"[^.\n]+".join(parts), name) is not None


def _until_decided(listeners: list[dict[str, Any]], has_slot: bool) -> tuple[list[str], bool]:
    called: list[str] = []
    for one in listeners:
        does = str(one.get("does", ""))
        called.append(one["id"])
        if has_slot and does.startswith("throw"):
            return called, True
        if has_slot and does.startswith("slot."):
            break
    return called, False
