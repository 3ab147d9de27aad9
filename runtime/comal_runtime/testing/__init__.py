"""Small real implementations for tests and the demo."""

from .clock import FakeClock
from .scripted import Asked, Conclude, Reply, Respond, Rule, ScriptedModel

__all__ = ["Asked", "Conclude", "FakeClock", "Reply", "Respond", "Rule", "ScriptedModel"]
