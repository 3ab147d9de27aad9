"""Troubles to order: refusals, silence, broken connections, doubled updates, blocked bots."""

from dataclasses import dataclass

from .refusal import Refusal, forbidden, too_many_requests
from .world import TelegramWorld


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Answer with a refusal; nothing was done."""

    refusal: Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Hang:
    """Say nothing for `seconds`, then break the connection; nothing was done."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DropAnswer:
    """Do what was asked, then break the connection, so that the client cannot know."""


Trouble = Refuse | Hang | DropAnswer


@dataclass(slots=True, eq=False, kw_only=True)
class Fault:
    """A trouble for the next `left` calls of `method`; an empty method means any."""

    trouble: Trouble
    method: str = ""
    left: int = 1


class Faults:
    """The troubles ordered for a world; the oldest fitting one is taken first.

    A fault for any method also meets getUpdates.
    """

    def __init__(self, world: TelegramWorld) -> None:
        self._world = world
        self._faults: list[Fault] = []
        self._blocked: set[tuple[int, int]] = set()

    def too_many_requests(self, retry_after: int, *, method: str = "", times: int = 1) -> Fault:
        """Answer 429, asking to wait `retry_after` seconds."""
        return self._order(Refuse(refusal=too_many_requests(retry_after)), method, times)

    def server_error(self, code: int = 500, *, method: str = "", times: int = 1) -> Fault:
        """Answer with a 5xx."""
        wording = {500: "Internal Server Error", 502: "Bad Gateway", 504: "Gateway Timeout"}
        refusal = Refusal(code, wording.get(code, "Service Unavailable"))
        return self._order(Refuse(refusal=refusal), method, times)

    def forbidden(
        self, reason: str = "bot was blocked by the user", *, method: str = "", times: int = 1
    ) -> Fault:
        """Answer 403."""
        return self._order(Refuse(refusal=forbidden(reason)), method, times)

    def hang(self, seconds: float, *, method: str = "", times: int = 1) -> Fault:
        """Say nothing for `seconds`, then break the connection, having done nothing."""
        return self._order(Hang(seconds=seconds), method, times)

    def drop_answer(self, *, method: str = "", times: int = 1) -> Fault:
        """Do what is asked, then break the connection without an answer."""
        return self._order(DropAnswer(), method, times)

    def duplicate_next_update(self, bot_id: int, *, times: int = 1) -> None:
        """Deliver each of the next updates once more after the bot confirmed it."""
        self._world.queue(bot_id).double_next(times)

    def block(self, user_id: int, bot_id: int) -> None:
        """Let a person block a bot."""
        self._world.set_blocked(user_id, bot_id, True)
        self._blocked.add((user_id, bot_id))

    def unblock(self, user_id: int, bot_id: int) -> None:
        """Let a person restart a bot."""
        self._world.set_blocked(user_id, bot_id, False)
        self._blocked.discard((user_id, bot_id))

    def remove(self, fault: Fault) -> None:
        """Take back an order; one already used up is no error."""
        if fault in self._faults:
            self._faults.remove(fault)

    def clear(self) -> None:
        """Take back everything, blocks included."""
        self._faults.clear()
        for user_id, bot_id in list(self._blocked):
            self.unblock(user_id, bot_id)
        for bot in self._world.bots():
            self._world.queue(bot.id).double_next(0)

    def take(self, method: str) -> Trouble | None:
        """Use up one fault for this call (its method in lower case), if one fits."""
        for fault in self._faults:
            if fault.method in ("", method):
                fault.left -= 1
                if fault.left <= 0:
                    self._faults.remove(fault)
                return fault.trouble
        return None

    def _order(self, trouble: Trouble, method: str, times: int) -> Fault:
        fault = Fault(trouble=trouble, method=method.lower(), left=times)
        self._faults.append(fault)
        return fault
