"""What the loop writes down and reads back; a turn goes on from there after a crash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..llm import AssistantMessage, Message, ToolCallRequest, ToolMessage
from .ending import Ending

At = tuple[int, int]
"""A step and a place in it: 0 for the model's message, n for the answer of its n-th call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message of the model and the answers its calls have so far, by index from 1."""

    number: int
    message: AssistantMessage
    answers: Mapping[int, str]


class Journal(Protocol):
    """The memory of one run of the loop. Whatever writes may raise `TurnTakenOver`."""

    def messages(self) -> list[Message]:
        """Return the conversation so far, this turn included; system texts are not in it."""
        ...

    def step(self) -> Step | None:
        """Return the newest step of this turn; None before the first."""
        ...

    async def said(self, number: int, message: AssistantMessage) -> None:
        """Store the model's message of a step; none of its calls has run."""
        ...

    async def answered(self, number: int, index: int, call: ToolCallRequest, text: str) -> None:
        """Store the answer of one call."""
        ...

    async def ended(self, ending: Ending) -> None:
        """Store how the turn ended, with the line that history still needs."""
        ...

    async def stop_asked(self) -> bool:
        """Tell whether a person asked this turn to stop."""
        ...


class Lines:
    """The lines of one turn, each at its place, in whatever order they came."""

    def __init__(self, lines: Mapping[At, Message] | None = None) -> None:
        self._lines = dict(lines or {})

    def put(self, number: int, place: int, message: Message) -> None:
        """Keep a message at its place."""
        self._lines[number, place] = message

    def in_order(self) -> list[Message]:
        """Return the messages as they follow on each other."""
        return [message for _, message in sorted(self._lines.items(), key=lambda line: line[0])]

    def newest_step(self) -> Step | None:
        """Return the last step the model began."""
        number = max((n for n, place in self._lines if place == 0 and n > 0), default=0)
        message = self._lines.get((number, 0))
        if number == 0 or not isinstance(message, AssistantMessage):
            return None
        answers = {
            place: line.content
            for (n, place), line in self._lines.items()
            if n == number and isinstance(line, ToolMessage)
        }
        return Step(number=number, message=message, answers=answers)


class MemoryJournal:
    """A journal of one run that nobody resumes."""

    def __init__(self, opening: Sequence[Message]) -> None:
        self._opening = list(opening)
        self._lines = Lines()

    def messages(self) -> list[Message]:
        return self._opening + self._lines.in_order()

    def step(self) -> Step | None:
        return self._lines.newest_step()

    async def said(self, number: int, message: AssistantMessage) -> None:
        self._lines.put(number, 0, message)

    async def answered(self, number: int, index: int, call: ToolCallRequest, text: str) -> None:
        self._lines.put(number, index, ToolMessage(tool_call_id=call.id, content=text))

    async def ended(self, ending: Ending) -> None:
        if ending.message is not None:
            step = self.step()
            self._lines.put(1 if step is None else step.number + 1, 0, ending.message)

    async def stop_asked(self) -> bool:
        return False
