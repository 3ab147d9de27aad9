"""The commands of `comal people`; what a command needs is imported when it runs."""

from typing import Annotated

import typer

from ..options import As, AsJson, BreakGlass, Config, Data, Reason

people_app = typer.Typer(
    help="Look at who is known, and change what they were given. Whoever may read the folder with "
    "the record may look, and print a code for the first owner. Changing needs an owner to whom "
    "your OS user belongs, exit code 3 otherwise; or --break-glass, of which owners hear.",
    no_args_is_help=True,
)

Who = Annotated[
    str, typer.Argument(metavar="WHO", help="A name of the settings, or an identity: telegram:42.")
]


@people_app.command("list")
def list_people(*, config: Config = None, data: Data = None, as_json: AsJson = False) -> None:
    """List everybody who is known: those of the settings, then those of the record."""
    from ..complaints import told

    with told():
        from .looking import show_people

        show_people(config, data, as_json=as_json)


@people_app.command("show")
def show_person(
    who: Who, *, config: Config = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Show one person: accounts, roles, links, and since when their votes count."""
    from ..complaints import told

    with told():
        from .looking import show_one

        show_one(who, config, data, as_json=as_json)


@people_app.command("owner-code")
def owner_code(*, config: Config = None, data: Data = None, as_json: AsJson = False) -> None:
    """Print a code that makes whoever sends it to the bot its first owner, within 15 minutes."""
    from ..complaints import told

    with told():
        from .changing import print_code

        print_code(config, data, as_json=as_json)


@people_app.command("roles")
def change_roles(  # noqa: PLR0913 - each parameter is one option
    who: Who,
    *,
    add: Annotated[list[str] | None, typer.Option(metavar="ROLE", help="Repeatable.")] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="ROLE", help="Repeatable.")] = None,
    person: As = None,
    break_glass: BreakGlass = False,
    reason: Reason = None,
    config: Config = None,
    data: Data = None,
) -> None:
    """Give one identity roles, or take away those it was given; owners may."""
    from ..acting import Acting
    from ..complaints import told

    with told():
        from .changing import Roles, change

        acting = Acting(person=person, break_glass=break_glass, reason=reason)
        wanted = Roles(who=who, add=tuple(add or ()), remove=tuple(remove or ()))
        change(wanted, acting, (config, data))


@people_app.command("unlink")
def unlink(  # noqa: PLR0913 - each parameter is one option
    one: Who,
    other: Who,
    *,
    person: As = None,
    break_glass: BreakGlass = False,
    reason: Reason = None,
    config: Config = None,
    data: Data = None,
) -> None:
    """Let two linked identities be two people again; owners may. That they were one is kept."""
    from ..acting import Acting
    from ..complaints import told

    with told():
        from .changing import Unlinking, change

        acting = Acting(person=person, break_glass=break_glass, reason=reason)
        change(Unlinking(one=one, other=other), acting, (config, data))
