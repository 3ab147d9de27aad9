"""Writes docs/images/law.svg and the tables of docs/law.md: `python -m tests.docs.draw_law`."""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from comal_bot.settings import Settings
from comal_runtime.policy import ChannelPolicy, PolicyGate
from comal_runtime.rate_limit import DEFAULT_LIMIT, PROBING_LIMIT, UNLIMITED, Limit
from comal_runtime.stations.paths import ANYWHERE, PATHS
from tests.support.drawing import filled, table

from .law_picture import picture
from .told import CARRIED, WHEN
from .walking import Ending, at_stations, codes

DOCS: Final = Path(__file__).parents[2] / "docs"
DOCUMENT: Final = DOCS / "law.md"
PICTURE: Final = DOCS / "images" / "law.svg"
_UNKNOWN: Final = "any other"

Codes = Mapping[Ending, Sequence[str | None]]


def drawn(document: str, found: Codes) -> str:
    """Return the document with its tables written anew."""
    endings = {station: _endings(paths, station, found) for station, paths in PATHS.items()}
    blocks = {
        **{station: lines for station, lines in endings.items() if PATHS[station]},
        "anywhere": _endings(ANYWHERE, None, found),
        "policies": _policies(),
        "limits": _limits(),
    }
    return filled(document, blocks)


def _endings(decisions: Sequence[str], station: str | None, found: Codes) -> list[str]:
    """Return the table of a station's endings, or without one of those that are anywhere."""
    rows = []
    for decision in decisions:
        carried = [
            code
            for (place, name), carried in found.items()
            if name == decision and station in (place, None)
            for code in carried
        ]
        rows.append((f"`{decision}`", _told_codes(decision, carried), WHEN[decision]))
    return table(("audit", "code", "when"), rows)


def _told_codes(decision: str, carried: Sequence[str | None]) -> str:
    """Return the codes of an ending as a cell of its table."""
    named = [f"`{code}`" for code in dict.fromkeys(carried) if code is not None]
    if decision in CARRIED:
        named.append(CARRIED[decision])
    return ", ".join(named) or "none"


def _policies() -> list[str]:
    library, host = PolicyGate(), Settings().policy.gate()
    rows = []
    for channel in [*(name for name, _ in Settings().policy), _UNKNOWN]:
        policies = library.channel_policy(channel), host.channel_policy(channel)
        for who, policy in zip(("library", "host"), policies, strict=True):
            rows.append(
                (f"`{channel}`" if channel != _UNKNOWN else channel, who, *_of_channel(policy))
            )
    names = [f"`{one.name}`" for one in fields(ChannelPolicy)]
    return table(("channel", "as", *names), _merged(rows))


def _of_channel(policy: ChannelPolicy) -> Iterator[str]:
    for one in fields(policy):
        value = getattr(policy, one.name)
        yield f"{value:g} s" if one.name == "confirmation_ttl" else ("yes" if value else "")


def _merged(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Return one row for a channel that the host leaves as it is."""
    for library, host in zip(rows[::2], rows[1::2], strict=True):
        if library[2:] == host[2:]:
            yield (library[0], "both", *library[2:])
        else:
            yield from (library, host)


def _limits() -> list[str]:
    rows = [
        ("`default`", _limit(DEFAULT_LIMIT), "one caller's calls of one tool on one channel"),
        ("`channels.NAME`", "", "the same, on that channel; goes before `default`"),
        ("`tools.PATTERN`", "", "the same, for tools whose names fit; goes before the channel's"),
        ("`principal`", _limit(UNLIMITED), "all of one caller's calls together, on top of those"),
        ("`probing`", _limit(PROBING_LIMIT), "one caller's refused calls; it cannot be off"),
    ]
    return table(("in `[limits]`", "unless set", "what it holds"), rows)


def _limit(limit: Limit) -> str:
    return '`"off"`' if limit.endless else f'`"{limit.amount:g}/{limit.per:g}s"`'


def main() -> int:
    """Write the picture and the tables; return the exit status."""
    found = asyncio.run(codes())
    PICTURE.write_text(picture(at_stations(found)), "utf-8")
    DOCUMENT.write_text(drawn(DOCUMENT.read_text("utf-8"), found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
