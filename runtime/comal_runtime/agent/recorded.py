"""A journal in the record: one worker's hold on a turn, and every line it adds."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..clock import Clock
from ..llm import AssistantMessage, Message, ToolCallRequest, ToolMessage
from ..record import Entry, Record, Transaction
from .ending import Ending, TurnTakenOver
from .events import entry_of, history_for_model, message_of
from .journal import Lines, Step

_LINES = 400  # lines of history a model is shown, at least

OnEnded = Callable[[Transaction, Ending], Awaitable[None]]
"""What else is stored with the end of a turn, in its transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A turn as one worker took it: its epoch, what was said before it, its own lines so far."""

    turn: str
    epoch: int
    before: tuple[Message, ...]
    lines: Lines


async def take_turn(record: Record, turn: str) -> Hold:
    """Become the turn's only writer and read what is stored of it.

    Raises:
        TurnTakenOver: The turn has ended, or there is none of this id.
    """
    async with record.transaction() as tx:
        epoch = await tx.turns.take(turn)
    async with record.reading() as stored:
        found = await stored.turns.get(turn)
    if epoch is None or found is None:
        raise TurnTakenOver(turn)
    entries = await _history(record, found.conversation, turn)
    order = list(dict.fromkeys(entry.turn for entry in entries))
    earlier = order[: order.index(turn)] if turn in order else order
    own = {(line.step, line.place): message_of(line) for line in entries if line.turn == turn}
    return Hold(
        turn=turn,
        epoch=epoch,
        before=tuple(history_for_model([line for line in entries if line.turn in set(earlier)])),
        lines=Lines(own),
    )


async def _history(record: Record, conversation: str, turn: str) -> list[Entry]:
    """Return the newest lines of a conversation, as far back as this turn's first one at least."""
    limit = _LINES
    while True:
        async with record.reading() as stored:
            entries = await stored.turns.history(conversation, limit=limit)
        opened = any(e.turn == turn and (e.step, e.place) == (0, 0) for e in entries)
        if opened or len(entries) < limit:
            return entries
        limit *= 2


class RecordedJournal:
    """The journal of a turn that any worker may resume; a lost epoch raises `TurnTakenOver`."""

    def __init__(
        self, record: Record, clock: Clock, hold: Hold, on_ended: OnEnded | None = None
    ) -> None:
        self._record = record
        self._clock = clock
        self._hold = hold
        self._on_ended = on_ended

    def messages(self) -> list[Message]:
        return [*self._hold.before, *self._hold.lines.in_order()]

    def step(self) -> Step | None:
        return self._hold.lines.newest_step()

    async def said(self, number: int, message: AssistantMessage) -> None:
        await self._store(number, 0, message)

    async def answered(self, number: int, index: int, call: ToolCallRequest, text: str) -> None:
        await self._store(number, index, ToolMessage(tool_call_id=call.id, content=text))

    async def ended(self, ending: Ending) -> None:
        step, turn = self.step(), self._hold.turn
        number = 1 if step is None else step.number + 1
        async with self._record.transaction() as tx:
            if ending.message is not None:
                await self._write(tx, entry_of(turn, number, 0, ending.message))
            now, epoch = self._clock.now(), self._hold.epoch
            if not await tx.turns.end(turn, epoch=epoch, reason=ending.reason.value, now=now):
                raise TurnTakenOver(turn)
            if self._on_ended is not None:
                await self._on_ended(tx, ending)

    async def stop_asked(self) -> bool:
        async with self._record.reading() as stored:
            turn = await stored.turns.get(self._hold.turn)
        if turn is None or turn.epoch != self._hold.epoch or turn.state != "running":
            raise TurnTakenOver(self._hold.turn)
        return turn.stop

    async def _store(self, number: int, place: int, message: Message) -> None:
        entry = entry_of(self._hold.turn, number, place, message)
        async with self._record.transaction() as tx:
            await self._write(tx, entry)
        self._hold.lines.put(number, place, message)

    async def _write(self, tx: Transaction, entry: Entry) -> None:
        now = self._clock.now()
        if not await tx.turns.write(entry, epoch=self._hold.epoch, now=now):
            raise TurnTakenOver(self._hold.turn)
