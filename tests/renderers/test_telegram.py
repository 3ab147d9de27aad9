"""Documents spelled for Telegram."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers import (
    Action,
    Code,
    Document,
    Heading,
    Item,
    List,
    Quote,
    Rendered,
    Rich,
    Span,
    Text,
    entries,
    parse_markdown,
    spell_telegram,
)
from tests.renderers.wire import check_telegram, covered, entities


def spelled(*blocks: object, actions: tuple[Action, ...] = ()) -> Rendered:
    rendered = spell_telegram(Document(blocks=blocks, actions=actions))
    check_telegram(rendered)
    return rendered


def joined(rendered: Rendered) -> str:
    return "".join(body["text"] for body in rendered.parts)


@pytest.mark.parametrize(
    "text",
    ["x" * 4095 + "😀", "😀" * 3000, "e\u0301" * 3000, "👩‍👩‍👧‍👦" * 900, "🇲🇽" * 2500, "각" * 5000],
)
def test_long_text_loses_nothing_and_no_character_is_cut(text: str) -> None:
    rendered = spelled(Text(content=text))

    assert joined(rendered) == text
    assert len(rendered.parts) > 1
    for body in rendered.parts:
        assert body["text"][0] not in "\u0301\u200d"
        assert body["text"][-1] != "\u200d"
        assert body["text"].count("🇲") == body["text"].count("🇽")


def test_a_character_longer_than_a_message_is_cut_between_code_points() -> None:
    text = "a" + "\u0301" * 9000

    assert joined(spelled(Text(content=text))) == text


def test_text_of_exactly_the_limit_is_one_message() -> None:
    assert spelled(Text(content="x" * 4094 + "😀")).whole
    assert not spelled(Text(content="x" * 4095 + "😀")).whole


def test_a_cut_prefers_the_gap_between_blocks_to_lines_and_words() -> None:
    rendered = spelled(Text(content="one two\n" * 300), Text(content="three four\n" * 300))

    assert rendered.parts[0]["text"].endswith("one two")
    assert rendered.parts[1]["text"].startswith("three four")


def test_four_hundred_links_arrive_whole_and_in_order_under_the_entity_limit() -> None:
    rendered = spell_telegram(
        parse_markdown(" ".join(f"[x](https://e.example/{n})" for n in range(420)))
    )

    check_telegram(rendered)
    links = [entity["url"] for body in rendered.parts for entity in body["entities"]]
    assert links == [f"https://e.example/{n}" for n in range(420)]


def test_a_long_code_block_is_reopened_with_its_language_and_indentation() -> None:
    code = "\n".join(f"    print({n})" for n in range(900))
    rendered = spelled(Text(content="Look:"), Code(text=code, language="python"))

    assert len(rendered.parts) > 2
    shown = "\n".join("\n".join(entities(body, "pre")) for body in rendered.parts)
    assert shown == code
    assert all(body["entities"][0]["language"] == "python" for body in rendered.parts)


def test_a_style_that_is_cut_is_closed_and_reopened() -> None:
    bold = Rich(spans=(Span(text="w " * 3000, styles=frozenset({"bold"})),))

    rendered = spelled(Text(content=bold))

    assert [covered(b, b["entities"][0]) for b in rendered.parts] == [
        b["text"] for b in rendered.parts
    ]


def test_styles_that_cross_come_out_nested() -> None:
    rendered = spelled(
        Text(
            content=Rich(
                spans=(
                    Span(text="a", styles=frozenset({"bold"})),
                    Span(text="b", styles=frozenset({"bold", "italic"})),
                    Span(text="c", styles=frozenset({"italic"})),
                )
            )
        )
    )

    assert entities(rendered.parts[0], "bold") == ["ab"]
    assert entities(rendered.parts[0], "italic") == ["b", "c"]


def test_code_shares_its_text_with_no_other_entity_but_a_quote() -> None:
    code = Span(text="x", styles=frozenset({"bold", "code"}))

    rendered = spelled(Quote(blocks=(Text(content=Rich(spans=(code,))), Code(text="y"))))

    kinds = [entity["type"] for entity in rendered.parts[0]["entities"]]
    assert sorted(kinds) == ["blockquote", "code", "pre"]


def test_a_link_telegram_would_drop_is_written_out() -> None:
    for link in ("http://localhost:8080/", "tg://user?id=1", "javascript:alert(1)"):
        rendered = spelled(Text(content=Rich(spans=(Span(text="here", link=link),))))

        assert rendered.parts == ({"text": f"here ({link})", "entities": []},)


def test_offsets_count_utf16_units() -> None:
    rendered = spelled(Text(content="😀"), Heading(content="Title"))

    assert rendered.parts[0]["entities"] == [{"type": "bold", "offset": 4, "length": 5}]


def test_the_keyboard_hangs_on_the_last_message_with_its_tones() -> None:
    rendered = spelled(
        Text(content="x" * 5000),
        actions=(
            Action(label="Yes", data="q1:a:y", tone="primary"),
            Action(label="No", data="q1:a:n", tone="danger"),
            Action(label="Later", data="q1:a:l"),
        ),
    )

    assert rendered.parts[-1]["reply_markup"] == {
        "inline_keyboard": [
            [
                {"text": "Yes", "callback_data": "q1:a:y", "style": "primary"},
                {"text": "No", "callback_data": "q1:a:n", "style": "danger"},
                {"text": "Later", "callback_data": "q1:a:l"},
            ]
        ]
    }


def test_a_row_holds_eight_buttons_at_most_and_long_labels_stand_alone() -> None:
    short = tuple(Action(label=str(n), data=str(n)) for n in range(10))
    long = tuple(Action(label="word " * 7, data=str(n)) for n in range(2))

    keyboard = spelled(Text(content="x"), actions=short + long).parts[-1]["reply_markup"]

    assert [len(row) for row in keyboard["inline_keyboard"]] == [8, 2, 1, 1]


def test_buttons_without_text_still_have_a_message_to_hang_on() -> None:
    assert spelled(actions=(Action(label="Go", data="g"),)).whole


@pytest.mark.parametrize("data", ["", "q" * 65, "é" * 33])
def test_an_action_whose_data_does_not_fit_is_a_line_and_no_button(data: str) -> None:
    actions = (Action(label="Go", data="g"), Action(label="Off", data=data))

    (body,) = spelled(Text(content="x"), actions=actions).parts

    assert body["text"] == "x\n\n2. Off"
    assert body["reply_markup"] == {"inline_keyboard": [[{"text": "Go", "callback_data": "g"}]]}


def test_a_button_without_a_label_still_has_one() -> None:
    (body,) = spelled(Text(content="x"), actions=(Action(label=" \n", data="g"),)).parts

    assert body["reply_markup"]["inline_keyboard"][0][0]["text"] == "…"


def test_actions_over_the_limit_become_numbered_lines() -> None:
    actions = tuple(Action(label=f"b{n}", data=str(n)) for n in range(1, 103))

    rendered = spelled(Text(content="x"), actions=actions)

    assert rendered.parts[-1]["text"].endswith("101. b101\n102. b102")


def test_nothing_to_see_makes_no_message() -> None:
    assert spelled(Text(content=" \n\u200b\u2800 ")).parts == ()


def test_lone_surrogates_and_control_characters_do_not_reach_the_wire() -> None:
    rendered = spelled(Text(content="a\ud800b\x1b[2Jc\r\nd"))

    assert rendered.parts[0]["text"] == "a\ufffdb [2Jc\nd"


def test_nested_lists_keep_their_depth_and_their_boxes() -> None:
    inner = List(items=(Item(blocks=(Text(content="a\nb"),), checked=True),))
    outer = List(items=(Item(blocks=(Text(content="top"), inner)), *entries("two")), ordered=True)

    assert spelled(outer).parts[0]["text"] == "1. top\n   ☑ a\n     b\n2. two"


STYLES = st.frozensets(st.sampled_from(["bold", "italic", "strike", "code", "spoiler"]))
SPANS = st.builds(
    Span,
    text=st.text(alphabet="ab \n😀\u0301👩\u200d🇲"),
    styles=STYLES,
    link=st.sampled_from([None, "https://a.example/", "tg://x"]),
)
TEXTS = st.builds(Text, content=st.builds(Rich, spans=st.lists(SPANS, max_size=60).map(tuple)))
CODES = st.builds(Code, text=st.text(alphabet="ab \n😀"), language=st.sampled_from([None, "py"]))
QUOTES = st.builds(Quote, blocks=st.lists(TEXTS | CODES, max_size=3).map(tuple))


@settings(deadline=None)
@given(st.lists(TEXTS | CODES | QUOTES, max_size=12), st.integers(1, 2500))
def test_any_document_obeys_the_wire(blocks: list[Text | Code | Quote], length: int) -> None:
    filler = Text(content="😀 " * length)

    rendered = spelled(*blocks, filler, *blocks)

    assert joined(rendered).count("😀") == length + 2 * sum(map(smiles, blocks))


def smiles(block: Text | Code | Quote) -> int:
    match block:
        case Text(content=Rich(spans=spans)):
            return sum(span.text.count("😀") for span in spans)
        case Code(text=text):
            return text.count("😀")
        case Quote(blocks=blocks):
            inside: list[int] = [smiles(inner) for inner in blocks]
            return sum(inside)
        case _:
            return 0
