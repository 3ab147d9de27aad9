"""What happens around a call, told to listeners; before it runs they may answer or stop it."""

import inspect
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from .context import ToolContext
from .result import ToolResult
from .tools import Tool

log = logging.getLogger(__name__)

Handler = Callable[[Any], object]
"""Called with the event; async handlers are awaited. Each declares the event it understands."""


class Event(Protocol):
    """Anything with a dotted name; one that carries a `slot` is dispatched before the fact."""

    @property
    def name(self) -> str:
        """Such as `tool.executed`."""
        ...


class InterceptionSlot:
    """Where one listener may answer in the tool's place or stop the call; once."""

    __slots__ = ("_current", "_decided_by", "_open", "_reason", "_result", "_shorted")

    def __init__(self) -> None:
        self._current: str | None = None
        self._decided_by: str | None = None
        self._open = True
        self._reason = ""
        self._result: object = None
        self._shorted = False

    def short_circuit(self, result: object) -> None:
        """Answer with `result`; the tool does not run and no later listener is asked.

        Raises:
            RuntimeError: The slot is decided, or its dispatch is over.
        """
        self._decide()
        self._shorted = True
        self._result = result

    def stop(self, reason: str = "") -> None:
        """Stop the call; raises as `short_circuit` does."""
        self._decide()
        self._reason = reason

    @property
    def is_stopped(self) -> bool:
        """Whether the tool must not run, answered or not."""
        return self._decided_by is not None

    @property
    def has_result(self) -> bool:
        """Whether a listener answered in the tool's place."""
        return self._shorted

    @property
    def result(self) -> object:
        """The listener's answer, as it gave it."""
        return self._result

    @property
    def reason(self) -> str:
        """What the listener said when it stopped the call."""
        return self._reason

    @property
    def listener(self) -> str | None:
        """Which listener decided."""
        return self._decided_by

    def enter(self, listener: str) -> None:
        """Note whose turn it is; the dispatcher calls this."""
        self._current = listener

    def close(self) -> None:
        """Accept no more decisions; the dispatcher calls this when every listener was asked."""
        self._open = False

    def _decide(self) -> None:
        if self._decided_by is not None:
            raise RuntimeError(f"{self._decided_by} has decided this call already")
        if not self._open:
            raise RuntimeError("this call's listeners were asked already; decide while handling it")
        self._decided_by = self._current or "a caller outside the dispatcher"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecuting:
    """Every gate has passed and the tool is about to run; `slot` may still prevent it."""

    name: ClassVar[str] = "tool.executing"
    tool: Tool
    arguments: Mapping[str, object] = field(repr=False)
    ctx: ToolContext
    slot: InterceptionSlot = field(default_factory=InterceptionSlot)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecuted:
    """The tool has run; or a listener answered for it, if `cache_served`."""

    name: ClassVar[str] = "tool.executed"
    tool: Tool
    arguments: Mapping[str, object] = field(repr=False)
    ctx: ToolContext
    result: ToolResult
    cache_served: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailed:
    """The tool's callback raised; `result` is what its caller was told."""

    name: ClassVar[str] = "tool.failed"
    tool: Tool
    arguments: Mapping[str, object] = field(repr=False)
    ctx: ToolContext
    error: BaseException
    result: ToolResult


class HasRequestId(Protocol):
    """A verification request or result, as far as its event needs to know it."""

    @property
    def request_id(self) -> str:
        """The request's id."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRequested:
    """Somebody was asked to verify something."""

    name: ClassVar[str] = "verification.requested"
    request: HasRequestId

    def get_request(self) -> HasRequestId:
        """Return the request, its subject as stored."""
        return self.request

    def get_request_id(self) -> str:
        """Return the request's id."""
        return self.request.request_id


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationGranted:
    """A verification passed."""

    name: ClassVar[str] = "verification.granted"
    request: HasRequestId
    result: object

    def get_request(self) -> HasRequestId:
        """Return the request, its subject as stored."""
        return self.request

    def get_result(self) -> object:
        """Return the verification's result."""
        return self.result

    def get_request_id(self) -> str:
        """Return the request's id."""
        return self.request.request_id


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRejected:
    """A verification failed."""

    name: ClassVar[str] = "verification.rejected"
    request: HasRequestId
    result: object

    def get_request(self) -> HasRequestId:
        """Return the request, its subject as stored."""
        return self.request

    def get_result(self) -> object:
        """Return the verification's result."""
        return self.result

    def get_request_id(self) -> str:
        """Return the request's id."""
        return self.request.request_id


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subscription:
    matches: re.Pattern[str]
    handler: Handler
    priority: int


class EventDispatcher:
    """Calls every listener of an event: higher priority first, then by subscription."""

    def __init__(self) -> None:
        self._subscriptions: list[_Subscription] = []
        self._handlers: dict[str, tuple[Handler, ...]] = {}

    def subscribe(self, pattern: str, handler: Handler, priority: int = 0) -> None:
        """Call `handler` for every event whose name fits.

        Args:
            pattern: A name, or one with `*` for anything but a dot: `verification.*`.
        """
        matches = re.compile(re.escape(pattern).replace(r"\*", r"[^.\n]+"))
        self._subscriptions.append(
            _Subscription(matches=matches, handler=handler, priority=priority)
        )
        self._subscriptions.sort(key=lambda subscription: -subscription.priority)
        self._handlers.clear()

    def has_listeners(self, name: str) -> bool:
        """Tell whether dispatching an event of this name would call anybody."""
        return bool(self._listeners(name))

    async def dispatch(self, event: Event) -> None:
        """Tell every listener, each once.

        Raises:
            Exception: Only for an event with a `slot`: whatever a listener raised; the call must
                not run then. After the fact it is logged and the next listener is called.
        """
        slot = getattr(event, "slot", None)
        if isinstance(slot, InterceptionSlot):
            await self._ask(event, slot)
            return
        for handler in self._listeners(event.name):
            try:
                await _call(handler, event)
            except Exception:  # the fact stands; one listener's fault is not another's
                log.exception(
                    "event.listener_failed",
                    extra={"event": event.name, "listener": _name_of(handler)},
                )

    async def _ask(self, event: Event, slot: InterceptionSlot) -> None:
        try:
            for handler in self._listeners(event.name):
                slot.enter(_name_of(handler))
                await _call(handler, event)
                if slot.is_stopped:
                    return
        finally:
            slot.close()

    def _listeners(self, name: str) -> tuple[Handler, ...]:
        known = self._handlers.get(name)
        if known is None:
            found: list[Handler] = []
            for subscription in self._subscriptions:
                if subscription.matches.fullmatch(name) and subscription.handler not in found:
                    found.append(subscription.handler)
            known = self._handlers[name] = tuple(found)
        return known


async def _call(handler: Handler, event: Event) -> None:
    answer = handler(event)
    if inspect.isawaitable(answer):
        await answer


def _name_of(handler: Handler) -> str:
    return str(getattr(handler, "__qualname__", type(handler).__qualname__))
