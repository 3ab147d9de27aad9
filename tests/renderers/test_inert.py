"""Text of others: no command, mention or link comes to life in it."""

import pytest

from comal_renderers import parse_markdown
from comal_renderers.document import Text
from comal_renderers.inert import inert, inert_name, inert_words
from comal_renderers.inline import spans_of

J = "\u2060"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("/stop", f"/{J}stop"),
        ("ask @ana (@bo) or /stop@comal_bot", f"ask @{J}ana (@{J}bo) or /{J}stop@comal_bot"),
        ("x://@ana", f"x://@{J}ana"),
        ("and/or, 3/4, a@b.example, </b>", "and/or, 3/4, a@b.example, </b>"),
        ("see https://a.example/@ana/stop?x=/y", "see https://a.example/@ana/stop?x=/y"),
        ("a / b @ c", "a / b @ c"),
    ],
)
def test_only_words_that_would_be_commands_or_mentions_are_changed(
    written: str, shown: str
) -> None:
    assert inert_words(written) == shown


def test_a_name_is_no_link_either() -> None:
    assert inert_name("t.me/evil http://a") == f"t.{J}me/evil http:{J}//{J}a"
    assert inert_name("Rosa Diaz (telegram:42), 10:00 · 3/4") == (
        "Rosa Diaz (telegram:42), 10:00 · 3/4"
    )


def test_a_command_made_of_two_styles_stays_dead_and_code_stays_exact() -> None:
    document = inert(
        parse_markdown("[/](https://a.example)stop `/stop` ask [@](https://a.example)ana")
    )

    (block,) = document.blocks
    assert isinstance(block, Text)
    text = "".join(span.text for span in spans_of(block.content))
    assert text == f"/{J}stop /stop ask @{J}ana"


def test_lists_quotes_and_headings_are_inert() -> None:
    document = inert(parse_markdown("# /a\n\n- /b\n\n> /c"))

    assert str(document.blocks).count("\\u2060") == 3
