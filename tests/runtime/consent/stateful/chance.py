"""Stories by chance: one seed, one story, every time the same."""

from pathlib import Path
from random import Random
from typing import Final

from comal_runtime.context import CallKey

from .house import Process
from .misuse import FORGED, MISUSES
from .people import ANA, BO, CY, DI, VOTERS
from .sequential import RULES
from .story import Story

_DISKS: Final = {"a": "does", "b": "refuses", "c": "breaks", "d": "hangs", "e": "is late"}
_DEEDS: Final = (
    "work",
    "ask",
    "tap",
    "redeem",
    "misuse",
    "forge",
    "sweep",
    "sign",
    "redeem",
    "tap",
)
_DISASTERS: Final = (
    "kill",
    "jump",
    "clock",
    "frozen",
    "slow",
    "fails_in",
    "dies_in",
    "silent_commits",
    "lost_commits",
    "cancel",
    "deploy",
    "rights",
)
_STEPS: Final = 80


class Chance:
    """Tells one story by the choices of a seed.

    Each story has a theme of its own, since what is rare in all of them together is common in one:
    which deeds and disasters may happen in it, and how often.
    """

    def __init__(self, seed: int, folder: Path | None = None) -> None:
        self.random = Random(seed)
        self.story = Story(folder, RULES[self.random.choice(list(RULES))])
        self.story.shared.behaves.update(_DISKS)
        self._disks = self.random.choice(("a", "ae", "abcde"))
        self._tools = self.random.choice((("wipe",), ("refund",), ("wipe", "refund", "note")))
        self._rate = self.random.choice((0.0, 0.02, 0.08, 0.2))
        self._theme = self._some(_DEEDS)
        self._dangers = self._some(_DISASTERS)

    def tell(self) -> Story:
        """Tell it to its end; raises `Broken` when the promise does not hold."""
        try:
            self._ask()
            for _ in range(_STEPS):
                self._next()
            self.story.finish()
        finally:
            self.story.close()
        return self.story

    def _some(self, names: tuple[str, ...]) -> list[str]:
        return [name for name in names if self.random.random() < 0.5] or [names[0]]

    def _next(self) -> None:
        gates = self.story.can_go_on()
        luck = self.random.random()
        if luck < self._rate:
            self._meet_disaster(self.random.choice(self._dangers))
        elif gates and self.random.random() < 0.75:
            self.story.open(self.random.choice(gates))
        elif self.random.random() < 0.1:
            self.story.let_time_pass()
        else:
            self._do(self.random.choice(self._theme))

    def _do(self, deed: str) -> None:
        story, process = self.story, self._process()
        match deed:
            case "ask":
                self._ask()
            case "tap" if story.questions:
                self._tap(process)
            case "redeem" if story.tokens:
                story.redeem(process, self.random.choice(story.tokens))
            case "misuse" if story.tokens:
                token, how = self.random.choice(story.tokens), self.random.choice(MISUSES)
                story.misuse(process, token, how)
            case "forge" if story.questions:
                key, how = self.random.choice(story.questions), self.random.choice(FORGED)
                story.forge(process, key, how)
            case "sweep":
                story.sweep(process)
            case "sign":
                story.sign(process)
            case _:
                story.work(process)

    def _meet_disaster(self, disaster: str) -> None:
        story, process, choice = self.story, self._process(), self.random.choice
        match disaster:
            case "kill":
                story.kill(process)
            case "jump":
                story.jump(choice((1.5, 40.0, 70.0, 4000.0)))
            case "clock":
                story.step_clock(choice((-4000.0, -50.0, 50.0)))
            case "cancel" if story.calls:
                story.cancel(self.random.randrange(len(story.calls)))
            case "deploy":
                story.deploy(process, choice(("1", "2")))
            case "rights":
                self._change_rights()
            case _:
                self._strike(process, disaster)

    def _strike(self, process: Process, what: str) -> None:
        match what:
            case "frozen" | "slow":
                self.story.strike(process, what, not getattr(process.fate, what))
            case "fails_in" | "dies_in":
                self.story.strike(process, what, self.random.randrange(8))
            case "silent_commits" | "lost_commits":
                self.story.strike(process, what, 1)

    def _change_rights(self) -> None:
        shared = self.story.shared
        if self.random.random() < 0.5:
            shared.scopes = () if shared.scopes else ("disk",)
        else:
            shared.directory.held[self.random.choice((BO, CY, DI))] = frozenset()

    def _ask(self) -> None:
        tool, disk = self.random.choice(self._tools), self.random.choice(self._disks)
        index = self.random.randrange(2)
        in_turn = tool == "note" or self.random.random() < 0.2
        key = CallKey(turn=tool, step=1, index=index) if in_turn else None
        if in_turn:  # a call of a turn is repeated as it was
            disk = self._disks[index % len(self._disks)]
        self.story.ask(self._process(), tool, disk, key)

    def _tap(self, process: Process) -> None:
        key = self.random.choice(self.story.questions)
        voter = self.random.choice((ANA, ANA, *VOTERS))
        yes, reason = self.random.random() < 0.8, self.random.choice((None, "so it is"))
        self.story.tap(process, key, voter, yes=yes, reason=reason)

    def _process(self) -> Process:
        return self.random.choice(self.story.processes)
