"""What is found wrong with a tool."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is: an error keeps the tool from working as declared."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to mend.

    `tool` is empty where all tools together are meant; `pointer` (RFC 6901) leads into the tool's
    summary, such as `/inputSchema/properties/id`, or to an option, such as `/approval`.
    """

    severity: Severity
    rule: str
    tool: str
    pointer: str
    what: str
    mend: str

    def to_dict(self) -> dict[str, str]:
        """Return the finding as JSON-shaped data."""
        return {name: str(getattr(self, name)) for name in self.__slots__}
