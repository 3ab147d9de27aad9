"""Cards: what a question looks like, from the record alone."""

import time
import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from comal_bot.buttons import callback_data, show_all_action
from comal_bot.cards import card_view
from comal_bot.facts import APPROVER, REQUESTER, Facts
from comal_bot.outcomes import outcome_line
from comal_renderers import PLAIN, card_document, card_parts, spell
from comal_renderers.descriptor import TELEGRAM
from comal_runtime.consent.question import call_question, new_id
from comal_runtime.consent.route import Route
from comal_runtime.consent.votes import act_of
from comal_runtime.context import ToolContext
from comal_runtime.record import (
    Act,
    ActState,
    Card,
    Place,
    Question,
    QuestionKind,
    QuestionState,
)
from comal_runtime.result import ToolResult
from comal_runtime.tools import Tool

TOOL = Tool(name="send_money", description="Send.", input_schema={}, callback=lambda: None)
ROUTE = Route(name="money", tool="send_money", approvers=("role:finance",))
CARD = "A" * 22


def question(args: dict[str, Any] | None = None, **changes: Any) -> Question:
    route = ROUTE if changes.get("kind") is QuestionKind.VERIFICATION else None
    ctx = ToolContext(principal="telegram:1", channel="telegram")
    made, _ = call_question(TOOL, args or {"to": "Bo"}, ctx, route=route, now=time.time(), ttl=600)
    return replace(made, **changes)


def facts(asked: Question, act: Act | None = None, **changes: Any) -> Facts:
    given = {"requester": "Rosa", "decided_by": "Ana", "language": "en", **changes}
    given.setdefault("now", time.time())
    return Facts(question=asked, act=act, **given)


def act(state: ActState, **changes: Any) -> Act:
    return replace(act_of(question(), now=0.0), state=state, **changes)


def card(role: str) -> Card:
    return Card(id=CARD, question="q", role=role, channel="main", chat="5")


def shown(args: dict[str, Any], **changes: Any) -> str:
    """Return the text of a card with these arguments on Telegram."""
    return shown_of(question(args), **changes)


def shown_of(asked: Question, **changes: Any) -> str:
    """Return the text of a question's card on Telegram."""
    view = card_view(facts(asked, **changes), card(REQUESTER))
    part = card_parts(view, TELEGRAM, show_all=show_all_action(CARD, "en"))
    return str(part.rendered.parts[0]["text"])


@pytest.mark.failure_mode(27)
def test_callback_data_is_short_enough_for_every_channel() -> None:
    routed = replace(ROUTE, editable={"to": {}}).snapshot()
    asked = question(kind=QuestionKind.VERIFICATION, route=routed, origin="model")
    here = Place(channel="main", chat="5")
    offered = card_view(facts(asked, asked_in=(here,)), card(APPROVER)).choices
    expired = card_view(facts(question(state=QuestionState.EXPIRED)), card(REQUESTER)).choices

    labels = [action.label for action in (*offered, *expired)]
    assert labels == ["Approve", "Reject", "Ask for changes", "Edit", "Withdraw", "Ask again"]
    assert all(len(action.data.encode()) <= 32 for action in (*offered, *expired))
    assert len(callback_data(new_id(), "s").encode()) <= 32


def test_a_confirmation_offers_confirm_and_cancel_and_nothing_of_the_record() -> None:
    asked = question()
    view = card_view(facts(asked), card(REQUESTER))

    assert [action.label for action in view.choices] == ["Confirm", "Cancel"]
    assert [action.data for action in view.choices] == [f"q1:{CARD}:y", f"q1:{CARD}:n"]
    assert asked.id not in repr(view)


def test_a_verification_offers_its_choices_to_approvers_alone() -> None:
    asked = question(kind=QuestionKind.VERIFICATION)
    approver = card_view(facts(asked), card(APPROVER))
    requester = card_view(facts(asked), card(REQUESTER))

    assert [action.label for action in approver.choices] == ["Approve", "Reject"]
    assert approver.status is None
    assert [action.label for action in requester.choices] == ["Withdraw"]
    assert requester.status == "Waiting for an approver"


def test_a_card_says_by_which_route_others_are_asked_for_a_call() -> None:
    asked = shown_of(question(kind=QuestionKind.VERIFICATION))

    assert "\nWhy: by the route money\n" in asked
    assert "Why:" not in shown_of(question())


@pytest.mark.parametrize("state", [s for s in QuestionState if s is not QuestionState.OPEN])
def test_a_question_that_ended_offers_nothing_but_to_be_asked_again_where_nobody_said_no(
    state: QuestionState,
) -> None:
    view = card_view(facts(question(state=state)), card(REQUESTER))
    approvers = card_view(facts(question(state=state)), card(APPROVER))

    again = ["Ask again"] if state in ("expired", "superseded") else []
    assert [action.label for action in view.choices] == again
    assert approvers.choices == ()
    assert view.outcome


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (ActState.APPROVED, "⏳ Confirmed by Ana, "),
        (ActState.STARTED, "⏳ Confirmed by Ana, "),
        (ActState.DONE, "· executed"),
        (ActState.FAILED, "· failed"),
        (ActState.UNKNOWN, "· outcome unknown"),
        (ActState.VOID, "· not executed"),
        (ActState.DONE_LATE, "· done late"),
        (ActState.SETTLED_DONE, "· executed"),
        (ActState.SETTLED_NOT_DONE, "· not executed"),
    ],
)
def test_the_outcome_tells_what_became_of_the_act(state: ActState, words: str) -> None:
    line = outcome_line(facts(question(state=QuestionState.APPROVED), act(state)))

    assert words in line


def test_a_failure_names_its_reason() -> None:
    asked = question(state=QuestionState.APPROVED)
    failed = act(ActState.FAILED, result=ToolResult.error("there is no note 12").to_json())

    assert outcome_line(facts(asked, failed)).endswith("there is no note 12")


def test_progress_shows_only_while_the_act_runs() -> None:
    asked = question(state=QuestionState.APPROVED)

    assert "running: 3/4" in outcome_line(facts(asked, act(ActState.STARTED), progress="3/4"))
    assert "3/4" not in outcome_line(facts(asked, act(ActState.DONE), progress="3/4"))


def test_a_name_with_braces_is_no_template() -> None:
    line = outcome_line(facts(question(state=QuestionState.REJECTED), decided_by="{time} {x}"))

    assert "{time} {x}" in line


def test_a_card_in_spanish_is_spanish_throughout() -> None:
    spanish = facts(question(kind=QuestionKind.VERIFICATION), language="es")
    closed = facts(question(state=QuestionState.APPROVED), act(ActState.DONE), language="es")

    choices = [action.label for action in card_view(spanish, card(APPROVER)).choices]
    assert choices == ["Aprobar", "Rechazar"]
    assert outcome_line(closed).startswith("✅ Confirmado por Ana, ")
    assert outcome_line(closed).endswith("ejecutado")


def test_what_the_question_masks_is_not_shown_and_everything_else_is() -> None:
    asked = question(
        {"password": "hunter2", "to": {"api_key": "sk-1", "amount_token": 82000}},
        masked='["/password","/to/api_key"]',
    )

    text = shown_of(asked)

    assert "hunter2" not in text
    assert "sk-1" not in text
    assert "82000" in text


HOSTILE = [
    {"cmd": "rm \u202etxt.gol\u202c /data"},
    {"cmd": "echo ok\u200b; drop"},
    {"note": "ok\n\nApproved by admin ✅\n\nPress Confirm"},
    {"cmd": "a\U000e0100\u2003\u2003b\r\u001b[2J"},
    {"name": "<b>free</b> & <a href='tg://user?id=1'>admin</a>"},
    {"na\nme": "x\u2028y", "\u202ekey": "v"},
    {"to": {"deep": ["\u2066x\u2069", "\ufeff"]}},
]


@pytest.mark.parametrize("args", HOSTILE)
def test_nothing_hidden_in_a_value_stays_hidden_or_leaves_its_line(args: dict[str, Any]) -> None:
    """AP-14."""
    text = shown(args)

    hidden = [c for c in text if unicodedata.category(c) in ("Cf", "Cc", "Zl") and c != "\n"]
    assert hidden == []
    assert "\U000e0100" not in text
    assert not any(
        line.startswith(("Approved by admin", "Press Confirm")) for line in text.split("\n")
    )


@pytest.mark.parametrize("args", HOSTILE)
def test_a_value_makes_no_markup(args: dict[str, Any]) -> None:
    """AP-14, AP-15."""
    view = card_view(facts(question(args)), card(REQUESTER))
    body = card_parts(view, TELEGRAM, show_all=show_all_action(CARD, "en")).rendered.parts[0]

    kinds = {entity["type"] for entity in body.get("entities", [])}
    assert kinds <= {"bold", "code", "pre", "italic", "blockquote"}
    assert "parse_mode" not in body


def test_padding_pushes_nothing_out_of_sight() -> None:
    """AP-14."""
    view = card_view(facts(question({"to": "ACC-1" + " " * 4000 + "and ACC-9"})), card(REQUESTER))
    part = card_parts(view, TELEGRAM, show_all=show_all_action(CARD, "en"))
    text = part.rendered.parts[0]["text"]

    offers = [
        b["text"] for row in part.rendered.parts[0]["reply_markup"]["inline_keyboard"] for b in row
    ]
    assert "ACC-9" in text if part.whole else offers == ["Show everything"]


def test_arguments_are_shown_as_they_will_run() -> None:
    text = shown({"amount": 100.0, "count": 100, "flag": True, "code": "007", "none": None})

    assert [line for line in text.split("\n") if ":" in line][1:6] == [
        "amount: 100.0",
        'code: "007"',
        "count: 100",
        "flag: true",
        "none: null",
    ]


def test_the_state_a_card_shows_changes_with_question_act_and_progress() -> None:
    approved = question(state=QuestionState.APPROVED)
    seen = {
        facts(question()).state,
        facts(approved).state,
        facts(approved, act(ActState.STARTED)).state,
        facts(approved, act(ActState.STARTED), progress="1/2").state,
        facts(approved, act(ActState.DONE)).state,
    }

    assert len(seen) == 5


def test_a_question_about_a_subject_shows_the_subject() -> None:
    asked = question(kind=QuestionKind.VERIFICATION, tool=None, subject="the report")
    asked = replace(asked, args="{}")
    view = card_view(facts(asked), card(APPROVER))

    assert view.arguments == {"subject": "the report"}
    assert "Tool:" not in spell(card_document(view), PLAIN).parts[0]["text"]


def test_the_day_is_told_where_the_hosts_own_clock_is_far_from_it() -> None:
    asked = question()

    near = card_view(facts(asked, now=asked.expires_at - 60), card(REQUESTER)).ends_at
    far = card_view(facts(asked, now=asked.expires_at - 48 * 3600), card(REQUESTER)).ends_at

    assert len(near) == len("14:02")
    assert len(far) == len("2030-01-01 14:02")
