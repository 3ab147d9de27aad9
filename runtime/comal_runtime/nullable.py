"""Reads `nullable: true`, which OpenAPI 3.0 writes where draft 2020-12 lists the type null."""

from copy import deepcopy
from typing import Any

from .dialect import Node, subschemas


def with_nulls(schema: Node) -> Node:
    """Return the schema with `null` among the types of its nullable parts.

    As OpenAPI has it, the word means nothing where no `type` stands beside it; an `enum` beside
    it takes null as well. A schema without the word is returned itself.

    Source: OpenAPI 3.0.3, Schema Object, `nullable`.
    """
    if not any(_is_nullable(node) for _, node in subschemas(schema)):
        return schema
    made: Node = deepcopy(schema)
    for _, node in list(subschemas(made)):
        if _is_nullable(node):
            node["type"] = _joined(node["type"], "null")
            if isinstance(node.get("enum"), list):
                node["enum"] = _joined(node["enum"], None)
    return made


def _is_nullable(node: Node) -> bool:
    return node.get("nullable") is True and isinstance(node.get("type"), str | list)


def _joined(given: Any, more: object) -> list[Any]:
    listed = given if isinstance(given, list) else [given]
    return listed if more in listed else [*listed, more]
