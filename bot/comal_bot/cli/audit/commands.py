"""The commands of `comal audit`; what a command needs is imported when it runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..options import AsJson, Config, Data

audit_app = typer.Typer(
    help="Look at what was called, by whom, and how it ended. Whoever may read the folder with the "
    "record may do so; verifying needs the audit's key besides.",
    no_args_is_help=True,
)


class Format(StrEnum):
    """How exported records are written."""

    JSONL = "jsonl"
    CSV = "csv"


Since = Annotated[
    str | None,
    typer.Option(metavar="WHEN", help="From then on: '2h', '7d', or a date such as 2026-11-30."),
]
Until = Annotated[str | None, typer.Option(metavar="WHEN", help="Before then, as --since.")]
ToolName = Annotated[str | None, typer.Option(help="Of this tool; * stands for anything.")]
Principal = Annotated[str | None, typer.Option(help="By this caller, such as telegram:42.")]
Decision = Annotated[str | None, typer.Option(help="That ended so, such as 'refused_*'.")]


@audit_app.command("tail")
def tail(  # noqa: PLR0913 - each parameter is one option
    *,
    count: Annotated[int, typer.Option("-n", "--lines", min=0, help="How many records.")] = 20,
    follow: Annotated[
        bool, typer.Option("-f", "--follow", help="Go on with what comes, until Ctrl-C.")
    ] = False,
    tool: ToolName = None,
    principal: Principal = None,
    decision: Decision = None,
    since: Since = None,
    config: Config = None,
    data: Data = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON a record.")] = False,
) -> None:
    """Print the newest records, a line each."""
    from ..complaints import told

    with told():
        from .seeking import sought
        from .tail import show_tail

        wanted = sought(tool=tool, principal=principal, decision=decision, since=since)
        show_tail(config, data, wanted, count=count, follow=follow, as_json=as_json)


@audit_app.command("export")
def export(  # noqa: PLR0913 - each parameter is one option
    *,
    form: Annotated[Format, typer.Option("--format", help="How records are written.")] = (
        Format.JSONL
    ),
    since: Since = None,
    until: Until = None,
    to: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write here, not stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
    config: Config = None,
    data: Data = None,
) -> None:
    """Write every record, oldest first."""
    from ..complaints import told

    with told():
        from .export import Target, export_records
        from .seeking import sought

        target = Target(path=to, force=force, csv=form is Format.CSV)
        export_records(config, data, sought(since=since, until=until), target)


@audit_app.command("verify")
def verify(
    *,
    key_file: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="The key, where the settings do not say; repeatable for old keys."
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="CHAIN:PLACE:MAC", help="A head that was noted before; repeatable."),
    ] = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check that no record was changed, removed or put in: exit code 1 if one was."""
    from ..complaints import told

    with told():
        from .verify import verify_record

        whole = verify_record(config, data, key_file or (), head or (), as_json=as_json)
    raise typer.Exit(0 if whole else 1)


@audit_app.command("heads")
def heads(*, config: Config = None, data: Data = None, as_json: AsJson = False) -> None:
    """Print how far the chains have come, to be noted where nobody can change it."""
    from ..complaints import told

    with told():
        from .verify import show_heads

        show_heads(config, data, as_json=as_json)
