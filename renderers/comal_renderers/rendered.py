"""What a speller makes: message bodies without an address."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Message bodies in sending order; none where there is nothing to show.

    `parts` are JSON-shaped, as the channel's API takes them; `cut` counts the characters that the
    channel's limits left out.
    """

    parts: tuple[Mapping[str, Any], ...]
    cut: int = 0

    @property
    def whole(self) -> bool:
        """Whether everything stands in one message."""
        return len(self.parts) == 1 and not self.cut
