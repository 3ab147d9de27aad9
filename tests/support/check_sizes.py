"""Fails when a Python file is too long for one idea: `python -m tests.support.check_sizes`."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_LINES = 300
_LIST = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.py")


def python_files(root: Path) -> Iterator[Path]:
    """Yield the Python files that git tracks or would track; outside git, all but hidden ones."""
    listing = subprocess.run(_LIST, cwd=root, capture_output=True, check=False)
    if listing.returncode == 0:
        names = {Path(name) for name in listing.stdout.decode().split("\0") if name}
    else:
        names = {path.relative_to(root) for path in root.rglob("*.py")}
        names = {name for name in names if not any(part.startswith(".") for part in name.parts)}
    yield from sorted(name for name in names if (root / name).is_file())


def too_long(root: Path) -> list[str]:
    """Return one line of complaint for each file under `root` that is over the limit."""
    counts = {name: len((root / name).read_bytes().splitlines()) for name in python_files(root)}
    return [
        f"{name}: {count} lines, at most {MAX_LINES}; look for the second idea in it"
        for name, count in counts.items()
        if count > MAX_LINES
    ]


def main() -> int:
    """Check the folder the command was started in; return the exit status."""
    complaints = too_long(Path.cwd())
    for complaint in complaints:
        sys.stderr.write(complaint + "\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
