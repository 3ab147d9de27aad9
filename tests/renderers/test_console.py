"""Documents spelled for a terminal."""

import pytest

from comal_renderers import (
    Action,
    Code,
    Divider,
    Document,
    Field,
    Fields,
    Heading,
    Item,
    List,
    Notice,
    Quote,
    Rich,
    Span,
    Table,
    Text,
    entries,
    spell_console,
)
from comal_renderers.document import Block


def shown(*blocks: Block, width: int = 40, styles: bool = False) -> str:
    (part,) = spell_console(Document(blocks=blocks), width=width, styles=styles).parts
    return str(part["text"])


def test_every_block_has_a_spelling_for_a_terminal() -> None:
    text = shown(
        Heading(content="Title"),
        Fields(fields=(Field(label="Who", value="Ana\nand Luis"), Field(label="a", value="b"))),
        Quote(blocks=(Text(content="said"), List(items=entries("one", "two"), ordered=True))),
        Code(text="x = 1\n  y"),
        List(items=(Item(blocks=(Text(content="done"),), checked=True), Item(blocks=()))),
        Divider(),
        Notice(content="careful", tone="warning"),
    )

    assert text.split("\n\n") == [
        "Title\n─────",
        "Who: Ana\n     and Luis\na:   b",
        "│ said\n│\n│ 1. one\n│ 2. two",
        "  x = 1\n    y",
        "• ☑ done\n•",
        "─" * 40,
        "⚠ careful",
    ]


@pytest.mark.original_fault("RR:cli-markup-injection")
@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("a\x1b[2Jb", "a⟨U+001B⟩[2Jb"),
        ("a\x9b31mb", "a⟨U+009B⟩31mb"),
        ("a\rb\x07", "a⟨U+000D⟩b⟨U+0007⟩"),
        ("rm \u202etxt.exe", "rm ⟨U+202E⟩txt.exe"),
        ("\x1b]8;;https://evil.example\x1b\\x", "⟨U+001B⟩]8;;https://evil.example⟨U+001B⟩\\x"),
        ("a\tb\r\nc", "a    b\nc"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_what_would_command_a_terminal_is_made_visible(data: str, told: str) -> None:
    assert shown(Text(content=data), width=60) == told
    assert "\x1b" not in shown(Code(text=data), Fields(fields=(Field(label=data, value=data),)))


def test_styles_are_written_only_where_they_are_wanted() -> None:
    content = Rich(
        spans=(
            Span(text="a long bold", styles=frozenset({"bold"})),
            Span(text=" and site", link="https://x.example/"),
        )
    )
    blocks = (Text(content=content), Notice(content="bad", tone="error"))

    assert shown(*blocks) == "a long bold and site\n(https://x.example/)\n\n⛔ bad"
    assert shown(*blocks, styles=True, width=8) == (
        "\x1b[1ma long\x1b[0m\n\x1b[1mbold\x1b[0m and\nsite\n(https:/\n/x.examp\nle/)"
        "\n\n⛔ \x1b[31mbad\x1b[0m"
    )


def test_a_table_stands_in_columns_whatever_the_letters() -> None:
    table = Table(header=("n", "wide"), rows=(("1", "日本"), ("👩‍👩‍👧‍👦",)))

    assert shown(table) == "n  │ wide\n───┼─────\n1  │ 日本\n👩‍👩‍👧‍👦 │"


def test_a_table_that_is_too_wide_wraps_its_cells() -> None:
    table = Table(header=("id", "text"), rows=(("1", "one two three four five"), ("2", "six")))

    assert shown(table, width=18) == (
        "id │ text\n───┼──────────────\n1  │ one two three\n   │ four five\n2  │ six"
    )


def test_a_table_that_is_far_too_wide_becomes_records() -> None:
    table = Table(header=("one", "two", "three"), rows=(("a" * 9, "b" * 9, "c"), ("d", "e", "f")))

    assert shown(table, width=16) == (
        "one:   aaaaaaaaa\ntwo:   bbbbbbbbb\nthree: c\n\none:   d\ntwo:   e\nthree: f"
    )


def test_actions_become_numbered_lines_with_their_codes() -> None:
    document = Document(actions=(Action(label="Go", data="secret", code="K7Q2"),))

    assert spell_console(document).parts == ({"text": "1. Go: write K7Q2"},)


def test_an_empty_document_makes_no_message() -> None:
    assert spell_console(Document()).parts == ()


def test_code_in_a_field_stands_below_its_label() -> None:
    code = Field(label="to", value=Code(text="a: 1\nb: 2"))

    text = shown(Fields(fields=(code, Field(label="n", value="1"))))

    assert text == "to:\n  a: 1\n  b: 2\nn:  1"
