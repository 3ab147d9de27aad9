"""Long polling: a batch is confirmed to the server only after the sink stored it."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from comal_runtime.http.client import HttpError

from ..channel import Raw, Sink
from .client import BotApi, BotApiError
from .errors import CONFLICT_PAUSE, channel_error

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
Chance = Callable[[], float]
"""Gives a number from 0 up to 1."""

_LONGEST_PAUSE = 30.0  # seconds
_GRACE = 10.0  # seconds an answer may come later than the poll's own timeout


@dataclass(frozen=True, slots=True, kw_only=True)
class Polling:
    """How updates are asked for: `timeout` in seconds, at most `limit` (1-100) at once.

    `allowed_updates` is always sent, since the server remembers the last list it was given.
    """

    timeout: int = 25
    limit: int = 100  # Source: Bot API, getUpdates.
    allowed_updates: tuple[str, ...] = ("message", "channel_post", "callback_query")


DEFAULT_POLLING = Polling()


class Poller:
    """Fetches updates for one bot until cancelled; nothing that fails ends it."""

    def __init__(
        self, api: BotApi, *, channel: str, polling: Polling, sleep: Sleep, chance: Chance
    ) -> None:
        self._api = api
        self._channel = channel
        self._polling = polling
        self._sleep = sleep
        self._chance = chance

    async def run(self, sink: Sink) -> None:
        """Poll and hand every batch to `sink`; return only by cancellation."""
        offset: int | None = None
        failures = 0
        while True:
            try:
                offset = await self._round(sink, offset)
            except (HttpError, BotApiError) as error:
                failures += 1
                await self._sleep(self._pause_after(error, failures))
            # Any failure of the sink means "not stored", and the server keeps the batch for us.
            except Exception:
                failures += 1
                log.exception("batch.unstored", extra={"channel": self._channel})
                await self._sleep(self._backoff(failures))
            else:
                failures = 0

    async def _round(self, sink: Sink, offset: int | None) -> int | None:
        """Fetch one batch and store it; return the offset that confirms it."""
        params = {
            "timeout": self._polling.timeout,
            "limit": self._polling.limit,
            "allowed_updates": list(self._polling.allowed_updates),
        }
        if offset is not None:
            params["offset"] = offset
        timeout = self._polling.timeout + _GRACE
        result = await self._api.call("getUpdates", params, timeout=timeout)
        batch = _batch(result)
        if not batch:
            return offset
        await sink(batch)
        ids = [number for raw in batch if (number := _update_id(raw)) is not None]
        if not ids:  # the server will give the same again; do not ask at full speed
            raise HttpError("getUpdates: no element has an update_id", sent=True)
        return max(ids) + 1

    def _pause_after(self, error: HttpError | BotApiError, failures: int) -> float:
        pause = self._backoff(failures)
        if isinstance(error, HttpError):
            log.warning("poll.failed", extra=self._facts(str(error)))
            return pause
        if error.code == 409:
            log.warning("poll.conflicted", extra=self._facts(_conflict(error)))
            return max(pause, CONFLICT_PAUSE, error.retry_after or 0.0)
        level = logging.ERROR if error.code in (401, 403, 404) else logging.WARNING
        meaning = channel_error(error, method="getUpdates", channel=self._channel)
        log.log(level, "poll.refused", extra=self._facts(str(meaning)))
        return max(pause, error.retry_after or 0.0)

    def _backoff(self, failures: int) -> float:
        """Return 1, 2, 4 ... 30 seconds, less up to half of it by chance."""
        longest = min(_LONGEST_PAUSE, 2.0 ** min(failures - 1, 5))
        return longest * (1.0 - self._chance() / 2)

    def _facts(self, cause: str) -> dict[str, str]:
        return {"channel": self._channel, "cause": cause}


def _batch(result: object) -> Sequence[Raw]:
    """Return the updates, each as an object: what is none is kept under `malformed`."""
    if not isinstance(result, list):
        raise HttpError("getUpdates: the result is not an array", sent=True)
    return [item if isinstance(item, dict) else {"malformed": item} for item in result]


def _update_id(raw: Raw) -> int | None:
    number = raw.get("update_id")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _conflict(error: BotApiError) -> str:
    """Name what else takes this bot's updates."""
    if "webhook" in error.description.lower():
        return "a webhook is set for this bot, so it cannot be polled; remove it (deleteWebhook)"
    return "another program polls with this bot's token; stop it, or give each its own bot"
