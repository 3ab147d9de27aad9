"""What the host's parts share; put together in `app.py`."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from comal_runtime.agent import TurnRunner
from comal_runtime.clock import Clock
from comal_runtime.record import Job, Question, Record
from comal_runtime.registry import ToolRegistry

from .channels.channel import Channel
from .entrance import Entrance, Strangers
from .people import PeopleDirectory

log = logging.getLogger(__name__)

MESSAGE = "message"
"""Somebody wrote; the key is the inbox id, the lane the conversation's."""

TAP = "tap"
"""Somebody pressed a button; the key is the inbox id, the lane the person's."""

STOP = "stop"
"""Somebody asked to stop; the key is the inbox id; never behind the turn it stops."""

RESOLVE_SCOPE = "verification:resolve"
"""What a person needs to answer a verification that no route assigns to people."""

HOST_EVENT = "host_event"
"""A decision or an outcome; the key is `<question or act>|<state>`, the lane the conversation's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises:
    """Where things happen, before any tool is there. `language` is that of host texts."""

    record: Record
    clock: Clock
    channels: Mapping[str, Channel]
    people: PeopleDirectory
    instance: str
    language: str
    entrance: Entrance = field(default_factory=Entrance)
    missed: set[str] = field(default_factory=set)

    def shuns(self, sender: str | None) -> bool:
        """Tell whether somebody is met with silence; nobody in particular is a stranger too."""
        if self.entrance.strangers is not Strangers.IGNORE:
            return False
        return sender is None or not self.people.is_known(sender)

    def reaches(self, channel: str) -> bool:
        """Tell whether a channel instance is there; one that is not is logged once."""
        if channel in self.channels:
            return True
        if channel not in self.missed:
            self.missed.add(channel)
            log.warning("channel.gone", extra={"channel": channel})
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class House(Premises):
    """The parts every handler needs."""

    registry: ToolRegistry
    runner: TurnRunner

    def changed(self, question: Question) -> str | None:
        """Say what is no more as it was when a question was asked, or None."""
        return self.registry.grounds.changed(question)

    @classmethod
    def on(cls, premises: Premises, registry: ToolRegistry, runner: TurnRunner) -> "House":
        """Build the house on its premises."""
        return cls(
            record=premises.record,
            clock=premises.clock,
            channels=premises.channels,
            people=premises.people,
            instance=premises.instance,
            language=premises.language,
            entrance=premises.entrance,
            missed=premises.missed,
            registry=registry,
            runner=runner,
        )


def conversation_lane(conversation: str) -> str:
    """Return the lane of a conversation: messages and host events, one at a time."""
    return f"conversation:{conversation}"


def host_event(conversation: str, key: str, state: str) -> Job:
    """Return the job that tells the model how something ended."""
    return Job(kind=HOST_EVENT, lane=conversation_lane(conversation), key=f"{key}|{state}")
