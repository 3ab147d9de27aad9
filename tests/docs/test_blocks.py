"""What the pages show is what happens: their code runs, and prints what they say."""

from pathlib import Path

import pytest

from comal_bot.settings import BadSettings

from .blocks import Story, WrongOutput, blocks_of

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"python", "console", "text", "toml", "mermaid", "sh"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_runs_and_prints_what_is_shown(page: Path, tmp_path: Path) -> None:
    blocks = blocks_of(page)

    Story(tmp_path).run(blocks)

    assert {block.language for block in blocks} <= LANGUAGES


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(1)  # 1\n```\n",
        "```python\nprint(1)\n```\n\n```text\n1\n```\n",
        "```python\nimport asyncio\n\nprint(await asyncio.sleep(0, 1))  # 1\n```\n",
        "```python\n# one.py\nONE = 1\n```\n\n```python\nimport one\n\nprint(one.ONE)  # 1\n```\n",
        "```console\n$ echo 1\n1\n$ echo two\nt...\n```\n",
    ],
    ids=["comment", "text", "awaited", "file", "command"],
)
def test_a_block_that_prints_something_else_than_is_shown_is_told(
    text: str, tmp_path: Path
) -> None:
    right, wrong = tmp_path / "right.md", tmp_path / "wrong.md"
    right.write_text(text)
    wrong.write_text(text.replace("# 1", "# 3").replace("\n1\n", "\n3\n"))
    Story(tmp_path).run(blocks_of(right))

    with pytest.raises(WrongOutput, match="shows"):
        Story(tmp_path).run(blocks_of(wrong))


def test_settings_that_a_host_would_refuse_are_told(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```toml\n# comal.toml\n[limits]\nprobing = 'off'\n```\n")

    with pytest.raises(BadSettings, match="probing"):
        Story(tmp_path).run(blocks_of(page))
