"""The clock of the vectors: it stands where a step puts it, and may go back."""

from typing import Final

FROZEN: Final = 1_700_000_000.0
"""Epoch seconds at which every vector begins."""


class StepClock:
    """Both clocks of `Clock`; `at` seconds after the beginning."""

    def __init__(self) -> None:
        self.at = 0.0

    def now(self) -> float:
        """Return epoch seconds."""
        return FROZEN + self.at

    def boot(self) -> float:
        """Return seconds since the machine started."""
        return FROZEN + self.at

    def boot_id(self) -> str:
        """Return the one start there is."""
        return "vectors"
