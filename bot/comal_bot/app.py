"""The application: the only place that names implementations."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self

from comal_runtime.agent import TurnRunner
from comal_runtime.clock import SystemClock
from comal_runtime.consent.question import new_id
from comal_runtime.http import HttpClient
from comal_runtime.http.httpx_adapter import HttpxClient
from comal_runtime.lanes import SqliteLanes
from comal_runtime.llm import LlmService, LlmServiceInterface
from comal_runtime.record import SqliteRecord
from comal_runtime.registry import ToolRegistry
from comal_runtime.wiring import Wiring

from .auditing import audit_logger
from .burials import Burials
from .cautions import caution
from .channels.channel import Channel, Retry
from .channels.telegram import BotApi, Polling, TelegramChannel
from .host import Host
from .outbox import Outbox, Pace
from .questions import QuestionCards
from .receipts.filing import Filing
from .receipts.signing import signer_of
from .routing import refuse_faulty
from .settings import ChannelSettings, ModelSettings, Settings
from .tooling import directory, entrance, host_registry
from .wiring import House, Premises

log = logging.getLogger(__name__)

_COMMANDS: Final = (
    ("start", "Begin a conversation"),
    ("help", "What I can do"),
    ("stop", "Stop what is running"),
    ("whoami", "Who you are here"),
    ("link", "Say that another account is you as well"),
)
_LONGEST_PAUSE: Final = 10.0  # seconds between two tries to reach a channel's server


class Comal:
    """The host, ready to serve: `async with Comal(settings, tools) as app: await app.run()`.

    `tools` are modules, objects or functions with `@tool`; `model` replaces the configured one.
    """

    def __init__(
        self,
        settings: Settings,
        tools: Sequence[object] = (),
        *,
        model: LlmServiceInterface | None = None,
    ) -> None:
        self._settings = settings
        self._tools = tools
        self._model = model
        self._stack = AsyncExitStack()
        self._host: Host | None = None
        self._registry: ToolRegistry | None = None

    @property
    def registry(self) -> ToolRegistry:
        """The tools, once the application is entered."""
        if self._registry is None:
            raise RuntimeError("the application is not entered; use `async with`")
        return self._registry

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(HttpxClient())
            channels: dict[str, Channel] = {}
            host = self._assemble(stack, http, channels)
            await self._refuse_faulty_routes()
            for name, settings in self._settings.channels.items():
                channels[name] = await _open_telegram(stack, http, name, settings)
            self._host, self._stack = host, stack.pop_all()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._host = None
        await self._stack.aclose()

    async def run(self) -> None:
        """Serve until cancelled."""
        await self._entered.run()

    async def until_idle(self) -> None:
        """Wait, while `run` serves, until nothing is left to do."""
        await self._entered.until_idle()

    @property
    def _entered(self) -> Host:
        if self._host is None:
            raise RuntimeError("the application is not entered; use `async with`")
        return self._host

    async def _refuse_faulty_routes(self) -> None:
        """Raise BadRoute for routes that the people there are by now could not satisfy."""
        people = directory(self._settings)
        async with self.registry.record.reading() as stored:
            await people.refresh(stored)
        refuse_faulty(self._settings.routing(), self.registry.get_tool_definitions(), people)

    def _assemble(
        self, stack: AsyncExitStack, http: HttpClient, channels: Mapping[str, Channel]
    ) -> Host:
        """Put everything together; `channels` is filled once their servers were reached."""
        settings, clock = self._settings, SystemClock()
        record = SqliteRecord(settings.data.path, clock=clock)
        stack.push_async_callback(record.aclose)
        premises = Premises(
            record=record,
            clock=clock,
            channels=channels,
            people=directory(settings),
            instance=new_id(),
            language=settings.host.language,
            entrance=entrance(settings),
        )
        cards = QuestionCards(premises)
        wiring = Wiring(
            clock=clock,
            on_progress=cards.progress,
            instance=premises.instance,
            directory=premises.people,
            grace=settings.host.grace,
            audit=audit_logger(settings, record, clock),
        )
        registry = self._registry = host_registry(settings, self._tools, wiring, record)
        caution(settings, registry.get_tool_definitions(), premises.people)
        stack.push_async_callback(registry.audit.aclose)
        runner = TurnRunner(
            record,
            self._model or _model(settings.model, http),
            registry,
            clock,
            system=settings.model.system,
            max_steps=settings.model.max_steps,
            output_tokens=settings.model.max_tokens,
        )
        house = House.on(premises, registry, runner)
        burials = Burials(house)
        lanes = SqliteLanes(
            record, clock, house.instance, lease=settings.host.lease, on_buried=burials.tell
        )
        outbox = Outbox(record, clock, channels, house.instance, Pace.telegram())
        filing = Filing(premises, signer_of(settings, create=True))
        return Host(house, cards, lanes, outbox, filing, settings.host.lease)


async def _open_telegram(
    stack: AsyncExitStack, http: HttpClient, name: str, settings: ChannelSettings
) -> Channel:
    """Reach the Bot API, however long that takes; a refused token ends it."""
    pause = 0.5
    while True:
        api = BotApi(settings.token.get_secret_value(), http, base=settings.api_base)
        polling = Polling(timeout=int(settings.poll_timeout))
        channel = TelegramChannel(name, api, commands=_COMMANDS, polling=polling)
        try:
            return await stack.enter_async_context(channel)
        except Retry as error:
            log.warning(
                "channel.unreachable",
                extra={
                    "channel": name,
                    "address": settings.api_base,
                    "reason": str(error),
                    "again_in": pause,
                    "set_by": f"COMAL_CHANNELS__{name.upper()}__API_BASE",
                },
            )
            await asyncio.sleep(max(pause, error.after))
            pause = min(_LONGEST_PAUSE, pause * 2)


def _model(settings: ModelSettings, http: HttpClient) -> LlmServiceInterface:
    if settings.provider == "scripted":
        from .simulator.script import demo_model

        return demo_model()
    return LlmService(
        settings.api_key.get_secret_value(),
        settings.name,
        http=http,
        provider=settings.provider,
        base_url=settings.base_url or None,
    )
