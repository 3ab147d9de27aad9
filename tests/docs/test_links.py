"""Links between the pages lead somewhere, and every page is found."""

from pathlib import Path

import pytest

from .links import anchors_of, lead_nowhere, links_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_to_a_heading_in_it(page: Path) -> None:
    nowhere = lead_nowhere(page)

    assert nowhere == []


def test_every_page_is_linked_from_the_index() -> None:
    index = DOCS / "README.md"

    linked = {(DOCS / link).resolve() for link in links_of(index)}

    assert {page for page in DOCS.rglob("*.md") if page != index} <= linked


def test_a_link_to_a_missing_file_or_heading_is_told(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A *title*, `code`\n\n[a](#a-title-code) [b](#b) [c](c.md) ![d](d.png) [e](https://e.org)\n"
    )

    nowhere = lead_nowhere(page)

    assert anchors_of(page) == {"a-title-code"}
    assert nowhere == ["#b", "c.md", "d.png"]
