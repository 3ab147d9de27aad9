"""The agent: one loop of asking and acting, for code that waits and for turns that last."""

from .ending import (
    INVALID_RESPONSE,
    STEPS_EXHAUSTED,
    ContextMissing,
    Ending,
    RunEnd,
    RunInProgress,
    RunInterrupted,
    RunTermination,
    TurnTakenOver,
)
from .events import (
    HOST_EVENT_NOTE,
    escape_people_text,
    event_entry,
    history_for_model,
    host_event_text,
    legal,
    person_entry,
)
from .facade import ToolFacade
from .journal import Journal, MemoryJournal, Step
from .loop import Manner, OnStep, advance
from .orchestrator import AgentOrchestrator
from .recorded import RecordedJournal, take_turn
from .turn import OnFinal, TurnOutcome, TurnRunner

__all__ = [
    "HOST_EVENT_NOTE",
    "INVALID_RESPONSE",
    "STEPS_EXHAUSTED",
    "AgentOrchestrator",
    "ContextMissing",
    "Ending",
    "Journal",
    "Manner",
    "MemoryJournal",
    "OnFinal",
    "OnStep",
    "RecordedJournal",
    "RunEnd",
    "RunInProgress",
    "RunInterrupted",
    "RunTermination",
    "Step",
    "ToolFacade",
    "TurnOutcome",
    "TurnRunner",
    "TurnTakenOver",
    "advance",
    "escape_people_text",
    "event_entry",
    "history_for_model",
    "host_event_text",
    "legal",
    "person_entry",
    "take_turn",
]
