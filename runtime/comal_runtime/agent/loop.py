"""The loop: ask the model, answer its calls, until there is an ending. One for all its users."""

import inspect
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from ..llm import (
    AssistantMessage,
    LlmError,
    LlmServiceInterface,
    Message,
    OutputTruncated,
    SystemMessage,
    UserMessage,
)
from .answering import Answering
from .ending import Ending, RunEnd, RunInterrupted
from .facade import ToolFacade
from .journal import Journal

log = logging.getLogger(__name__)

OUTPUT_TOKENS: Final = 4096
MAX_STEPS: Final = 20

OnStep = Callable[[int, str], Awaitable[None] | None]
"""Hears of each step, counted from 0, before the model is asked: (step, "processing")."""

_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_UNPARSED: Final = re.compile(r"<function=|<tool_call|<\|tool_call|<invoke name=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run goes about it.

    `max_steps` counts questions to the model, `output_tokens` limits each answer. With
    `stop_at_first` the first call that asks or is blocked ends the run and nothing after it runs.
    """

    system: str | None = None
    max_steps: int = MAX_STEPS
    output_tokens: int | None = None
    stop_at_first: bool = False
    on_step: OnStep | None = None

    def __post_init__(self) -> None:
        if self.max_steps < 0:
            raise ValueError(f"max_steps must be 0 or more, not {self.max_steps}")
        if self.output_tokens is not None and self.output_tokens < 1:
            raise ValueError(f"output_tokens must be 1 or more, not {self.output_tokens}")


async def advance(
    journal: Journal, tools: ToolFacade, service: LlmServiceInterface, manner: Manner
) -> Ending:
    """Carry a turn on from where its journal stands to its end, and store the end.

    Raises:
        TurnTakenOver: Another worker has the turn; nothing was added.
    """
    ending: Ending | None = None
    while ending is None:
        ending = await _answer(journal, tools, manner)
        if ending is None:
            ending = await _ask(journal, tools, service, manner)
    await journal.ended(ending)
    return ending


async def _answer(journal: Journal, tools: ToolFacade, manner: Manner) -> Ending | None:
    """Answer what the newest step leaves open; the ending if the turn must not go on."""
    step = journal.step()
    if step is not None:
        if not step.message.tool_calls:
            return _final(step.message, stored=True)
        answering = Answering(journal, tools, step, stop_at_first=manner.stop_at_first)
        ending = await answering.run()
        if ending is not None:
            return ending
    if await journal.stop_asked():
        return Ending(reason=RunEnd.INTERRUPTED)
    if (0 if step is None else step.number) >= manner.max_steps:
        return Ending(reason=RunEnd.STEPS_EXHAUSTED)
    return None


async def _ask(
    journal: Journal, tools: ToolFacade, service: LlmServiceInterface, manner: Manner
) -> Ending | None:
    """Ask the model for the next step and store it; the ending if there is none."""
    step = journal.step()
    number = 1 if step is None else step.number + 1
    try:
        await _announce(manner, number - 1)
        message = await _next_message(journal, tools, service, manner)
    except RunInterrupted as error:
        return Ending(reason=RunEnd.INTERRUPTED, error=error)
    except OutputTruncated as error:
        return Ending(reason=RunEnd.OUTPUT_TRUNCATED, error=error)
    except LlmError as error:
        return Ending(reason=RunEnd.FAILED, error=error)
    if not message.tool_calls:
        return _final(message, stored=False)
    await journal.said(number, message)
    return None


async def _next_message(
    journal: Journal, tools: ToolFacade, service: LlmServiceInterface, manner: Manner
) -> AssistantMessage:
    messages = journal.messages()
    prompt = next((m.content for m in reversed(messages) if isinstance(m, UserMessage)), "")
    system: list[Message] = [SystemMessage(content=manner.system)] if manner.system else []
    return await service.generate_response(
        prompt,
        tools=tools.summaries(),
        messages=system + messages,
        max_tokens=manner.output_tokens or OUTPUT_TOKENS,
    )


async def _announce(manner: Manner, step: int) -> None:
    if manner.on_step is None:
        return
    try:
        heard = manner.on_step(step, "processing")
        if inspect.isawaitable(heard):
            await heard
    except RunInterrupted:
        raise
    except Exception:  # a listener's own fault is no reason to stop
        log.exception("step.listener_failed", extra={"step": step})


def _final(message: AssistantMessage, *, stored: bool) -> Ending:
    text = message.content or message.refusal or ""
    if _UNPARSED.search(_CODE.sub("", text)):
        return Ending(reason=RunEnd.INVALID_RESPONSE)
    line = None if stored or not text.strip() else message
    return Ending(reason=RunEnd.FINAL_ANSWER, text=text, message=line)
