"""The size check sees what git would track and nothing else."""

import subprocess
from pathlib import Path

from tests.support.check_sizes import MAX_LINES, too_long


def write(path: Path, *, lines: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x = 1\n" * lines)


def test_a_file_at_the_limit_passes_and_one_line_more_is_named_with_its_length(tmp_path: Path):
    write(tmp_path / "fits.py", lines=MAX_LINES)
    write(tmp_path / "package" / "over.py", lines=MAX_LINES + 1)

    complaints = too_long(tmp_path)

    assert len(complaints) == 1
    assert complaints[0].startswith(f"package/over.py: {MAX_LINES + 1} lines")


def test_an_untracked_file_is_checked_and_an_ignored_one_is_not(tmp_path: Path):
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("made/\n")
    write(tmp_path / "made" / "ignored.py", lines=MAX_LINES + 1)
    write(tmp_path / "untracked.py", lines=MAX_LINES + 1)

    complaints = too_long(tmp_path)

    assert [line.split(":")[0] for line in complaints] == ["untracked.py"]


def test_outside_git_a_virtual_environment_is_left_out(tmp_path: Path):
    write(tmp_path / ".venv" / "library.py", lines=MAX_LINES + 1)

    complaints = too_long(tmp_path)

    assert complaints == []
