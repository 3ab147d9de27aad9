"""`[limits]`: how much one caller may do."""

import re
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field

from comal_runtime.rate_limit import DEFAULT_LIMIT, PROBING_LIMIT, UNLIMITED, Limit, Limits

from .fields import Text
from .section import Section
from .wording import seconds, wrong

OFF: Final = "off"
_LIMIT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*(\S.*)")
_ALLOWED: Final = "allowed: an amount and a time such as '100/60s' or '20/1h'"


def _limit(value: object) -> Limit:
    if isinstance(value, Limit):
        return value
    if value == OFF:
        return UNLIMITED
    match = _LIMIT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise wrong(f"is {value!r}; {_ALLOWED}, or {OFF!r}")
    return Limit(amount=float(match[1]), per=seconds(match[2]))


def _some(limit: Limit) -> Limit:
    if limit.endless:
        raise wrong(f"is {OFF!r}, so that names and tokens could be guessed for ever; {_ALLOWED}")
    return limit


Rate = Annotated[Limit, BeforeValidator(_limit)]
"""Written as `"100/60s"`; `"off"` is no limit."""


class ChannelLimitsSettings(Section):
    """Each caller's limit for each tool, by the channel the call comes from."""

    telegram: Rate | None = None
    web: Rate | None = None
    console: Rate | None = None
    mcp: Rate | None = None
    cli: Rate | None = None
    tui: Rate | None = None


class LimitsSettings(Section):
    """What one caller may spend; a call costs 1, one that changes something 5.

    A tool's limit goes before a channel's, and that before `default`; `principal` is on top: all of
    a caller's calls together. `probing` counts refused requests.
    """

    default: Rate = DEFAULT_LIMIT
    principal: Rate = UNLIMITED
    probing: Annotated[Rate, AfterValidator(_some)] = PROBING_LIMIT
    channels: ChannelLimitsSettings = ChannelLimitsSettings()
    tools: Mapping[Text, Rate] = Field(default_factory=dict)

    def budgets(self) -> Limits:
        """Return the limits as the registry uses them."""
        channels = {name: limit for name, limit in self.channels if limit is not None}
        return Limits(
            default=self.default,
            principal=self.principal,
            channels=channels,
            tools=self.tools,
        )
