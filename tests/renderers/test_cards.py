"""Cards: what is asked, shown whole or not answerable."""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from comal_renderers import (
    CONSOLE,
    MARKDOWN,
    MCP,
    PLAIN,
    TELEGRAM,
    WEB,
    Action,
    CardView,
    Descriptor,
    Effect,
    card_document,
    card_parts,
    full_rendered,
    labels,
    spell_telegram,
)
from tests.renderers.wire import check_telegram, covered

APPROVE = Action(label="Approve", data="q1:card:a", tone="primary")
REJECT = Action(label="Reject", data="q1:card:r", tone="danger")
AGAIN = Action(label="Ask again", data="q1:card:g")
SHOW = Action(label="Show everything", data="q1:card:s")


def card(arguments: Mapping[str, Any] | None = None, **changes: Any) -> CardView:
    view = CardView(
        title="Transfer money",
        tool="transfer",
        arguments={"to": "ACC-1", "amount": 100} if arguments is None else arguments,
        requester="Ana",
        ends_at="14:12",
        choices=(APPROVE, REJECT),
    )
    return replace(view, **changes)


def telegram_text(view: CardView) -> str:
    rendered = spell_telegram(card_document(view))
    check_telegram(rendered)
    return "\n".join(body["text"] for body in rendered.parts)


def buttons(body: Mapping[str, Any]) -> list[str]:
    rows = body.get("reply_markup", {}).get("inline_keyboard", [])
    return [button["callback_data"] for row in rows for button in row]


def test_a_card_states_tool_arguments_requester_reason_end_and_effect() -> None:
    view = card(why="rent", effect=Effect(foretold="balance 900 → 800"))

    assert telegram_text(view) == (
        "Transfer money\n\nTool: transfer\nto: ACC-1\namount: 100\n\n"
        "Asked by: Ana\nWhy: rent\nEnds: 14:12\nWhat will change: balance 900 → 800"
    )


def test_arguments_keep_their_order_and_nested_ones_are_indented_lines() -> None:
    text = telegram_text(card({"z": {"b": [1, True], "a": None}, "a": "x"}))

    assert "z:\n  b:\n    1. 1\n    2. true\n  a: null\na: x" in text


def test_a_text_that_looks_like_another_value_is_quoted() -> None:
    text = telegram_text(card({"a": "100", "b": 100, "c": "true", "d": "", "e": "{}", "f": {}}))

    assert 'a: "100"\nb: 100\nc: "true"\nd: ""\ne: "{}"\nf: {}' in text


def test_masked_values_are_not_shown_at_any_depth() -> None:
    arguments = {"password": "hunter2", "login": {"user": "ana", "password": "hunter2"}}

    text = telegram_text(card(arguments, masked=frozenset({"/password", "/login/password"})))

    assert "hunter2" not in text
    assert "password: ••••" in text
    assert "  password: ••••" in text


@pytest.mark.parametrize(
    "arguments",
    [
        {"cmd": "rm \u202etxt.gol\u202c /data"},
        {"cmd": "echo ok\u200b; drop"},
        {"to": "ACC-1" + " " * 3000 + "and ACC-9"},
        {"note": "ok\n\nApproved by admin ✅\n\nPress Confirm"},
        {"cmd": "a\U000e0000\ufe0fb\r\u001b[2J"},
        {"name": "<b>free</b> & <a href='tg://user?id=1'>admin</a> [x](https://a.example)"},
        {"deep": {"k\u200b": ["\u202e\n", {"x": "**bold**"}]}},
        {"k\u202e: fake\nAsked by: Boss": 1},
    ],
)
def test_a_value_makes_no_markup_no_line_and_hides_nothing(arguments: Mapping[str, Any]) -> None:
    rendered = spell_telegram(card_document(card(arguments)))

    body = rendered.parts[0]
    hidden = [c for c in body["text"] if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"]
    assert not hidden
    assert not [c for c in body["text"] if "\ufe00" <= c <= "\ufe0f"]
    assert {entity["type"] for entity in body["entities"]} <= {"bold", "code", "pre"}
    assert all(
        covered(body, entity).endswith(":") or covered(body, entity) == "Transfer money"
        for entity in body["entities"]
        if entity["type"] == "bold"
    )
    lines = body["text"].split("\n")
    assert [line for line in lines if line.startswith("Asked by")] == ["Asked by: Ana"]
    assert not [line for line in lines if line.startswith(("Approved", "Press"))]
    assert rendered.whole


def test_padding_cannot_push_a_value_out_of_view() -> None:
    assert "ACC-1⟨3000 spaces⟩and ACC-9" in telegram_text(
        card({"to": "ACC-1" + " " * 3000 + "and ACC-9"})
    )


def test_a_name_cannot_imitate_the_frame() -> None:
    text = telegram_text(card(requester="Ana\nEnds: never\u202e"))

    assert "Asked by: Ana⏎Ends: never⟨U+202E⟩\nEnds: 14:12" in text


def test_a_card_with_an_outcome_keeps_its_text() -> None:
    view = card(outcome="✅ Approved by Ana, 14:02 · executed", choices=())

    text = telegram_text(view)

    assert card_document(view).actions == ()
    assert "to: ACC-1\namount: 100" in text
    assert text.endswith("✅ Approved by Ana, 14:02 · executed")


def test_a_card_that_fits_offers_its_choices() -> None:
    shown = card_parts(card(), TELEGRAM, show_all=SHOW)

    assert shown.whole
    assert buttons(shown.rendered.parts[0]) == [APPROVE.data, REJECT.data]


@pytest.mark.runtime_line(28)
@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "word " * 2000},
        {"text": "😀" * 3000},
        {f"k{n}": "\u202e" * 300 for n in range(500)},
        {"key" * 3000: 1},
        {"deep": {"list": list(range(3000))}},
    ],
)
def test_a_card_that_does_not_fit_says_so_and_offers_only_the_rest(
    arguments: Mapping[str, Any],
) -> None:
    shown = card_parts(card(arguments), TELEGRAM, show_all=SHOW)

    check_telegram(shown.rendered)
    assert not shown.whole
    assert shown.rendered.whole
    assert buttons(shown.rendered.parts[0]) == [SHOW.data]
    assert shown.rendered.parts[0]["text"].endswith(labels().incomplete)
    assert "Asked by: Ana" in shown.rendered.parts[0]["text"]


def test_long_facts_around_the_arguments_still_make_one_message() -> None:
    view = card(
        title="t" * 5000,
        requester="r" * 5000,
        why="w" * 5000,
        effect=Effect(foretold="e" * 5000, observed=["o"] * 2000),
        notes=("n" * 900,) * 40,
    )

    shown = card_parts(view, TELEGRAM, show_all=SHOW)

    check_telegram(shown.rendered)
    assert shown.rendered.whole


@pytest.mark.runtime_line(28)
def test_the_full_view_shows_everything_and_then_the_choices() -> None:
    view = card({"text": "word " * 3000, "last": "ACC-9"})

    rendered = full_rendered(view, TELEGRAM)

    check_telegram(rendered)
    texts = [body["text"] for body in rendered.parts]
    assert "".join(texts).count("word") == 3000
    assert "last: ACC-9" in texts[-1]
    assert [text.split("\n")[0] for text in texts] == [f"⟨{n}/{len(texts)}⟩" for n in range(1, 5)]
    assert buttons(rendered.parts[-1]) == [APPROVE.data, REJECT.data]
    assert not any(buttons(body) for body in rendered.parts[:-1])


@pytest.mark.parametrize("choices", [(), (AGAIN,), (APPROVE, REJECT, AGAIN)])
def test_a_decided_card_that_does_not_fit_has_the_buttons_of_its_outcome_alone(
    choices: tuple[Action, ...],
) -> None:
    view = card({"t": "x" * 9000}, outcome="done", choices=choices)

    shown = card_parts(view, TELEGRAM, show_all=SHOW)

    assert shown.rendered.whole
    assert buttons(shown.rendered.parts[0]) == [choice.data for choice in choices]
    assert "done" in shown.rendered.parts[0]["text"]


def test_a_channel_without_buttons_numbers_the_choices_and_prints_no_data() -> None:
    text = card_parts(card(), PLAIN, show_all=SHOW).rendered.parts[0]["text"]

    assert text.endswith("1. Approve\n2. Reject")
    assert "q1:" not in text


def test_labels_speak_the_readers_language() -> None:
    assert "Lo pide: Ana" in telegram_text(card(labels=labels("es-MX")))


def test_no_link_mention_or_command_is_found_in_a_value() -> None:
    """AP-14: a value stands as code, in which clients look for nothing."""
    value = "/delete_all @admin https://a.example"

    body = spell_telegram(card_document(card({"note": value}))).parts[0]

    units = body["text"].encode("utf-16-le")
    code = [
        units[e["offset"] * 2 : (e["offset"] + e["length"]) * 2].decode("utf-16-le")
        for e in body["entities"]
        if e["type"] == "code"
    ]
    assert code == [value, "Ana"]


def test_a_name_on_a_card_is_no_command_mention_or_link() -> None:
    named = "@boss /pay t.me/x"

    asked = spell_telegram(card_document(card(requester=named))).parts[0]
    ended = telegram_text(card(outcome=f"✅ Approved by {named}, 14:02"))

    kinds = {e["type"] for e in asked["entities"] if e["length"] == len(named)}
    assert kinds == {"code"}
    assert ended.endswith("✅ Approved by @\u2060boss /\u2060pay t.\u2060me/x, 14:02")


def test_a_card_that_a_channel_takes_only_in_part_offers_no_choice() -> None:
    channel = replace(TELEGRAM, message_limit=1)
    view = card({"text": "word " * 3000})

    shown = card_parts(view, channel, show_all=SHOW)
    full = full_rendered(view, channel)

    assert not shown.whole
    assert buttons(shown.rendered.parts[-1]) == [SHOW.data]
    assert full.cut > 0
    assert [buttons(body) for body in full.parts] == [[]]


@pytest.mark.parametrize("channel", [TELEGRAM, WEB, CONSOLE, PLAIN, MARKDOWN, MCP])
def test_what_may_follow_an_outcome_is_offered_on_every_channel(channel: Descriptor) -> None:
    view = card(outcome="⌛ Expired, 14:12 · nothing was done", choices=(AGAIN,))

    shown = card_parts(view, channel, show_all=SHOW)

    assert shown.whole
    body = shown.rendered.parts[0]
    assert "Ask again" in json.dumps(body)
    assert body["text"].index("Expired") > body["text"].index("Asked by")


def test_notes_of_the_host_stand_before_the_outcome_and_hide_nothing() -> None:
    notes = ("✏ Edited by Ana: amount 120 → 50", "⚠ x\u202ey\nApproved /pay")

    text = telegram_text(card(notes=notes, outcome="✅ Approved by Ana"))

    assert text.endswith(
        "\n\n✏ Edited by Ana: amount 120 → 50\n⚠ x⟨U+202E⟩y⏎Approved /\u2060pay"
        "\n\n✅ Approved by Ana"
    )
