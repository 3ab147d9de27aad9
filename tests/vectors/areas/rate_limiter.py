"""Rate limits and confirm tokens over a scripted clock.

Facets: `allowed`, one entry for each step that spends: true, false, or "refused" for a cost or a
limit that makes no sense; for the token store `results`, one entry for each step.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from comal_runtime.rate_limit import GcraRateLimiter
from tests.vectors.areas import token_store
from tests.vectors.areas.area import Comparison, Facets, Ruling
from tests.vectors.areas.frozen_clock import FROZEN
from tests.vectors.rows import Row

_SPENDS: Final = "consume"
_REFUSED: Final = "refused"
_KEPT: Final = 300  # seconds after which the original's `cleanup` forgets a key
_DEFAULTS: Final[tuple[Any, ...]] = (None, 1, 60, 100)
"""Of `consume(key, cost, windowSeconds, maxTokens)`."""


def fits(given: dict[str, Any]) -> bool:
    """Tell whether a row is a sequence of steps on one limiter or token store."""
    return given.keys() == {"op", "ops"} and "sequence on one" in str(given["op"])


async def found(row: Row) -> Facets:
    """Carry the steps out, one after another."""
    if _is_store(row):
        return {"results": await token_store.carried_out(row.input["ops"])}
    limiters = _Limiters()
    return {"allowed": [limiters.carry_out(step) for step in _spending(row.input["ops"])]}


def recorded(row: Row) -> Facets:
    """Read who was let through, or what the store said."""
    results = row.output["results"]
    if _is_store(row):
        return {"results": token_store.recorded(row.input["ops"], results)}
    steps = zip(row.input["ops"], results, strict=True)
    return {"allowed": [said["allowed"] for step, said in steps if step["op"] == _SPENDS]}


def ruled(row: Row) -> Ruling | None:
    """Say whom an evenly refilled budget lets through, where a fixed window lets others."""
    if _is_store(row):
        return token_store.ruled(row.input["ops"], row.output["results"])
    budget, before = _Budget(), recorded(row)["allowed"]
    allowed = [budget.carry_out(step) for step in _spending(row.input["ops"])]
    if allowed == before or before != _in_fixed_windows(row.input["ops"]):
        return None
    why = "a budget refills evenly, without a window's edge; nothing is refunded"
    return Ruling(expected={"allowed": allowed}, line="20", why=why)


COMPARISON: Final = Comparison(found=found, recorded=recorded, ruled=ruled)


def _is_store(row: Row) -> bool:
    return "ConfirmationTokenStore" in row.input["op"]


def _completed(args: list[Any]) -> tuple[str, int, int, int]:
    key, cost, per, limit = [*args, *_DEFAULTS[len(args) :]]
    return key, cost, per, limit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One request for `cost` of a budget; `times_reset` tells a key's lives apart."""

    key: str
    cost: int
    per: int
    limit: int
    at: int
    times_reset: int


def _spending(steps: list[dict[str, Any]]) -> list[_Step]:
    """Return the steps that spend; a key that is reset begins a new life."""
    resets: dict[str, int] = {}
    found: list[_Step] = []
    for step in steps:
        args: list[Any] = step.get("args", [])
        if step["op"] == "reset":
            resets[args[0]] = resets.get(args[0], 0) + 1
        elif step["op"] == _SPENDS:
            key, cost, per, limit = _completed(args)
            life = resets.get(key, 0)
            found.append(
                _Step(key=key, cost=cost, per=per, limit=limit, at=step["at_s"], times_reset=life)
            )
    return found


@dataclass(slots=True)
class _Limiters:
    """Ours: one limiter for each limit."""

    made: dict[tuple[int, int], GcraRateLimiter] = field(default_factory=dict)

    def carry_out(self, step: _Step) -> object:
        budget = (step.limit, step.per)
        try:
            limiter = self.made.setdefault(budget, GcraRateLimiter(*budget))
            key = f"{step.key}/{step.times_reset}"
            return limiter.take(key, step.cost, now=FROZEN + step.at) == 0
        except ValueError:
            return _REFUSED


@dataclass(slots=True)
class _Budget:
    """The same said otherwise: a vessel of `limit` that runs empty evenly over `per` seconds."""

    levels: dict[tuple[object, ...], tuple[Fraction, int]] = field(default_factory=dict)

    def carry_out(self, step: _Step) -> object:
        if step.cost < 0 or step.per <= 0 or step.limit < 0:
            return _REFUSED
        name = (step.key, step.per, step.limit, step.times_reset)
        level, at = self.levels.get(name, (Fraction(0), step.at))
        now = max(at, step.at)
        level = max(Fraction(0), level - Fraction(step.limit * (now - at), step.per))
        fits_in = level + step.cost <= step.limit
        if fits_in:
            self.levels[name] = (level + step.cost, now)
        return fits_in


def _in_fixed_windows(steps: list[dict[str, Any]]) -> list[object]:
    """Return whom the original lets through: it counts from a key's first step on."""
    buckets: dict[str, tuple[int, int]] = {}
    allowed: list[object] = []
    for step in steps:
        args, now = step.get("args", []), step["at_s"]
        if step["op"] == "reset":
            buckets.pop(args[0], None)
        elif step["op"] == "cleanup":
            oldest = now - (args[0] if args else _KEPT)
            buckets = {key: one for key, one in buckets.items() if one[1] >= oldest}
        elif step["op"] == _SPENDS:
            key, cost, per, limit = _completed(args)
            spent, since = buckets.get(key, (0, now))
            if now - since >= per:
                spent, since = 0, now
            allowed.append(spent + cost <= limit)
            buckets[key] = (spent + cost if allowed[-1] else spent, since)
    return allowed
