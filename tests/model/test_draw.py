"""The document of states is drawn from the table."""

import pytest

from .draw import DOCUMENT, drawn


def test_the_document_shows_the_table_as_it_is() -> None:
    text = DOCUMENT.read_text("utf-8")

    assert drawn(text) == text, "docs/consent-states.md is stale: python -m tests.model.draw"


def test_a_document_that_lacks_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="picture"):
        drawn("# nothing drawn")
