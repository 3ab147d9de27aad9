"""`LlmService`: one question to a model, one answer, whichever host serves it."""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Final, Protocol
from urllib.parse import urlsplit

from comal_runtime.clock import Clock, SystemClock
from comal_runtime.http import HttpClient, HttpError

from .errors import ContentFiltered, Fault, LlmError, LlmUnavailable, OutputTruncated
from .faults import Answer, Reading, bad_response, read_answer
from .messages import AssistantMessage, Message, Usage, UserMessage
from .openai_chat import Order, encode_order, endpoint, read_choice, read_message, read_usage
from .profiles import profile_for
from .retry import LONGEST_WAIT, MAX_RETRIES, wait_before
from .scrub import scrub, secrets_of

ToolSummary = Mapping[str, object]
"""`{name, description, inputSchema, ...}`, as the registry describes a tool."""

DEFAULT_BASES: Final = {
    "openai-chat": "https://api.openai.com",
    "openai": "https://api.openai.com",
    "ollama": "http://127.0.0.1:11434",
}
NOT_YET: Final = ("openai-responses", "anthropic")


class LlmServiceInterface(Protocol):
    """What the agent asks; users may bring their own."""

    async def generate_response(
        self,
        prompt: str,
        tools: Sequence[ToolSummary] = (),
        messages: Sequence[Message] = (),
        max_tokens: int = 4096,
    ) -> AssistantMessage:
        """Return the model's next message.

        Args:
            prompt: Sent as the one user message where `messages` is empty; else not sent.
            tools: What the model may call, as `ToolRegistry.get_tool_summaries` tells it.
            messages: The whole conversation, legal for the wire: each call answered.
            max_tokens: Positive limit of the answer's tokens, reasoning included.

        Raises:
            ValueError: `max_tokens` is not a positive integer; nothing was sent.
            LlmError: No usable answer.
        """
        ...


def check_max_tokens(max_tokens: int) -> None:
    """Raise ValueError unless `max_tokens` is a positive integer."""
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
        raise ValueError(f"max_tokens must be a positive integer, not {max_tokens!r}")


def fresh_call_id() -> str:
    """Return an id for a tool call that came without one."""
    return f"call_{secrets.token_hex(12)}"


@dataclass(frozen=True, slots=True, eq=False)
class LlmService:
    """A model behind the Chat Completions wire.

    `provider` is `openai-chat`, `openai` (the same for now) or `ollama`. `timeout` (seconds) is for
    one answer, retries and waits included. `headers` come last and may replace our own. `on_usage`
    also hears what a truncated answer cost. Bodies are logged only at debug, only to `logger`.
    Between retries it waits by `sleep` (seconds), spread by `jitter` (0 to 1).
    """

    api_key: str = field(repr=False)
    model: str
    _: KW_ONLY
    http: HttpClient = field(repr=False)
    provider: str = "openai-chat"
    base_url: str | None = None
    logger: logging.Logger | None = field(default=None, repr=False)
    timeout: float = 600.0
    headers: Mapping[str, str] | None = field(default=None, repr=False)
    on_usage: Callable[[Usage], None] | None = field(default=None, repr=False)
    sleep: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep, repr=False)
    jitter: Callable[[], float] = field(default=random.random, repr=False)
    clock: Clock = field(default_factory=SystemClock, repr=False)
    new_call_id: Callable[[], str] = field(default=fresh_call_id, repr=False)

    def __post_init__(self) -> None:
        provider = self.provider.lower()
        object.__setattr__(self, "provider", provider)
        if provider not in DEFAULT_BASES:
            why = "is not available yet" if provider in NOT_YET else "is not known"
            works = ", ".join(DEFAULT_BASES)
            sentence = f"provider {self.provider!r} {why}; available: {works}"
            raise LlmError(sentence, Fault(provider=provider))
        object.__setattr__(self, "base_url", self.base_url or DEFAULT_BASES[provider])
        _check_base_url(self._base)
        for name, value in {"api_key": self.api_key, **(self.headers or {})}.items():
            if not (value.isascii() and value.isprintable()):
                raise ValueError(
                    f"{name} holds a character that no header can carry, such as a line break; "
                    "check where it is read from"
                )

    async def generate_response(
        self,
        prompt: str,
        tools: Sequence[ToolSummary] = (),
        messages: Sequence[Message] = (),
        max_tokens: int = 4096,
    ) -> AssistantMessage:
        """Return the model's next message; see `LlmServiceInterface.generate_response`."""
        check_max_tokens(max_tokens)
        order = Order(
            model=self.model,
            messages=messages or (UserMessage(content=prompt),),
            tools=tools,
            max_tokens=max_tokens,
        )
        body = encode_order(order, profile_for(self.provider, self._base))
        answer = await self._ask(body)
        usage = read_usage(answer.payload)
        if usage is not None and self.on_usage is not None:
            self.on_usage(usage)
        return self._read(answer, max_tokens)

    @property
    def _base(self) -> str:
        return self.base_url or DEFAULT_BASES[self.provider]

    async def _ask(self, body: bytes) -> Answer:
        """Send `body` until it is answered, refused for good, or the time is over."""
        deadline = self.clock.boot() + self.timeout
        retry = 0
        while True:
            left = max(deadline - self.clock.boot(), 0.001)
            try:
                return await self._send(body, left)
            except LlmError as error:
                wait = wait_before(retry, error.retry_after, self.jitter())
                late = self.clock.boot() + wait >= deadline or wait > LONGEST_WAIT
                if not error.retryable or retry == MAX_RETRIES or late:
                    raise
                self._note_retry(error, wait)
            await self.sleep(wait)
            retry += 1

    async def _send(self, body: bytes, timeout: float) -> Answer:
        self._show("llm.request", body)
        try:
            response = await self.http.request(
                "POST",
                endpoint(self._base),
                headers=self._headers(),
                body=body,
                timeout=timeout,
            )
        except HttpError as error:
            sentence = f"{self.provider} gave no answer: {scrub(str(error), self._secrets())}"
            fault = Fault(provider=self.provider, retryable=not error.sent)
            raise LlmUnavailable(sentence, fault) from error
        self._show("llm.response", response.body)
        reading = Reading(provider=self.provider, now=self.clock.now(), secrets=self._secrets())
        return read_answer(response, reading)

    def _read(self, answer: Answer, max_tokens: int) -> AssistantMessage:
        unquoted = replace(answer.fault, excerpt="")
        try:
            choice = read_choice(answer.payload)
            if choice.truncated:
                reason = choice.stop_reason
                raise OutputTruncated(unquoted, stop_reason=reason, max_tokens=max_tokens)
            if choice.filtered:
                raise ContentFiltered(
                    f"{self.provider} withheld the answer (content_filter)", unquoted
                )
            return read_message(choice, self.new_call_id)
        except ValueError as error:
            raise bad_response(str(error), answer.fault) from None

    def _headers(self) -> dict[str, str]:
        ours = {"content-type": "application/json", "accept": "application/json"}
        if self.api_key:
            ours["authorization"] = f"Bearer {self.api_key}"
        return ours | {name.lower(): value for name, value in (self.headers or {}).items()}

    def _secrets(self) -> tuple[str, ...]:
        return secrets_of(self.api_key, self.headers or {})

    def _show(self, event: str, body: bytes) -> None:
        if self.logger is not None and self.logger.isEnabledFor(logging.DEBUG):
            text = scrub(body.decode("utf-8", "replace"), self._secrets())
            self.logger.debug(event, extra={"provider": self.provider, "body": text})

    def _note_retry(self, error: LlmError, wait: float) -> None:
        if self.logger is not None:
            facts = {"provider": self.provider, "status": error.status, "wait": wait}
            self.logger.info("llm.retried", extra=facts)


def _check_base_url(base_url: str) -> None:
    url = urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url must be a full address such as http://127.0.0.1:11434/v1")
    if url.port == 0:
        raise ValueError("base_url has port 0; name the port the host listens on")
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("base_url must hold no user, password, query or fragment; use headers")
