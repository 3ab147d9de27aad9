"""The commands of `comal approvals`; what a command needs is imported when it runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..options import As, AsJson, BreakGlass, Config, Data, Reason, Tools

approvals_app = typer.Typer(
    help="Look at what people were asked, and answer it. Whoever may read the folder with the "
    "record may look. Answering needs a person to whom your OS user belongs and who may answer, "
    "exit code 3 otherwise; or --break-glass, of which owners and the requester hear.",
    no_args_is_help=True,
)

_Options = tuple[str | None, bool, str | None]
_Sources = tuple[Path | None, Path | None, Sequence[str]]

Id = Annotated[
    str, typer.Argument(metavar="ID", help="The question's id, or its first six characters.")
]


@approvals_app.command("list")
def list_approvals(  # noqa: PLR0913 - each parameter is one option
    *,
    config: Config = None,
    data: Data = None,
    every: Annotated[bool, typer.Option("--all", help="Also questions that have ended.")] = False,
    state: Annotated[
        str | None, typer.Option(help="Those that stand so, such as rejected, ended or not.")
    ] = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="Those that wait for the person named with --as.")
    ] = False,
    person: As = None,
    as_json: AsJson = False,
) -> None:
    """List the questions that wait for somebody."""
    from ..complaints import told

    with told():
        from .listing import Wanted, show_questions, state_named

        if mine is (person is None):
            raise typer.BadParameter("--mine and --as PERSON belong together")
        wanted = Wanted(every=every, state=state_named(state), person=person)
        show_questions(config, data, wanted, as_json=as_json)


@approvals_app.command("show")
def show(
    question: Id, *, config: Config = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Show all that is known of a question: call, terms, votes, cards, act."""
    from ..complaints import told

    with told():
        from .showing import show_question

        show_question(question, config, data, as_json=as_json)


@approvals_app.command("approve")
def approve(  # noqa: PLR0913 - each parameter is one option
    question: Id,
    *,
    person: As = None,
    break_glass: BreakGlass = False,
    reason: Reason = None,
    config: Config = None,
    data: Data = None,
    tools: Tools = None,
    as_json: AsJson = False,
) -> None:
    """Say yes: exit code 3 if it does not count. The running host does what follows."""
    _answer(
        question,
        (person, break_glass, reason),
        (config, data, tools or ()),
        yes=True,
        as_json=as_json,
    )


@approvals_app.command("reject")
def reject(  # noqa: PLR0913 - each parameter is one option
    question: Id,
    *,
    person: As = None,
    break_glass: BreakGlass = False,
    reason: Reason = None,
    config: Config = None,
    data: Data = None,
    tools: Tools = None,
    as_json: AsJson = False,
) -> None:
    """Say no: exit code 3 if it does not count. The running host tells of it."""
    _answer(
        question,
        (person, break_glass, reason),
        (config, data, tools or ()),
        yes=False,
        as_json=as_json,
    )


@approvals_app.command("watch")
def watch(
    *,
    config: Config = None,
    data: Data = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON a change.")] = False,
) -> None:
    """Print what waits, then every change, until Ctrl-C."""
    from ..complaints import told

    with told():
        from .watching import watch_questions

        watch_questions(config, data, as_json=as_json)


def _answer(
    question: str, options: _Options, sources: _Sources, *, yes: bool, as_json: bool
) -> None:
    from ..complaints import told

    with told():
        from ..acting import Acting
        from .deciding import Sources, decide

        person, break_glass, reason = options
        acting = Acting(person=person, break_glass=break_glass, reason=reason)
        decide(question, acting, Sources(*sources), yes=yes, as_json=as_json)
