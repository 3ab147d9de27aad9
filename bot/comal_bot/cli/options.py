"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The settings; ./comal.toml if it is there."),
]
Tools = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE|MODULE", help="Tools besides those of the settings; may be repeated."
    ),
]
Data = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder with the record, comal.db.")
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Print JSON on stdout. Errors stay sentences on stderr, with exit code 1 for what "
        "failed and 2 for settings, tools or options that cannot be used.",
    ),
]
