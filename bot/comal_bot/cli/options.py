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
        "failed, 2 for settings, tools or options that cannot be used, 3 for what is not allowed.",
    ),
]

As = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="PERSON",
        help="Who acts: somebody's name or identity, to whom your OS user belongs.",
    ),
]
BreakGlass = Annotated[
    bool,
    typer.Option(
        "--break-glass",
        help="Act without being entitled to. Owners and the person concerned are told, and why.",
    ),
]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Why; kept with what is done.")]
