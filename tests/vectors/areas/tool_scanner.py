"""The scanner: the schema and options it makes of a signature, and what a call then gives.

Facets: `schema`, `options`, `told` (arguments whose clamp their description tells), `wire` (the
keys a model is told); `refused`; for calls `success`, `code`, `received`, `missing`.
"""

import re
from typing import Any, Final

from comal_runtime import ToolContext, ToolRegistry, ToolScanner
from comal_runtime.errors import BadDeclaration, BadToolSchema
from comal_runtime.tools import Tool
from tests.vectors.areas import scanner_rules, scanner_stories, schema_rules
from tests.vectors.areas.area import Comparison, Facets, Ruling, first_difference
from tests.vectors.areas.python_tools import python_tool
from tests.vectors.areas.signatures import Signature, read_signature
from tests.vectors.rows import Row

_TOLD: Final = re.compile(r"(?:\.? ?)A number (?P<ends>.*); one outside is brought in\.$")
_WIRE: Final = ("name", "description", "inputSchema", "version", "outputSchema")
_MISSING: Final = "Missing required field: "


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row is about a signature, or one of the stories about scanning."""
    return "signature" in given or scanner_stories.fits(given)


async def found(row: Row) -> Facets:
    """Write the row's tool in Python, scan it, and call it if the row does."""
    if "signature" not in row.input:
        return await scanner_stories.found(row.input)
    registry = ToolRegistry()
    name = _name(row)
    try:
        written = python_tool(read_signature(row.input["signature"]), name, _docstring(row))
        ToolScanner(registry).scan(written)
    except (TypeError, BadDeclaration, BadToolSchema):
        return {"refused": True}
    if row.input["op"] == "call":
        result = await registry.call(name, row.input["args"], ToolContext.cli())
        data = result.data if isinstance(result.data, dict) else {}
        return _answer(result.success, result.code, result.error, data.get("received"))
    scanned = registry.get(name)
    assert scanned is not None
    return {**_described(scanned), "wire": _wire(registry.get_tool_summaries()[0])}


def recorded(row: Row) -> Facets:
    """Read the original's schema and options, or its answer."""
    output = row.output
    if "signature" not in row.input:
        return scanner_stories.recorded(output)
    if row.input["op"] == "call":
        received = (output.get("data") or {}).get("received")
        return _answer(output["success"], output["code"], output["error"], _cases(received))
    options = {name: value for name, value in output["options"].items() if value is not None}
    facets = {name: output[name] for name in ("name", "description", "schema")}
    return {**facets, "options": options}


def ruled(row: Row) -> Ruling | None:
    """Say what lines 2 to 8 make of a signature that the original reads otherwise."""
    if "signature" not in row.input:
        return scanner_stories.ruled(row.input)
    signature = read_signature(row.input["signature"])
    refusal = scanner_rules.refusal_of(signature)
    if refusal is not None:
        return Ruling(expected={"refused": True}, line=refusal.line, why=refusal.why)
    return _ruled_call(row, signature) if row.input["op"] == "call" else _ruled_scan(row, signature)


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


def _ruled_call(row: Row, signature: Signature) -> Ruling | None:
    args = row.input["args"]
    right = scanner_rules.answer_of(signature, args)
    if first_difference(right, recorded(row)) is None:
        return None
    schema, verdicts = scanner_rules.schema_of(signature), ("invalid", "valid")
    verdict, right_verdict = verdicts[row.output["success"]], verdicts[right["success"]]
    reason = scanner_rules.trait_of(signature) or schema_rules.rule_for(
        schema, args, verdict, right_verdict
    )
    if reason is None:
        return None
    return Ruling(expected=right, line=reason.line, why=reason.why)


def _ruled_scan(row: Row, signature: Signature) -> Ruling | None:
    trait = scanner_rules.trait_of(signature)
    category = signature.options.get("category")
    if trait is None and category is None:
        return None
    before = recorded(row)
    clamps = scanner_rules.clamps_of(signature)
    expected: Facets = {
        **before,
        "schema": scanner_rules.schema_of(signature),
        "options": {**before["options"], "clamps": clamps},
        "told": [one.name for one in signature.parameters if "clamp" in one.says],
        "wire": sorted(_wire_of(signature)),
    }
    if category is not None:
        expected["category"] = category
    if trait is None:
        return Ruling(expected=expected, line="1", why="the category is kept")
    return Ruling(expected=expected, line=trait.line, why=trait.why)


def _wire_of(signature: Signature) -> set[str]:
    given = {key for key in ("version", "outputSchema") if key in signature.options}
    return {"name", "description", "inputSchema"} | given


def _name(row: Row) -> str:
    """Name the tool as the original's was; it shows in a description made of the name."""
    output = row.output if isinstance(row.output, dict) else {}
    return str(output.get("name") or "vector")


def _docstring(row: Row) -> str | None:
    """Return the description to write; none where the original made one of the name."""
    output = row.output if isinstance(row.output, dict) else {}
    described = output.get("description")
    return None if described == _name(row).replace("_", " ").capitalize() else described


def _described(scanned: Tool) -> Facets:
    options = scanned.options
    properties = scanned.input_schema["properties"]
    texts = {name: one.get("description", "") for name, one in properties.items()}
    known = {
        "scopes": list(options.scopes),
        "mutating": options.mutating,
        "requiresConfirmation": options.confirm,
        "timeout": options.timeout,
        "clamps": {name: dict(bounds) for name, bounds in options.clamps.items()},
        "version": options.version,
        "outputSchema": options.output_schema,
    }
    return {
        "name": scanned.name,
        "description": scanned.description,
        "schema": _in_the_originals_form(dict(scanned.input_schema)),
        "options": {name: value for name, value in known.items() if value is not None},
        "category": options.category,
        "told": [name for name, text in texts.items() if _tells(text, options.clamps.get(name))],
    }


def _tells(text: str, bounds: Any) -> bool:
    told = _TOLD.search(text)
    return bool(told and bounds and all(f"{end:g}" in told["ends"] for end in bounds.values()))


def _in_the_originals_form(node: Any) -> Any:
    """Write a schema with `nullable`, without the clamps' words and without empty items."""
    if isinstance(node, list):
        return [_in_the_originals_form(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {key: _in_the_originals_form(inner) for key, inner in node.items()}
    forms = schema.get("anyOf", [])
    others = [form for form in forms if form != {"type": "null"}]
    if len(others) < len(forms):
        del schema["anyOf"]
        core = others[0] if len(others) == 1 else {"anyOf": others}
        schema = {**core, **schema, "nullable": True}
    text = _TOLD.sub("", schema["description"]) if _is_text(schema) else None
    if text == "":
        del schema["description"]
    elif text is not None:
        schema["description"] = text
    if schema.get("items") == {}:
        del schema["items"]
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    return schema


def _is_text(schema: dict[str, Any]) -> bool:
    return isinstance(schema.get("description"), str)


def _wire(summary: dict[str, Any]) -> list[str]:
    return sorted(key for key in _WIRE if key in summary)


def _answer(success: bool, code: Any, error: str | None, received: Any) -> Facets:
    told = (error or "").split("; ")
    missing = [text.removeprefix(_MISSING) for text in told if text.startswith(_MISSING)]
    silent = error is None
    return {
        "success": success,
        "code": code,
        "received": received,
        "missing": missing,
        "silent": silent,
    }


def _cases(received: Any) -> Any:
    """Name the cases of enums without their class."""
    if isinstance(received, list):
        return [_cases(value) for value in received]
    if isinstance(received, dict) and "__enum" in received:
        return {"__enum": re.split(r"::|\.", received["__enum"])[-1]}
    return received
