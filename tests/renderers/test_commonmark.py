"""Documents spelled as Markdown."""

import json
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers import (
    WEB,
    Action,
    Code,
    Document,
    Field,
    Fields,
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
    spell,
    spell_markdown,
    spell_plain,
)
from comal_renderers.document import Block
from tests.renderers.any_document import DOCUMENTS, LETTERS


def written(*blocks: Block) -> str:
    return "\n".join(part["text"] for part in spell_markdown(Document(blocks=blocks)).parts)


def read_back(*blocks: Block) -> tuple[Block, ...]:
    return parse_markdown(written(*blocks)).blocks


BOLD, ITALIC = frozenset({"bold"}), frozenset({"italic"})
BLOCKS: tuple[Block, ...] = (
    Heading(content="Title", level=1),
    Text(content="line one\nline two\n\nline four"),
    List(items=(Item(blocks=(Text(content="a"), List(items=entries("b", "c")))),)),
    List(items=entries("x", "y"), ordered=True, start=3),
    List(items=entries("another", "list"), ordered=True),
    List(items=(Item(blocks=(Text(content="t"),), checked=True),)),
    Quote(blocks=(Text(content="q"), Quote(blocks=(Text(content="r"),)))),
    Code(text="a\n\n```\n  b", language="py"),
    Table(header=("a", "b|c"), rows=(("1", "2"), ("", "\\|"))),
    Text(content=Rich(spans=(Span(text="b", styles=BOLD), Span(text="i", styles=ITALIC)))),
    Text(content=Rich(spans=(Span(text="site", link="https://x.example/a"), Span(text="!")))),
    Text(content=Rich(spans=(Span(text="` `` x", styles=frozenset({"code"})),))),
)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_a_block_reads_back_as_itself(block: Block) -> None:
    assert read_back(block) == (block,)


def test_blocks_in_a_row_read_back_as_the_same_blocks() -> None:
    assert read_back(*BLOCKS) == BLOCKS


@pytest.mark.original_fault("RR:cli-markup-injection")
@pytest.mark.parametrize(
    "text",
    [
        "*a* _b_ **c** ~~d~~ `e`",
        "# no title",
        "- no\n+ list\n1. at\n2) all",
        "> no quote",
        "a\n===\nb\n---",
        "***",
        "    no code",
        "```\nfence",
        "[a](https://x.example) ![b](c) [d]: e",
        "<b>&amp; &#35;</b>",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "a | b\n:-",
        "[x] no task",
        "back\\slash \\* at the end\\",
        "two  \nblanks",
        "  \u00a0 edges \u3000",
        "https://evil.example www.evil.example @admin a@b.example",
    ],
)
def test_no_text_becomes_markup(text: str) -> None:
    for block in (
        Text(content=text),
        List(items=entries(text)),
        Quote(blocks=entries(text)[0].blocks),
    ):
        assert read_back(block) == (block,)


def test_addresses_in_text_stay_text_for_readers_that_make_links() -> None:
    shown = written(Text(content="https://evil.example www.evil.example @admin"))

    assert shown == "https\\://evil.example www\\.evil.example \\@admin"


def test_ordinary_prose_is_written_as_it_is() -> None:
    text = "Version 2.5 of read_file costs 3-4 € (a + b = c); see 10:30, #5 & more!"

    assert written(Text(content=text)) == text


def test_a_style_that_cannot_be_written_gives_way_to_the_text() -> None:
    spans = (Span(text="a"), Span(text='"b"', styles=BOLD), Span(text="c"))

    assert read_back(Text(content=Rich(spans=spans))) == (Text(content='a"b"c'),)


def test_a_link_behind_an_exclamation_mark_is_no_picture() -> None:
    spans = (Span(text="Look!"), Span(text="here", link="https://x.example/"))

    assert read_back(Text(content=Rich(spans=spans))) == (Text(content=Rich(spans=spans)),)


def test_fields_are_a_list_of_labels_in_bold() -> None:
    fields = (Field(label="Who", value="Ana\nand Luis"), Field(label="*", value=""))

    assert written(Fields(fields=fields)) == "- **Who:** Ana\\\n  and Luis\n- **\\*:**"


def test_a_heading_that_ends_in_signs_keeps_them() -> None:
    assert read_back(Heading(content="C #")) == (Heading(content="C #"),)


def test_what_is_nested_without_end_is_still_read() -> None:
    block: Block = Text(content="deep")
    for _ in range(60):
        block = Quote(blocks=(block,))

    assert "deep" in spell_plain(Document(blocks=read_back(block))).parts[0]["text"]


def test_an_action_is_a_link_or_a_code_where_markdown_has_no_buttons() -> None:
    actions = (
        Action(label="Confirm", data="secret", link="https://c.example/q"),
        Action(label="Cancel", data="secret", code="K7Q2"),
    )

    (part,) = spell_markdown(Document(actions=actions)).parts

    assert part == {"text": "1. [Confirm](<https://c.example/q>)\n2. Cancel: write `K7Q2`"}


def test_buttons_hang_on_the_last_message_of_a_page() -> None:
    document = Document(blocks=(Text(content="x"),), actions=(Action(label="Go", data="g"),))

    assert spell(document, WEB).parts == (
        {"text": "x", "buttons": [[{"label": "Go", "data": "g", "tone": "neutral"}]]},
    )


def letters(document: Document) -> str:
    """Return what is read of a document, without blanks, signs of lists and odd addresses."""
    text = "\n".join(part["text"] for part in spell_plain(document).parts)
    return "".join(c for c in text if not c.isspace() and c not in "•☐☑>─│┼")


@settings(deadline=None, max_examples=300)
@given(st.lists(st.text(alphabet=LETTERS, max_size=60), max_size=4))
def test_any_text_reads_back_as_itself(texts: list[str]) -> None:
    document = Document(blocks=tuple(Text(content=text) for text in texts))

    shown = "\n".join(part["text"] for part in spell_markdown(document).parts)

    assert letters(parse_markdown(shown)) == letters(document)


SPANS = st.builds(
    Span,
    text=st.text(alphabet="ab *_~`[]()!\\<&1.-#|\n日", max_size=8),
    styles=st.frozensets(st.sampled_from(["bold", "italic", "strike", "code"]), max_size=3),
    link=st.sampled_from([None, None, "https://a.example/"]),
)


@settings(deadline=None, max_examples=400)
@given(st.lists(SPANS, max_size=5).map(tuple))
def test_any_styled_text_reads_back_as_the_same_letters(spans: tuple[Span, ...]) -> None:
    bare = tuple(Span(text=span.text) for span in spans)

    shown = read_back(Text(content=Rich(spans=spans)))

    text = letters(Document(blocks=shown)).replace("(https://a.example/)", "")
    text = text.replace("https://a.example/", "")
    assert text == letters(Document(blocks=(Text(content=Rich(spans=bare)),)))
    assert any(span.link for span in spans) or "a.example" not in str(shown)


@settings(deadline=None)
@given(DOCUMENTS)
def test_any_document_is_markdown_that_can_be_read_and_encoded(document: Document) -> None:
    rendered = spell_markdown(document)

    for part in rendered.parts:
        json.dumps(part).encode()
        assert not [c for c in part["text"] if unicodedata.category(c) == "Cs"]
        parse_markdown(part["text"])
