"""How often something may happen: limits, the budgets they give, and where these are kept."""

from .budgets import (
    DEFAULT_LIMIT,
    PROBING_LIMIT,
    UNLIMITED,
    Budgets,
    Charge,
    Limit,
    RateLimiter,
    Shortage,
    Weighed,
)
from .limits import Limits, caller_of, cost_of
from .memory import GcraBudgets, GcraRateLimiter, OneByOne, budgets_of
from .stored import RecordRateLimiter

__all__ = [
    "DEFAULT_LIMIT",
    "PROBING_LIMIT",
    "UNLIMITED",
    "Budgets",
    "Charge",
    "GcraBudgets",
    "GcraRateLimiter",
    "Limit",
    "Limits",
    "OneByOne",
    "RateLimiter",
    "RecordRateLimiter",
    "Shortage",
    "Weighed",
    "budgets_of",
    "caller_of",
    "cost_of",
]
