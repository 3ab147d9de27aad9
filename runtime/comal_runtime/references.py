"""References of a schema: each leads somewhere within it, and none of them back to itself."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from .dialect import Node, subschemas

Place = tuple[str | int, ...]

_REFS: Final = ("$ref", "$dynamicRef")
_ANCHORS: Final = ("$anchor", "$dynamicAnchor")
_LISTS: Final = ("allOf", "anyOf", "oneOf")
_ONES: Final = ("not", "if", "then", "else")


def bad_reference(schema: Node) -> tuple[Place, str] | None:
    """Return the place and the reason of the first reference that cannot be used."""
    nodes = list(subschemas(schema))
    anchors = {name: node for _, node in nodes for name in _anchors(node)}
    for path, node in nodes:
        if path and isinstance(node.get("$id"), str):
            return (*path, "$id"), "an $id inside a schema gives its references another root"
        for key in _REFS:
            reason = _fault(schema, node.get(key), anchors)
            if reason:
                return (*path, key), reason
    if _returns(schema, nodes, anchors):
        return (), "a $ref leads back to itself and never ends"
    return None


def _anchors(node: Node) -> Iterator[str]:
    return (node[key] for key in _ANCHORS if isinstance(node.get(key), str))


def _fault(schema: Node, ref: object, anchors: dict[str, Node]) -> str:
    """Say why a reference cannot be followed; the empty text if it can, or is none."""
    if not isinstance(ref, str):
        return ""
    if not ref.startswith("#"):
        return f"{ref!r} leads out of the schema; copy its target under $defs"
    return (
        "" if isinstance(_target(schema, ref, anchors), dict | bool) else f"{ref!r} leads nowhere"
    )


def _target(schema: Node, ref: str, anchors: dict[str, Node]) -> Any:
    """Return what a reference leads to; None if that is nothing."""
    fragment = unquote(ref[1:])
    if not fragment.startswith("/"):
        return schema if not fragment else anchors.get(fragment)
    node: Any = schema
    for step in fragment.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return None
    return node


def _returns(schema: Node, nodes: list[tuple[Place, Node]], anchors: dict[str, Node]) -> bool:
    """Tell whether some schema asks about a value what it has just been asked about it."""
    ended: set[int] = set()
    for _, root in nodes:
        ways = [(id(root), _same_value(root, schema, anchors))]
        while ways:
            at, others = ways[-1]
            node = next(others, None)
            if node is None:
                ended.add(at)
                ways.pop()
            elif any(id(node) == above for above, _ in ways):
                return True
            elif id(node) not in ended:
                ways.append((id(node), _same_value(node, schema, anchors)))
    return False


def _same_value(node: Node, schema: Node, anchors: dict[str, Node]) -> Iterator[Node]:
    """Yield the schemas that `node` holds the same value against."""
    dependent = node.get("dependentSchemas")
    near: list[Any] = [_target(schema, node[key], anchors) for key in _REFS if key in node]
    near += [item for key in _LISTS for item in node.get(key) or ()]
    near += [node.get(key) for key in _ONES]
    near += dependent.values() if isinstance(dependent, dict) else ()
    return (item for item in near if isinstance(item, dict))
