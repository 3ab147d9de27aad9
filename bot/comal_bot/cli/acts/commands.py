"""The commands of `comal acts`; what a command needs is imported when it runs."""

from typing import Annotated, Literal

import typer

from comal_runtime.record.acts import ActState

from ..options import As, AsJson, BreakGlass, Config, Data, Reason

acts_app = typer.Typer(
    help="Look at what was done, and settle what nobody knows the outcome of. Whoever may read the "
    "folder with the record may look. Settling needs a person to whom your OS user belongs and who "
    "may settle the act, exit code 3 otherwise; or --break-glass, of which owners hear.",
    no_args_is_help=True,
)

Key = Annotated[
    str, typer.Argument(metavar="KEY", help="The act's key, or its first six characters.")
]


@acts_app.command("list")
def list_acts(
    *,
    state: Annotated[ActState | None, typer.Option(help="Those that stand so.")] = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List the acts, the newest first."""
    from ..complaints import told

    with told():
        from .looking import show_acts

        show_acts(config, data, state=state, as_json=as_json)


@acts_app.command("show")
def show_act(
    key: Key, *, config: Config = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Show all that is known of one act."""
    from ..complaints import told

    with told():
        from .looking import show_one

        show_one(key, config, data, as_json=as_json)


@acts_app.command("settle")
def settle_act(  # noqa: PLR0913 - each parameter is one option
    key: Key,
    outcome: Annotated[
        Literal["done", "not-done", "leave"],
        typer.Argument(help="How it ended, as you found out; or leave it unknown."),
    ],
    *,
    person: As = None,
    break_glass: BreakGlass = False,
    reason: Reason = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Say how an act of unknown outcome ended, as somebody who may."""
    from ..complaints import told

    with told():
        from ..acting import Acting
        from .settling import settle

        acting = Acting(person=person, break_glass=break_glass, reason=reason)
        settle(key, outcome, acting, (config, data), as_json=as_json)
