"""Appearance: the messages that a card takes on the channel where it hangs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comal_renderers import card_parts, full_rendered
from comal_runtime.record import Card, QuestionState

from .buttons import show_all_action
from .cards import card_view
from .channels.channel import Channel
from .facts import Facts

MOST_PIECES: Final = 20
"""Messages one card may take; nobody weighs a longer one in a chat."""


class Appearance:
    """Spells cards."""

    def __init__(self, channels: Mapping[str, Channel]) -> None:
        self._channels = channels

    def one(self, facts: Facts, card: Card) -> tuple[bool, Mapping[str, Any]]:
        """Return the one message of a card, and whether that shows everything."""
        descriptor = self._channels[card.channel].descriptor
        view = card_view(facts, card)
        shown = card_parts(view, descriptor, show_all=show_all_action(card.id, facts.language))
        is_open = facts.question.state is QuestionState.OPEN
        if is_open and not shown.whole and len(self.pieces(facts, card)) > MOST_PIECES:
            shown = card_parts(view, descriptor, show_all=None)
        return shown.whole, shown.rendered.parts[0]

    def pieces(self, facts: Facts, card: Card) -> Sequence[Mapping[str, Any]]:
        """Return the messages that show all of a card; the choices are on the last."""
        descriptor = self._channels[card.channel].descriptor
        return full_rendered(card_view(facts, card), descriptor).parts
