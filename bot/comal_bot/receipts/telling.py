"""Telling: an account as lines that a person reads, hidden characters made visible."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from comal_renderers.terminal import shown
from comal_renderers.visible import visible

Line = tuple[int, str]
"""How far a line is set in, and what it says."""

_IN = 2


def lines(account: Mapping[str, Any]) -> Iterator[Line]:
    """Yield what an account tells: what was asked, shown, said and done."""
    asked, decided = account["asked"], account["decided"]
    yield 0, f"asked: {visible(asked['summary'])}"
    yield (
        _IN,
        f"by {visible(account['requester'])} ({asked['principal']}), {_time(asked['created_at'])}",
    )
    if asked["tool"] is not None:
        yield _IN, f"arguments: {visible(asked['args'])}"
        yield _IN, f"digest of the arguments: {asked['args_digest']}"
    if asked["preview"] is not None:
        yield _IN, f"foretold: {visible(asked['preview'])}"
    for card in account["cards"]:
        yield from _card(card)
    for vote in account["votes"]:
        yield from _vote(vote)
    by = f" by {decided['by']}" if decided["by"] else ""
    why = f": {visible(decided['reason'])}" if decided["reason"] else ""
    yield 0, f"{decided['state']}{by}, {_time(decided['at'])}{why}"
    if account["act"] is not None:
        yield from _act(account["act"])


def _card(card: Mapping[str, Any]) -> Iterator[Line]:
    thread = f":{card['thread']}" if card["thread"] else ""
    how = "edited to" if card["edited"] else "sent"
    when = _time(card["acknowledgedAt"]) if card["acknowledgedAt"] else "never acknowledged"
    where = f"{card['channel']}:{card['chat']}{thread}"
    yield 0, f"card for the {card['role']} in {where}, {how} {when}:"
    for line in card["text"].splitlines():
        yield _IN, shown(line)  # what is hidden in a value was made visible when it was sent
    if card["buttons"]:
        yield _IN, " ".join(f"[{visible(one)}]" for one in card["buttons"])


def _vote(vote: Mapping[str, Any]) -> Iterator[Line]:
    name = f"{visible(vote['name'])} " if vote["name"] else ""
    loud = "BREAK-GLASS " if vote["breakGlass"] else ""
    why = f": {visible(vote['reason'])}" if vote["reason"] else ""
    yield 0, f"{loud}{vote['choice']} of {name}({vote['identity']}), {_time(vote['at'])}{why}"


def _act(act: Mapping[str, Any]) -> Iterator[Line]:
    why = f": {visible(act['reason'])}" if act["reason"] else ""
    ended = f", ended {_time(act['endedAt'])}" if act["endedAt"] else ""
    yield 0, f"act {act['state']}, attempt {act['attempt']}{ended}{why}"
    if act["resultDigest"] is not None:
        yield _IN, f"digest of the result: {act['resultDigest']}"


def _time(at: float | None) -> str:
    if at is None:
        return "(no time)"
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return f"(no time: {at})"
