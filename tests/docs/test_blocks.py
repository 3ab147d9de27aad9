"""What the pages show is what happens: their code runs, and prints what they say."""

from pathlib import Path

import pytest

from .blocks import Story, blocks_of

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
LANGUAGES = {"python", "console", "text", "toml", "mermaid", "sh"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_runs_and_prints_what_is_shown(page: Path, tmp_path: Path) -> None:
    blocks = blocks_of(page)

    Story(tmp_path).run(blocks)

    assert {block.language for block in blocks} <= LANGUAGES
