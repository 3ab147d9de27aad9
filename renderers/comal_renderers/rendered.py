"""What a speller makes: message bodies without an address."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Message bodies in sending order, JSON-shaped; none where there is nothing to show."""

    parts: tuple[Mapping[str, Any], ...]

    @property
    def whole(self) -> bool:
        """Whether everything stands in one message."""
        return len(self.parts) == 1
