"""Argument validation and clamps, through the registry's own stations.

Facets: `verdict` (valid, invalid, refused at registration), `errors` as (place, kind, bound),
`places` in their order; for clamps `args`, those that reach the tool.
"""

import re
from typing import Any, Final

from comal_runtime import ToolContext, ToolOptions, ToolRegistry
from comal_runtime.errors import BadDeclaration, BadToolSchema
from tests.vectors.areas import schema_rules
from tests.vectors.areas.area import Comparison, Facets, Ruling
from tests.vectors.rows import Row
from tests.vectors.values import same

REFUSED: Final = "refused at registration"

_KIND: Final = re.compile(
    r"(?P<kind>Expected [a-z]+|String too \w+|Value too \w+|Value must be one of"
    r"|Missing required field|Unknown property)(?:[^(]*\(\w+: (?P<bound>[^)]*)\))?"
)
_KEYWORDS: Final = {
    "String too short": "minLength",
    "String too long": "maxLength",
    "Value too small": "minimum",
    "Value too large": "maximum",
    "Value must be one of": "enum",
    "Missing required field": "required",
    "Unknown property": "additionalProperties",
}
_SEPARATOR: Final = "; "
_NAMES_ITS_PLACE: Final = ("Missing required field", "Unknown property")


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row holds arguments against a schema or against clamps."""
    return {"args", "schema"} <= given.keys() or {"args", "clamps"} <= given.keys()


async def found(row: Row) -> Facets:
    """Register a tool with the row's schema or clamps and call it with the arguments."""
    if "clamps" in row.input:
        return await _clamped(row.input)
    registry = ToolRegistry()
    try:
        registry.register("vector", "holds a value", row.input["schema"], lambda **_: None)
    except BadToolSchema:
        return {"verdict": REFUSED}
    result = await registry.call("vector", row.input["args"], ToolContext.cli())
    # A token that is unknown is another station's to refuse.
    verdict = "invalid" if result.code == "VALIDATION_ERROR" else "valid"
    faults = [fault["message"] for fault in result.meta.get("faults", ())]
    return {**_errors(verdict, faults), "told in one": True}


def recorded(row: Row) -> Facets:
    """Read the original's verdict and errors, or the arguments it clamped."""
    match row.output:
        case {"valid": bool(valid), "errors": [*errors]}:
            joined = _SEPARATOR.join(errors)
            in_one = (row.output.get("message") or joined) == joined
            return {**_errors("valid" if valid else "invalid", errors), "told in one": in_one}
        case {"args": args}:
            return {"args": args}
        case _:
            return {"exception": row.output}


def ruled(row: Row) -> Ruling | None:
    """Say what the contract says where the original is known to differ from it."""
    if "clamps" in row.input:
        return _ruled_clamps(row)
    schema, args = row.input["schema"], row.input["args"]
    before = recorded(row)
    if isinstance(args, dict):
        args = {name: value for name, value in args.items() if name != "confirm_token"}
    refused = schema_rules.is_refused(schema)
    broken = frozenset() if refused else schema_rules.broken_places(schema, args)
    right = REFUSED if refused else "invalid" if broken else "valid"
    if right == before.get("verdict") and broken == _broken(before["errors"]):
        return None  # the same verdict for the same reasons
    rule = schema_rules.rule_for(schema, row.input["args"], before.get("verdict", ""), right)
    if rule is None:
        return None
    return Ruling(expected={"verdict": right}, line=rule.line, why=rule.why)


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


def _errors(verdict: str, errors: list[str]) -> Facets:
    parts = [_part(error) for error in errors]
    return {
        "verdict": verdict,
        "errors": sorted(parts),
        "places": list(dict.fromkeys(part[0] for part in parts)),
    }


def _part(error: str) -> list[str]:
    """Take an error apart: its place, its kind, and the bound it names."""
    match = _KIND.search(error)
    if match is None:
        return ["", error, ""]
    if match["kind"] in _NAMES_ITS_PLACE:
        name = error[match.end() :].removeprefix(": ")
        return [re.split(r"[;,]? ", name)[0], match["kind"], ""]
    return [error[: match.start()].removesuffix(": "), match["kind"], _number(match["bound"])]


def _broken(errors: list[list[str]]) -> frozenset[tuple[str, str]]:
    """Return the place of each error with the keyword that its kind speaks of."""
    return frozenset(
        (place, "type" if kind.startswith("Expected") else _KEYWORDS.get(kind, kind))
        for place, kind, _ in errors
    )


def _number(text: str | None) -> str:
    """Print a bound in one way; the original prints 1.0 as 1 and 1e25 as 1.0E+25."""
    try:
        return format(float(text or ""), "g")
    except ValueError:
        return text or ""


async def _clamped(given: dict[str, Any]) -> Facets:
    received: list[dict[str, Any]] = []
    registry = ToolRegistry()
    try:
        options = ToolOptions(clamps=given["clamps"])
    except BadDeclaration:
        return {"verdict": REFUSED}
    registry.register("vector", "", {}, lambda **args: received.append(args), options)
    result = await registry.call("vector", given["args"], ToolContext.cli())
    return {"args": received[0] if received else result.error}


def _ruled_clamps(row: Row) -> Ruling | None:
    args, clamps = row.input["args"], row.input["clamps"]
    if not all(map(_is_well_formed, clamps.values())):
        why = "bounds that are inverted or none at all raise at registration"
        return Ruling(expected={"verdict": REFUSED}, line="15", why=why)
    after = recorded(row).get("args")
    if not isinstance(after, dict):
        return None
    right = {
        name: _by_line_15(args[name], clamps[name], value) if name in clamps else value
        for name, value in after.items()
        if name in args
    }
    told = all(_loosely(args[name], clamps[name], after[name]) for name in right if name in clamps)
    if same(right, after) or not told:
        return None
    why = "non-numbers are left alone, but for texts that maxLength cuts"
    return Ruling(expected={"args": right}, line="15", why=why)


def _is_well_formed(bounds: Any) -> bool:
    """Tell whether bounds are numbers under known names, the lower not above the upper."""
    if not isinstance(bounds, dict) or not bounds.keys() <= {"min", "max", "maxLength"}:
        return same(bounds, {})
    numbers = all(type(bound) in (int, float) for bound in bounds.values())
    return numbers and bounds.get("min", -float("inf")) <= bounds.get("max", float("inf"))


def _loosely(value: Any, bounds: dict[str, Any], after: Any) -> bool:
    """Tell whether the original may make this of a value: itself, cut, or one of its bounds."""
    cut = [value[: bounds["maxLength"]]] if isinstance(value, str) and "maxLength" in bounds else []
    return any(same(after, one) for one in (value, *bounds.values(), *cut))


def _by_line_15(value: Any, bounds: dict[str, Any], after: Any) -> Any:
    if type(value) in (int, float):
        return after
    if isinstance(value, str) and "maxLength" in bounds:
        return value[: bounds["maxLength"]]
    return value
