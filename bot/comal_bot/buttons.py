"""Buttons: what may be pressed on a card, and what a press carries."""

from typing import Final

from comal_renderers import Action, labels
from comal_renderers.document import ActionTone
from comal_renderers.i18n import text
from comal_runtime.consent.asking_again import may_be_asked_again
from comal_runtime.consent.editing import editable_in
from comal_runtime.consent.terms import REQUESTER as THE_REQUESTER
from comal_runtime.record import ActState, Card, Question, QuestionKind, QuestionState

from .facts import APPROVER, Facts

YES: Final = "y"
NO: Final = "n"
SHOW_ALL: Final = "s"
CHANGES: Final = "c"
EDIT: Final = "e"
WITHDRAW: Final = "w"
AGAIN: Final = "a"
IT_WAS_DONE: Final = "d"
REPEAT: Final = "g"
LEAVE_IT: Final = "l"


def callback_data(card: str, choice: str) -> str:
    """Return what a button of a card carries: at most 32 bytes, meaning nothing by itself."""
    return f"q1:{card}:{choice}"


def show_all_action(card: str, language: str) -> Action:
    """Return the one button of a card that cannot be shown whole."""
    return Action(
        label=labels(language).show_all, data=callback_data(card, SHOW_ALL), tone="neutral"
    )


def buttons(facts: Facts, card: Card) -> tuple[Action, ...]:
    """Return what may be pressed on a card as its question stands."""
    if facts.question.state is not QuestionState.OPEN:
        return follow_ups(facts, card)
    words = labels(facts.language)
    if facts.question.kind is QuestionKind.CONFIRMATION:
        return (
            _action(card, YES, words.confirm, "primary"),
            _action(card, NO, words.cancel, "danger"),
        )
    found: list[Action] = []
    asks_requester = _asks_requester(facts)
    if card.role == APPROVER or asks_requester:
        found.append(_action(card, YES, words.approve, "primary"))
        found.append(_action(card, NO, words.reject, "danger"))
    if card.role == APPROVER:
        found += _ways_out(facts, card)
    if facts.is_with_requester(card) and not (asks_requester and card.role != APPROVER):
        found.append(_action(card, WITHDRAW, text("card.withdraw", facts.language)))
    return tuple(found)


def follow_ups(facts: Facts, card: Card) -> tuple[Action, ...]:
    """Return what may be pressed on the card of a question that ended."""
    if may_be_asked_again(facts.question, facts.act) and facts.is_with_requester(card):
        return (_action(card, AGAIN, text("card.again", facts.language)),)
    act = facts.act
    if act is not None and act.state is ActState.UNKNOWN and act.left_by is None:
        return (
            _action(card, IT_WAS_DONE, text("card.it_was_done", facts.language)),
            _action(card, REPEAT, text("card.do_it_again", facts.language)),
            _action(card, LEAVE_IT, text("card.leave_it", facts.language)),
        )
    return ()


def _ways_out(facts: Facts, card: Card) -> list[Action]:
    """Return what approvers may do beside yes and no."""
    question, found = facts.question, []
    if _has_a_listener(question):
        found.append(_action(card, CHANGES, text("card.changes", facts.language)))
    if editable_in(question):
        found.append(_action(card, EDIT, text("card.edit", facts.language)))
    return found


def _has_a_listener(question: Question) -> bool:
    """Tell whether somebody waits to hear what should be asked instead: the model of a turn."""
    return question.origin == "model" or question.call_key is not None


def _asks_requester(facts: Facts) -> bool:
    """Tell whether the stage at hand is that in which whoever asked must agree."""
    stands = facts.tally
    if stands is None:
        return False
    return any(THE_REQUESTER in (group.approvers or ()) for group, _ in stands.open_groups)


def _action(card: Card, choice: str, label: str, tone: ActionTone = "neutral") -> Action:
    return Action(label=label, data=callback_data(card.id, choice), tone=tone)
