"""Documents spelled as plain text."""

from comal_renderers import (
    Action,
    Code,
    Divider,
    Document,
    Field,
    Fields,
    Heading,
    Notice,
    Quote,
    Text,
    spell_plain,
)


def test_every_block_has_a_plain_spelling() -> None:
    document = Document(
        blocks=(
            Heading(content="Title"),
            Fields(fields=(Field(label="Who", value="Ana\nand Luis"),)),
            Quote(blocks=(Text(content="said"), Quote(blocks=(Text(content="before"),)))),
            Code(text="x = 1\n  y"),
            Divider(),
            Notice(content="careful", tone="warning"),
        ),
        actions=(Action(label="Go", data="d"),),
    )

    text = spell_plain(document).parts[0]["text"]

    assert text.split("\n\n") == [
        "Title",
        "Who: Ana\n  and Luis",
        "> said\n>\n> > before",
        "x = 1\n  y",
        "──────────",
        "⚠ careful",
        "1. Go",
    ]


def test_an_escape_sequence_cannot_reach_a_terminal() -> None:
    assert spell_plain(Document(blocks=(Text(content="a\x1b[2J\x9bb"),))).parts == (
        {"text": "a [2J b"},
    )


def test_an_empty_document_makes_no_message() -> None:
    assert spell_plain(Document()).parts == ()
