"""How an open question stands, on its card: who is still needed, and who is asked after them."""

from dataclasses import replace
from typing import Any

import pytest

from comal_bot.cards import card_view
from comal_bot.facts import APPROVER, REQUESTER
from comal_runtime.consent import Group, Strangers, Terms
from comal_runtime.consent.tally import tally
from comal_runtime.record import QuestionKind, Vote

from .test_cards import card, facts, question


def staged(*yes: str, **changes: Any) -> str | None:
    """Return what an approver reads of a route of two stages once these people said yes."""
    groups = (
        Group(approvers=("web:1", "web:2", "web:3"), k=2, name="finance"),
        Group(approvers=("web:4",), name="security"),
        Group(approvers=("web:5",), stage=2),
    )
    terms = replace(Terms(groups=groups), **changes)
    asked = question(kind=QuestionKind.VERIFICATION, route=terms.to_json())
    votes = [
        Vote(question="q", person=one, identity=one, choice="yes", reason=None, at=0.0)
        for one in yes
    ]
    stands = tally(asked, votes, Strangers())
    return card_view(facts(asked, tally=stands), card(APPROVER)).status


@pytest.mark.parametrize(
    ("yes", "status"),
    [
        ((), "finance: 0 of 2 · security: 0 of 1 · then: approvers"),
        (("web:1",), "finance: 1 of 2 · security: 0 of 1 · then: approvers"),
        (("web:1", "web:4"), "finance: 1 of 2 · then: approvers"),
        (("web:1", "web:2", "web:4"), "approvers: 0 of 1"),
        (("web:5",), "finance: 0 of 2 · security: 0 of 1 · then: approvers"),
    ],
)
def test_a_card_names_who_is_still_needed_and_who_is_asked_after_them(
    yes: tuple[str, ...], status: str
) -> None:
    assert staged(*yes) == status


def test_the_requester_who_must_agree_in_the_end_is_named_by_name() -> None:
    shown = staged("web:1", "web:2", "web:4", requester_agrees=True)

    assert shown == "approvers: 0 of 1 · then: Rosa"


def test_a_requester_is_told_to_wait_until_they_are_asked_themselves() -> None:
    groups = (Group(approvers=("web:1",)),)
    terms = Terms(groups=groups, requester_agrees=True)
    asked = question(kind=QuestionKind.VERIFICATION, route=terms.to_json())
    vote = Vote(question="q", person="web:1", identity="web:1", choice="yes", reason=None, at=0.0)
    views = [
        card_view(facts(asked, tally=tally(asked, votes, Strangers())), card(REQUESTER))
        for votes in ([], [vote])
    ]

    assert views[0].status == "Waiting for an approver · approvers: 0 of 1 · then: Rosa"
    assert views[1].status == "Rosa: 0 of 1"
    assert [[one.label for one in view.choices] for view in views] == [
        ["Withdraw"],
        ["Approve", "Reject"],
    ]
