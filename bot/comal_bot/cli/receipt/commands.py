"""The commands of `comal receipt`; what a command needs is imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from ..options import AsJson, Config, Data

receipt_app = typer.Typer(
    help="Signed accounts of what people were shown, who decided, and what came of it. Whoever may "
    "read the folder with the record may show them; anybody with the public key can verify them.",
    no_args_is_help=True,
)


@receipt_app.command("show")
def show(
    question: Annotated[
        str, typer.Argument(metavar="ID", help="The question's id, or its first six characters.")
    ],
    *,
    number: Annotated[
        int | None, typer.Option("--number", min=1, help="Not the newest one, but this.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the receipt itself here.")
    ] = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show the newest receipt of a question."""
    from ..complaints import told

    with told():
        from .showing import show_receipt

        show_receipt((question, number), (config, data), out, as_json=as_json)


@receipt_app.command("verify")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The receipt.")],
    *,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY|FILE",
            help="The public key, ed25519:… or a file with it; else that of your own record.",
        ),
    ] = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check a receipt without the host or its record: exit code 1 if anything is wrong."""
    from ..complaints import told

    with told():
        from .verifying import verify_receipt

        holds = verify_receipt(file, key, (config, data), as_json=as_json)
    raise typer.Exit(0 if holds else 1)


@receipt_app.command("key")
def print_key(
    *,
    pem: Annotated[
        bool, typer.Option("--pem", help="As other programs read it, such as openssl.")
    ] = False,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Print the public key, to be given to whoever verifies."""
    from ..complaints import told

    with told():
        from .verifying import show_key

        show_key((config, data), pem=pem, as_json=as_json)
