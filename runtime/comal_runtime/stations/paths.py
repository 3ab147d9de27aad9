"""Every way a call can end, station by station, as the audit names it.

What inspection says of the audit's coverage is read from here, and a test walks each of them: a
station that is added without its paths, or a decision that is named nowhere here, fails it.
"""

from collections.abc import Mapping
from typing import Final

from ..consent.confirmation import TokenFault
from ..policy import RULES_FAILED
from ..record import ActState

ANYWHERE: Final = ("cancelled", "host_fault")
"""What can end a call at every station."""

PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "resolve": (
        "refused_at_resolve",
        "probing_limited",
        "model_token",
        *TokenFault,
        "foreign_consent",
    ),
    "validate": ("refused_at_validate",),
    "clamp": ("refused_at_clamp",),
    "authorize": ("refused_at_authorize", RULES_FAILED),
    "rate_limit": ("refused_at_rate_limit", "limiter_unavailable"),
    "plan_mode": ("planned",),
    "confirm": (
        "asked_confirmation",
        "asked_pending",
        "answered_before",
        "refused_at_confirm",
        "rule_refused",
        "too_many_open",
        "not_repeated",
        "foreign_consent",
    ),
    "emit_executing": ("vetoed", "listener_failed", "short_circuit_refused", "cache_served"),
    "execute": (
        "executed",
        "failed",
        "timed_out",
        f"act_{ActState.DONE}",
        f"act_{ActState.FAILED}",
        f"act_{ActState.UNKNOWN}",
        f"act_{ActState.DONE_LATE}",
        f"act_{ActState.SETTLED_NOT_DONE}",
        "not_as_shown",
        "act_not_claimed",
        "act_not_started",
        "act_end_not_stored",
    ),
    "contain_exception": (),
    "audit": (),
}


def coverage() -> str:
    """Say what the audit covers."""
    told = [f"{station}: {', '.join(paths)}" for station, paths in PATHS.items() if paths]
    return f"one record whatever ends the call; {'; '.join(told)}; anywhere: {', '.join(ANYWHERE)}"
