"""What providers refuse in a tool's name, description or schema."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from comal_runtime.dialect import subschemas
from comal_runtime.faults import pointer
from comal_runtime.tools import Tool

from .finding import Finding, Severity
from .yardstick import Provider

Path = tuple[str | int, ...]
Node = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one provider takes; None where it has no limit of that kind."""

    provider: Provider
    name: re.Pattern[str]
    property_name: re.Pattern[str] | None = None
    description: int | None = None  # characters
    plain_root: bool = False  # no anyOf, oneOf, allOf, enum or not beside the root's properties
    needs_items: bool = False
    subset: bool = False  # reads a subset of JSON Schema only
    nesting: int | None = None  # levels of objects and arrays, in strict mode
    enum: int | None = None  # values of a whole schema, in strict mode


LIMITS: Final = (
    Limits(
        provider=Provider.OPENAI,
        # Source: platform.openai.com/docs/api-reference/chat/create, tools[].function.name.
        name=re.compile(r"[a-zA-Z0-9_-]{1,64}"),
        # Source: its answer 400 string_above_max_length for tools[].function.description.
        description=1_024,
        # Source: its answers 400 "schema must have type 'object' and not have 'oneOf'/'anyOf'/
        # 'allOf'/'enum'/'not' at the top level" and "array schema missing items".
        plain_root=True,
        needs_items=True,
        # Source: developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas".
        nesting=10,
        enum=1_000,
    ),
    Limits(
        provider=Provider.ANTHROPIC,
        # Source: its answer 400 "tools.N.custom.name: String should match pattern".
        name=re.compile(r"[a-zA-Z0-9_-]{1,128}"),
        # Source: platform.claude.com/docs, "Self-hosted sandboxes", and its answer 400 "Property
        # keys should match pattern".
        property_name=re.compile(r"[a-zA-Z0-9_.-]{1,64}"),
        # Source: its answer 400 "input_schema does not support oneOf, allOf, or anyOf at the top
        # level".
        plain_root=True,
    ),
    Limits(
        provider=Provider.GEMINI,
        # Source: cloud.google.com/vertex-ai, FunctionDeclaration, name and parameters.
        name=re.compile(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}"),
        property_name=re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"),
        needs_items=True,
        subset=True,
    ),
)

MOST_TOOLS: Final[Mapping[Provider, int]] = {
    Provider.OPENAI: 128,  # Source: its answer 400 array_above_max_length for tools.
}
_COMPOSED: Final = ("anyOf", "oneOf", "allOf", "enum", "not")
_FORMATS: Final = frozenset({"enum", "date-time", "float", "double", "int32", "int64"})
"""Source: Gemini's answer 400 "only 'enum' and 'date-time' are supported for STRING type"."""

_UNREAD: Final = (
    *("$ref", "const", "not", "if", "allOf", "oneOf", "patternProperties", "prefixItems"),
    *("additionalProperties", "propertyNames", "uniqueItems", "exclusiveMinimum"),
    *("exclusiveMaximum", "multipleOf", "contains", "dependentSchemas"),
)
"""Keywords that Gemini's Schema lacks. Source: ai.google.dev/api/caching#Schema."""


def refused(tool: Tool, chosen: Provider | None) -> Iterator[Finding]:
    """Find what a provider refuses: an error for the one in use, and for others a warning.

    What only a subset of JSON Schema lacks is a note: the same provider reads it whole elsewhere.
    """
    if tool.input_schema.get("type", "object") != "object":
        yield Finding(
            severity=Severity.ERROR,
            rule="schema-root",
            tool=tool.name,
            pointer="/inputSchema/type",
            what=f"its schema is of type {tool.input_schema['type']!r}, so no call can fit it",
            mend='give it {"type": "object", "properties": {...}}',
        )
    for limits in LIMITS:
        found = _Found(tool, limits, chosen)
        for check in (_names, _root, _nodes, _strict):
            yield from check(found)


@dataclass(frozen=True, slots=True)
class _Found:
    """Words what one provider refuses in one tool."""

    tool: Tool
    limits: Limits
    chosen: Provider | None

    def __call__(self, rule: str, where: str, what: str, mend: str) -> Finding:
        provider = self.limits.provider
        severity = Severity.ERROR if provider is self.chosen else Severity.WARNING
        return self.of(severity, rule, where, f"{provider} refuses {what}", mend)

    def of(self, severity: Severity, rule: str, where: str, what: str, mend: str) -> Finding:
        return Finding(
            severity=severity,
            rule=f"{self.limits.provider.lower()}-{rule}",
            tool=self.tool.name,
            pointer=where,
            what=what,
            mend=mend,
        )


def _names(found: _Found) -> Iterator[Finding]:
    tool, limits = found.tool, found.limits
    if not limits.name.fullmatch(tool.name):
        takes = f"it takes {limits.name.pattern}"
        yield found("name", "/name", f"the name {tool.name!r}; {takes}", "@tool('another_name')")
    most = limits.description
    if most is not None and len(tool.description) > most:
        what = f"a description of {len(tool.description)} characters; it takes {most}"
        yield found("description", "/description", what, "say less, or say it of the arguments")


def _root(found: _Found) -> Iterator[Finding]:
    if not found.limits.plain_root:
        return
    for key in _COMPOSED:
        if key in found.tool.input_schema:
            mend = "say in the description what goes together, and check it in the tool"
            yield found("root", f"/inputSchema/{key}", f"{key} at the top of a schema", mend)


def _nodes(found: _Found) -> Iterator[Finding]:
    checks: tuple[Callable[[_Found, str, Node], Iterator[Finding]], ...] = (_property_names, _items)
    for path, node in subschemas(found.tool.input_schema):
        where = f"/inputSchema{pointer(path)}"
        for check in checks:
            yield from check(found, where, node)
        if found.limits.subset:
            yield from _subset(found, where, node)


def _property_names(found: _Found, where: str, node: Node) -> Iterator[Finding]:
    pattern = found.limits.property_name
    for name in node.get("properties", ()) if pattern is not None else ():
        if pattern is not None and not pattern.fullmatch(name):
            what = f"the argument name {name!r}; it takes {pattern.pattern}"
            place = f"{where}/properties{pointer((name,))}"
            yield found("property", place, what, "give the argument a name of plain letters")


def _items(found: _Found, where: str, node: Node) -> Iterator[Finding]:
    if found.limits.needs_items and node.get("type") == "array" and "items" not in node:
        yield found("items", where, "an array without items", "say what is in it: list[str]")


def _subset(found: _Found, where: str, node: Node) -> Iterator[Finding]:
    lacking: list[str] = [key for key in _UNREAD if key in node]
    if node.get("format") not in (None, *_FORMATS):
        lacking.append(f"format {node['format']}")
    if isinstance(node.get("type"), list):
        lacking.append("a list of types")
    if lacking:
        what = f"{found.limits.provider}'s Schema lacks {', '.join(lacking)}"
        mend = "nothing, where it is sent as parametersJsonSchema; else use a plainer type"
        yield found.of(Severity.NOTE, "subset", where, what, mend)


def _strict(found: _Found) -> Iterator[Finding]:
    deepest, values = 0, 0
    for path, node in subschemas(found.tool.input_schema):
        deepest = max(deepest, sum(step in ("properties", "items") for step in path))
        values += len(node.get("enum", ()))
    most, levels = found.limits.enum, found.limits.nesting
    provider = found.limits.provider
    if most is not None and values > most:
        what = f"{provider} takes {most} enum values in strict mode, and it has {values}"
        mend = "take a text, and name the choices in an answer of the tool"
        yield found.of(Severity.WARNING, "enum", "/inputSchema", what, mend)
    if levels is not None and deepest > levels:
        what = f"{provider} takes {levels} levels in strict mode, and it nests {deepest}"
        yield found.of(Severity.WARNING, "nesting", "/inputSchema", what, "flatten the arguments")
