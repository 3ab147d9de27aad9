"""What happens around a call, told to listeners; before it runs they may answer or stop it."""

import asyncio
import inspect
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Protocol, TypeVar

from .context import ToolContext
from .invoke import only_itself
from .result import ToolResult
from .tools import Tool

log = logging.getLogger(__name__)

Handler = Callable[[Any], object]
"""Called with the event; async handlers are awaited. Each declares the event it understands."""

Listener = TypeVar("Listener", bound=Handler)

LISTENERS: Final = 10.0
"""Seconds that all listeners of one event get together."""


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

    @property
    def asked_last(self) -> str | None:
        """Which listener was asked last, whether or not it decided."""
        return self._current

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
    """Every gate has passed and the tool is about to run; `slot` may still prevent it.

    `arguments` are a copy that cannot be changed. A listener may answer in the tool's place only
    where the call is `answerable`: it changes nothing and nobody was asked about it.
    """

    name: ClassVar[str] = "tool.executing"
    tool: Tool
    arguments: Mapping[str, Any] = field(repr=False)
    ctx: ToolContext
    answerable: bool = False
    slot: InterceptionSlot = field(default_factory=InterceptionSlot)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecuted:
    """The tool has run; or a listener answered for it, if `cache_served`.

    `began` is when the call came in, in seconds of `time.perf_counter`.
    """

    name: ClassVar[str] = "tool.executed"
    tool: Tool
    arguments: Mapping[str, Any] = field(repr=False)
    ctx: ToolContext
    result: ToolResult
    cache_served: bool = False
    answerable: bool = False
    began: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailed:
    """The tool's callback raised; `result` is what its caller was told."""

    name: ClassVar[str] = "tool.failed"
    tool: Tool
    arguments: Mapping[str, Any] = field(repr=False)
    ctx: ToolContext
    error: BaseException
    result: ToolResult


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

    def subscribe(self, pattern: str, handler: Handler, priority: int = 0) -> Callable[[], None]:
        """Call `handler` for every event whose name fits; return what ends that.

        Args:
            pattern: A name, or one with `*` for anything but a dot: `verification.*`.
            priority: Higher ones hear first, and of equals whoever subscribed first.
        """
        matches = re.compile(re.escape(pattern).replace(r"\*", r"[^.\n]+"))
        ours = _Subscription(matches=matches, handler=handler, priority=priority)
        self._subscriptions.append(ours)
        self._subscriptions.sort(key=lambda subscription: -subscription.priority)
        self._handlers.clear()

        def unsubscribe() -> None:
            self._subscriptions = [one for one in self._subscriptions if one is not ours]
            self._handlers.clear()

        return unsubscribe

    def on(self, pattern: str, priority: int = 0) -> Callable[[Listener], Listener]:
        """Subscribe the decorated function, as in `@dispatcher.on("tool.*")`; see `subscribe`."""

        def subscribed(handler: Listener) -> Listener:
            self.subscribe(pattern, handler, priority)
            return handler

        return subscribed

    def has_listeners(self, name: str) -> bool:
        """Tell whether dispatching an event of this name would call anybody."""
        return bool(self._listeners(name))

    async def dispatch(self, event: Event) -> tuple[str, ...] | None:
        """Tell every listener, each once; return the names of those that failed, if any did.

        Raises:
            Exception: Only for an event with a `slot`: whatever a listener raised; the call must
                not run then. After the fact it is logged and the next listener is called.
        """
        slot = getattr(event, "slot", None)
        if isinstance(slot, InterceptionSlot):
            await self._ask(event, slot)
            return None
        failed: list[str] = []
        for handler in self._listeners(event.name):
            try:
                await _call(handler, event)
            except Exception:  # the fact stands; one listener's fault is not another's
                failed.append(_name_of(handler))
                log.exception(
                    "event.listener_failed", extra={"event": event.name, "listener": failed[-1]}
                )
        return tuple(failed) or None

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


async def announce(event: Event, dispatcher: EventDispatcher | None) -> tuple[str, ...]:
    """Tell listeners what is so already, within `LISTENERS`; return the names of those that failed.

    Raises nothing but cancellation: whatever a dispatcher or a listener does, the fact stands.
    """
    if dispatcher is None:
        return ()
    try:
        async with asyncio.timeout(LISTENERS):
            return await dispatcher.dispatch(event) or ()
    except TimeoutError:
        log.warning("event.listeners_too_slow", extra={"event": event.name})
        return (f"one that took more than {LISTENERS:g} s",)
    except Exception:  # a dispatcher of the host's own may raise anything
        log.exception("event.not_dispatched", extra={"event": event.name})
        return ("the dispatcher itself",)


async def _call(handler: Handler, event: Event) -> None:
    with only_itself():
        answer = handler(event)
        if inspect.isawaitable(answer):
            await answer


def _name_of(handler: Handler) -> str:
    return str(getattr(handler, "__qualname__", type(handler).__qualname__))
