"""What a rate limiter of a row lets through: an even refill, a fixed window, or nothing."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

LIMIT: Final = 100.0
PER: Final = 60.0  # seconds

Key: TypeAlias = tuple[str, str | None, str]
"""Channel, principal and tool."""

_SLACK: Final = 1e-6


@dataclass(slots=True, kw_only=True)
class Budget:
    """A budget per key. `kind` is what the row says of its limiter, None without one.

    `charges` lists what was let through, or what was asked of one that denies: (key, cost).
    """

    kind: str | bool | None
    evenly: bool
    charges: list[tuple[Key, int]] = field(default_factory=list)
    _spent: dict[Key, tuple[float, float]] = field(default_factory=dict)

    @property
    def denies(self) -> bool:
        """Whether it lets nothing through."""
        return "den" in str(self.kind or "")

    def lets(self, key: Key, cost: int, *, now: float, spends: bool) -> bool:
        """Tell whether a call passes, and charge it if it `spends`."""
        if not self.kind:
            return True
        if self.denies:
            self.charges.append((key, cost))
            return False
        since, spent = self._spent.get(key, (now, 0.0))
        if self.evenly:
            since, spent = now, max(0.0, spent - (now - since) * LIMIT / PER)
        elif now - since >= PER:
            since, spent = now, 0.0
        if spent + cost > LIMIT + _SLACK:
            return False
        if spends:
            self._spent[key] = (since, spent + cost)
            self.charges.append((key, cost))
        return True
