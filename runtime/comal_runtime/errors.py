"""What can go wrong while tools are declared, and how an author says that one failed.

ComalError
├── BadDeclaration               a decorator, parameter or option says something impossible
├── BadToolSchema                a tool's JSON Schema cannot be used
├── ToolAlreadyRegisteredError   two tools with one name
└── ToolError                    raised by authors inside a tool; shown as written
"""

from types import UnionType

from .result import ErrorCode


class ComalError(Exception):
    """The root of the runtime's own errors."""


class BadDeclaration(ComalError):
    """A decorator, parameter or option says something impossible."""


def check_kind(what: str, given: object, kind: type | UnionType) -> None:
    """Refuse a part of the wiring that is none of its kind, where it is given and not at a call.

    Raises:
        BadDeclaration: `given` is no instance of `kind`.
    """
    if not isinstance(given, kind):
        wanted = getattr(kind, "__name__", str(kind)).rpartition(".")[2]
        shown = f" {given!r:.60}" if isinstance(given, str | int | float) else ""
        raise BadDeclaration(f"{what} must be a {wanted}, not {type(given).__name__}{shown}")


class BadToolSchema(ComalError):
    """A tool's schema cannot be used; `pointer` (RFC 6901) says where in it."""

    def __init__(self, tool: str, pointer: str, reason: str) -> None:
        super().__init__(f"schema of tool {tool!r}, at {pointer or 'its root'}: {reason}")
        self.tool = tool
        self.pointer = pointer
        self.reason = reason


class ToolAlreadyRegisteredError(ComalError):
    """A tool of this name exists already."""

    def __init__(self, name: str) -> None:
        super().__init__(f"tool {name!r} is registered already; give one of the two another name")
        self.name = name


class ToolError(ComalError):
    """A tool's author says that nothing was done and why; people and models read it as written.

    `data` goes with the result, JSON-shaped; it is shown like the data of a success.
    """

    def __init__(
        self,
        message: str,
        code: ErrorCode | str | None = None,
        data: object = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.data = data
