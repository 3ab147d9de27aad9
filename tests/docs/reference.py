"""Builds the reference of the public names from their docstrings, for `make docs`."""

import importlib
import sys
from pathlib import Path
from typing import Final

import pdoc
import pdoc.render

from .public import PACKAGES

_USAGE: Final = "usage: python -m tests.docs.reference FOLDER"


def build(folder: Path) -> None:
    """Write one page of HTML a package, and an index with a search, into a folder."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        for public in package.__all__:  # what is imported on first use is not there before
            vars(package).setdefault(public, getattr(package, public))
    pdoc.render.configure(docformat="google", show_source=False)
    pdoc.pdoc(*PACKAGES, output_directory=folder)


def main(arguments: list[str]) -> int:
    """Build into the one folder that is named; return the exit status."""
    match arguments:
        case [folder]:
            build(Path(folder))
            sys.stdout.write(f"{folder}/index.html\n")
            return 0
        case _:
            sys.stderr.write(f"{_USAGE}\n")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
