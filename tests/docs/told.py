"""What the documentation says of stations and endings, beside what the code says of itself."""

from collections.abc import Mapping
from typing import Final

ASKS: Final[Mapping[str, str]] = {
    "resolve": "Is there such a tool, and is the yes for it real?",
    "validate": "Do the arguments fit the schema?",
    "clamp": "Are numbers and texts within their bounds?",
    "authorize": "May this caller use this tool here?",
    "rate_limit": "Is the caller's budget enough?",
    "plan_mode": "Is only the plan wanted?",
    "confirm": "Must anybody say yes first, and have they?",
    "emit_executing": "Does a listener stop it, or answer?",
    "execute": "The tool runs: once, under its time limit.",
    "contain_exception": "What goes wrong in the host is worded.",
    "audit": "One record, whatever ended the call.",
}
"""What each station asks, as the picture says it."""

WHEN: Final[Mapping[str, str]] = {
    "refused_at_resolve": "no tool of this name, a token that is no text, or no caller",
    "probing_limited": "the caller had too many calls refused of late",
    "model_token": "a model sent a token",
    "unknown_token": "nobody was ever given this token",
    "used_token": "the token's question was answered before",
    "expired_token": "the token's time is over",
    "foreign_token": "the token is another caller's, or of another channel or conversation",
    "wrong_tool_token": "the token is for another tool",
    "foreign_consent": "the host's word is for another call",
    "refused_at_validate": "the arguments do not fit, or are too big",
    "refused_at_clamp": "the bounds changed after people were asked, or the schema refuses what "
    "is at them",
    "refused_at_authorize": "principal, scope, rule or channel says no",
    "rules_failed": "the rules cannot be asked, so nobody passes",
    "refused_at_rate_limit": "a budget of the caller is spent",
    "limiter_unavailable": "budgets are out of reach; only calls that read go on",
    "planned": "the context asks for the plan; the plan is the answer",
    "asked_confirmation": "the requester was asked",
    "asked_pending": "other people were asked",
    "answered_before": "this very call of a turn was asked about and answered before",
    "refused_at_confirm": "no such route, the tool or its arguments changed, or the yes does not "
    "hold any more",
    "rule_refused": "the route leaves it to a rule, and the rule says no",
    "too_many_open": "the caller has too many questions open",
    "not_repeated": "it is to be done again, but how it ended is known, or it is asked already",
    "vetoed": "a listener stopped the call",
    "listener_failed": "a listener raised or took too long",
    "short_circuit_refused": "a listener answered where only the tool may",
    "cache_served": "a listener answered in the tool's place",
    "executed": "a tool that changes nothing came back with a success",
    "failed": "a tool that changes nothing came back with a failure, or raised",
    "timed_out": "a tool that changes nothing took too long",
    "act_done": "the change was made",
    "act_failed": "the author says that nothing was done",
    "act_unknown": "whether the change was made is not known",
    "act_done_late": "the change was made after its time had passed",
    "act_settled_not_done": "nothing was done, which was known only after its time had passed",
    "not_as_shown": "after the last listener, it was not what people were shown any more",
    "act_not_claimed": "this act ran or runs already; it does not run again",
    "act_not_started": "the host was too slow to start it in time",
    "act_end_not_stored": "it ran, and the record could not store how it ended",
    "cancelled": "the call was cancelled",
    "host_fault": "the host itself failed, such as its record being out of reach",
}
"""When the audit names each decision; codes and stations come from the code."""

CARRIED: Final[Mapping[str, str]] = {
    "answered_before": "as that ended",
    "failed": "the tool's own",
    "act_failed": "the tool's own",
    "act_settled_not_done": "the tool's own",
    "act_not_claimed": "as that ended",
}
"""Endings that carry a code which somebody else chose."""

TYPES: Final[Mapping[str, object]] = {
    "int": 7,
    "float": 1.5,
    "bool": True,
    "str": "milk",
    "list[str]": ["a", "b"],
    "dict[str, int]": {"a": 1},
    "dict": {"any": ["thing"]},
    "str | None": None,
    "int | str": "7",
    'Literal["low", "high"]': "low",
    "Colour": "blue",
    "Address": {"street": "Calle 5"},
    "date": "2030-02-01",
    "datetime": "2030-02-01T09:30:00Z",
    "UUID": "12345678-1234-5678-1234-567812345678",
    "Decimal": "9.90",
}
"""The annotations that the table of types shows, as they are written, and what a call sends."""
