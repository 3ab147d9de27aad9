"""Whether a model can understand a tool: what it does, and what each argument means."""

from collections.abc import Iterator

from comal_runtime.dialect import subschemas
from comal_runtime.faults import pointer
from comal_runtime.tools import Tool

from .finding import Finding, Severity


def undescribed(tool: Tool) -> Iterator[Finding]:
    """Find what has no description: the tool, its arguments, and the fields inside them."""
    if tool.description.strip().casefold() in ("", tool.name.replace("_", " ").casefold()):
        yield Finding(
            severity=Severity.WARNING,
            rule="description-missing",
            tool=tool.name,
            pointer="/description",
            what="it has no description, so a model has only its name to choose by",
            mend="write a docstring, or @tool(description=...)",
        )
    for path, node in subschemas(tool.input_schema):
        for name, shape in _properties(node).items():
            if not _says_something(shape):
                yield _bare(tool, (*path, "properties", name))


def _properties(node: dict[str, object]) -> dict[str, object]:
    properties = node.get("properties")
    return properties if isinstance(properties, dict) else {}


def _says_something(shape: object) -> bool:
    if not isinstance(shape, dict):
        return True
    text = shape.get("description", shape.get("title", ""))
    return bool(str(text).strip()) or any(
        isinstance(form, dict) and form.get("description") for form in shape.get("anyOf", ())
    )


def _bare(tool: Tool, path: tuple[str | int, ...]) -> Finding:
    inner = len(path) > 2
    return Finding(
        severity=Severity.NOTE if inner else Severity.WARNING,
        rule="parameter-undescribed",
        tool=tool.name,
        pointer=f"/inputSchema{pointer(path)}",
        what=f"{path[-1]!r} has no description, so a model guesses what it means",
        mend="describe the field in its type"
        if inner
        else "add it to the docstring's Args, or write Annotated[..., Param('...')]",
    )
