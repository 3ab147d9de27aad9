"""What Python types look like in JSON Schema: pydantic's output, trimmed for tools."""

import sys
import typing
from types import UnionType
from typing import Any, get_args, get_origin

import typing_extensions
from pydantic import PydanticUserError, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from .errors import BadDeclaration

_REF = "#/$defs/"

Node = dict[str, Any]


class SchemaMaker(GenerateJsonSchema):
    """Pydantic's schemas without titles, which only repeat names, and with exact decimals."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Leave out what has no JSON form, such as a default, without a word."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def decimal_schema(self, schema: Any) -> Node:
        return {"type": "string", "format": "decimal"}

    def literal_schema(self, schema: Any) -> Node:
        return _listed(super().literal_schema(schema))

    def enum_schema(self, schema: Any) -> Node:
        return _listed(super().enum_schema(schema))

    def tagged_union_schema(self, schema: Any) -> Node:
        made = super().tagged_union_schema(schema)
        made.pop("discriminator", None)  # its references would lead nowhere, and no model reads it
        return {"anyOf" if key == "oneOf" else key: value for key, value in made.items()}

    def is_subclass_schema(self, schema: Any) -> Node:
        return self.handle_invalid_for_json_schema(schema, "a class")

    def dict_schema(self, schema: Any) -> Node:
        made = super().dict_schema(schema)
        if made.get("additionalProperties") is True:
            del made["additionalProperties"]
        return made

    def model_schema(self, schema: Any) -> Node:
        return _closed(_untitled(super().model_schema(schema)))

    def dataclass_schema(self, schema: Any) -> Node:
        return _closed(_untitled(super().dataclass_schema(schema)))

    def typed_dict_schema(self, schema: Any) -> Node:
        return _closed(_untitled(super().typed_dict_schema(schema)))


def json_form(name: str, hint: Any) -> tuple[TypeAdapter[Any], Node]:
    """Return the converter and the schema of a type; only recursive parts stay under `$defs`.

    Raises:
        BadDeclaration: The type, of the parameter called `name`, has no JSON form.
    """
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(_modern(hint))
        made = adapter.json_schema(schema_generator=SchemaMaker)
    except (PydanticUserError, NameError) as error:
        reason = str(error).split("\n", 1)[0]
        raise BadDeclaration(f"parameter {name!r} has no JSON form: {reason}") from error
    definitions = made.pop("$defs", {})
    for definition in (made, *definitions.values()):
        if "enum" in definition:
            _untitled(definition)
    recursive = {key for key in definitions if key in _reached(definitions[key], definitions)}
    schema = _inlined(made, definitions, recursive)
    needed = _reached(schema, definitions) & recursive
    if needed:
        kept = {key: _inlined(definitions[key], definitions, recursive) for key in sorted(needed)}
        schema["$defs"] = kept
    return adapter, schema


def _listed(made: Node) -> Node:
    """Spell a single value as a list of one: more providers know `enum` than `const`."""
    if "const" in made:
        made["enum"] = [made.pop("const")]
    return made


def _closed(made: Node) -> Node:
    """Refuse fields that the type would drop without a word, unless it says what becomes of them.

    What people are shown is what came, so what came must be what runs.
    """
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def _untitled(made: Node) -> Node:
    made.pop("title", None)
    return made


def _target(node: Node) -> str | None:
    ref = node.get("$ref")
    return ref[len(_REF) :] if isinstance(ref, str) and ref.startswith(_REF) else None


def _reached(node: Any, definitions: Node) -> set[str]:
    """Return the names of all definitions that `node` leads to, over any number of steps."""
    reached: set[str] = set()
    open_nodes = [node]
    while open_nodes:
        current = open_nodes.pop()
        if isinstance(current, list):
            open_nodes.extend(current)
        elif isinstance(current, dict):
            open_nodes.extend(current.values())
            target = _target(current)
            if target is not None and target not in reached:
                reached.add(target)
                open_nodes.append(definitions[target])
    return reached


def _inlined(node: Any, definitions: Node, kept: set[str]) -> Any:
    if isinstance(node, list):
        return [_inlined(item, definitions, kept) for item in node]
    if not isinstance(node, dict):
        return node
    target = _target(node)
    if target is None or target in kept:
        return {key: _inlined(item, definitions, kept) for key, item in node.items()}
    beside = {key: item for key, item in node.items() if key != "$ref"}
    return {
        **_inlined(definitions[target], definitions, kept),
        **_inlined(beside, definitions, kept),
    }


def _modern(hint: Any) -> Any:
    """Rebuild `typing.TypedDict`s inside a type as pydantic wants them before Python 3.12."""
    if sys.version_info >= (3, 12):
        return hint
    if typing.is_typeddict(hint) and type(hint).__module__ == "typing":
        fields = typing_extensions.get_type_hints(hint, include_extras=True)
        marked = {
            key: _marked(_modern(value), key in hint.__required_keys__)
            for key, value in fields.items()
        }
        make: Any = typing_extensions.TypedDict
        return make(hint.__name__, marked)
    if isinstance(hint, typing.NewType):
        inner = _modern(hint.__supertype__)
        return hint if inner is hint.__supertype__ else inner
    arguments = get_args(hint)
    rebuilt = tuple(_modern(item) for item in arguments)
    if all(new is old for new, old in zip(rebuilt, arguments, strict=True)):
        return hint
    origin = get_origin(hint)
    if origin is typing.Annotated:
        return typing.Annotated[(rebuilt[0], *hint.__metadata__)]
    if hasattr(hint, "copy_with"):
        return hint.copy_with(rebuilt)
    return (
        typing.Union[rebuilt] if origin in (typing.Union, UnionType) else origin[rebuilt]  # noqa: UP007  built at run time
    )


def _marked(hint: Any, required: bool) -> Any:
    if get_origin(hint) in (typing.Required, typing.NotRequired):
        return hint
    return typing.Required[hint] if required else typing.NotRequired[hint]
