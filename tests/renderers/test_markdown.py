"""A model's Markdown read as a document."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers import (
    Code,
    Document,
    Heading,
    Item,
    List,
    Quote,
    Rich,
    Span,
    Table,
    Text,
    entries,
    parse_markdown,
    spell_plain,
    spell_telegram,
)
from tests.renderers.wire import check_telegram, entities


def telegram(text: str) -> str:
    rendered = spell_telegram(parse_markdown(text))
    check_telegram(rendered)
    return "\n".join(body["text"] for body in rendered.parts)


def test_bullets_and_bold_written_with_stars_are_told_apart() -> None:
    rendered = spell_telegram(parse_markdown("*   **Total**: 15\n*   **Due**: Fri"))

    assert rendered.parts[0]["text"] == "• Total: 15\n• Due: Fri"
    assert entities(rendered.parts[0], "bold") == ["Total", "Due"]


def test_hard_breaks_are_newlines_and_html_stays_text() -> None:
    shown = telegram("line one  \nline two\\\nline three<br>four<p>five</p>")

    assert shown == "line one\nline two\nline three<br>four<p>five</p>"


@pytest.mark.parametrize(
    "text",
    ["if a<b && c>d use List<int> or <name>", "<b>bold</b>", "<div>\nblock\n</div>", "2 < 3 > 1"],
)
def test_what_looks_like_a_tag_is_shown_as_written(text: str) -> None:
    assert telegram(text) == text


@pytest.mark.parametrize(
    "text",
    ["Use:\n```\nparse_mode=X", "````md\n```py\nprint('```')\n```\n````", "`a", "**bold _it** al_"],
)
def test_every_prefix_of_unfinished_markup_can_be_sent(text: str) -> None:
    for end in range(len(text) + 1):
        telegram(text[:end])


def test_a_fence_within_a_longer_fence_is_its_text() -> None:
    document = parse_markdown("````md\n```py\nprint('```')\n```\n````")

    assert document.blocks == (Code(text="```py\nprint('```')\n```", language="md"),)


@pytest.mark.parametrize("address", ["tg://user?id=1", "javascript:alert(1)", "file:///etc/passwd"])
def test_an_address_of_another_scheme_is_shown_and_never_linked(address: str) -> None:
    rendered = spell_telegram(parse_markdown(f"[click]({address}) <{address}>"))

    assert rendered.parts[0]["entities"] == []
    assert address in rendered.parts[0]["text"]


def test_links_keep_parentheses_and_references_resolve() -> None:
    document = parse_markdown("[a](https://x.example/Foo_(bar)) [b]\n\n[b]: https://y.example")

    assert document.blocks == (
        Text(
            content=Rich(
                spans=(
                    Span(text="a", link="https://x.example/Foo_(bar)"),
                    Span(text=" "),
                    Span(text="b", link="https://y.example"),
                )
            )
        ),
    )


@pytest.mark.parametrize("text", ["[INFO]: done", "[1]: https://x.example", "[a]: /b\n[c]: /d"])
def test_a_definition_that_no_link_uses_is_kept_as_text(text: str) -> None:
    assert telegram(text) == text


def test_a_styled_box_is_no_task() -> None:
    document = parse_markdown("- `[x] a`")

    assert isinstance(document.blocks[0], List)
    assert document.blocks[0].items[0].checked is None


def test_an_image_is_its_description_linked_to_it() -> None:
    document = parse_markdown("![plan](https://x.example/p.png)")

    assert document.blocks == (
        Text(content=Rich(spans=(Span(text="plan", link="https://x.example/p.png"),))),
    )


def test_an_embedded_image_is_named_without_its_bytes() -> None:
    assert telegram("![dot](data:image/png;base64,AAAA)") == "dot (data:image/png;base64,…)"


def test_lists_quotes_headings_and_tasks_become_blocks() -> None:
    document = parse_markdown("# T\n\n- [x] a\n- [ ] b\n\n3. c\n\n> q")

    assert document.blocks == (
        Heading(content="T", level=1),
        List(
            items=(
                Item(blocks=(Text(content="a"),), checked=True),
                Item(blocks=(Text(content="b"),), checked=False),
            )
        ),
        List(items=entries("c"), ordered=True, start=3),
        Quote(blocks=(Text(content="q"),)),
    )


def test_a_table_keeps_its_cells() -> None:
    document = parse_markdown("| a | b |\n|---|---|\n| 1 | x\\|y |")

    assert document.blocks == (Table(header=("a", "b"), rows=(("1", "x|y"),)),)


@pytest.mark.parametrize("text", [">" * 200 + " hi", "- " * 100 + "hi", "*" * 400 + "hi"])
def test_nesting_without_end_loses_no_text(text: str) -> None:
    assert "hi" in telegram(text)


MARKUP = st.text(alphabet="ab 1.\n\t\r*_~`[]()<>!#|-+>:/\\&;=x\x00\u200d😀", max_size=120)


@settings(max_examples=300, deadline=None)
@given(MARKUP | st.text(st.characters(), max_size=80))
def test_no_input_raises_and_every_output_obeys_the_wire(text: str) -> None:
    document = parse_markdown(text)

    assert isinstance(document, Document)
    check_telegram(spell_telegram(document))
    spell_plain(document)


PROSE = st.text(alphabet="ab 1.\n*_[]<>#-+\\&;!x=", max_size=120)


@settings(max_examples=200, deadline=None)
@given(PROSE)
def test_letters_of_the_source_are_never_lost(text: str) -> None:
    words = text.replace("a", "word")

    shown = spell_plain(parse_markdown(words)).parts

    assert words.count("word") <= "".join(body["text"] for body in shown).count("word")


def test_a_lone_surrogate_is_replaced() -> None:
    assert telegram("a\ud800b") == "a\ufffdb"
