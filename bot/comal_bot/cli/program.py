"""The commands and their options; what a command needs is imported when it runs."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from .acts.commands import acts_app
from .approvals.commands import approvals_app
from .audit.commands import audit_app
from .options import AsJson, Config, Data, Tools
from .people.commands import people_app
from .receipt.commands import receipt_app

app = typer.Typer(
    name="comal",
    help="A chat-bot host whose tools ask before they act.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
routes_app = typer.Typer(help="Look at who decides about what.", no_args_is_help=True)
tools_app = typer.Typer(help="Look at the tools.", no_args_is_help=True)
app.add_typer(tools_app, name="tools")
limits_app = typer.Typer(help="Look at what callers have spent.", no_args_is_help=True)
app.add_typer(approvals_app, name="approvals")
app.add_typer(acts_app, name="acts")
app.add_typer(routes_app, name="routes")
app.add_typer(people_app, name="people")
app.add_typer(limits_app, name="limits")
app.add_typer(audit_app, name="audit")
app.add_typer(receipt_app, name="receipt")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"comal {version('comal')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


@app.command()
def run(
    *,
    config: Config = None,
    tools: Tools = None,
    data: Data = None,
    once_idle: Annotated[
        bool, typer.Option("--once-idle", help="End when there is nothing left to do.")
    ] = False,
) -> None:
    """Serve people until stopped: exit code 0 after SIGTERM, 130 after Ctrl-C."""
    from .complaints import told

    with told():
        from .serving import serve

        raise typer.Exit(serve(config, tools or (), data=data, once_idle=once_idle))


@app.command()
def demo(
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where on 127.0.0.1; 0 takes a free one.")
    ] = 8080,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the demo's record in this folder.")
    ] = None,
) -> None:
    """Try it: several people, several chats, one page, no account."""
    from .complaints import told

    with told():
        from comal_bot.logs import set_up_logs
        from comal_bot.simulator.demo import run_demo

        set_up_logs("text")
        raise typer.Exit(run_demo(port, data, browser))


@tools_app.command("list")
def list_tools(*, config: Config = None, tools: Tools = None, as_json: AsJson = False) -> None:
    """List the tools and what each asks for."""
    from .complaints import told

    with told():
        from .tools import show_list

        show_list(config, tools or (), as_json=as_json)


@tools_app.command("inspect")
def inspect_tool(  # noqa: PLR0913 - each parameter is one option
    name: Annotated[
        str | None, typer.Argument(help="The tool's name; left out with --all.")
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every tool, a line each.")] = False,
    channel: Annotated[str, typer.Option(help="Where the call would come from.")] = "telegram",
    actor: Annotated[
        str | None,
        typer.Option(metavar="CHANNEL:ID", help="Who would call, such as telegram:42."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="A scope of the caller's, instead of those of their roles; repeatable."),
    ] = None,
    config: Config = None,
    tools: Tools = None,
    as_json: AsJson = False,
) -> None:
    """Explain what a call would meet, without making it."""
    from .complaints import told

    with told():
        from .tools import Caller, show_plan, show_plans

        if every == (name is not None):
            raise typer.BadParameter("name one tool, or every one with --all")
        caller = Caller(
            channel=channel, actor=actor, scopes=None if scope is None else tuple(scope)
        )
        if name is None:
            show_plans(caller, config, tools or (), as_json=as_json)
        else:
            show_plan(name, caller, config, tools or (), as_json=as_json)


@tools_app.command("lint")
def lint_tools(
    *,
    config: Config = None,
    tools: Tools = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit code 1 for warnings too, not for errors only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find what is to be mended: descriptions, declarations, schemas, who may call."""
    from .complaints import told

    with told():
        from .lint import lint

        raise typer.Exit(lint(config, tools or (), as_json=as_json, strict=strict))


@approvals_app.command("who")
def who_may_approve(
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    args: Annotated[
        list[str] | None, typer.Argument(help="Its arguments: name=value each, or one JSON object.")
    ] = None,
    *,
    requester: Annotated[
        str | None,
        typer.Option("--as", metavar="PERSON", help="Who would ask: a name, or telegram:42."),
    ] = None,
    config: Config = None,
    tools: Tools = None,
    as_json: AsJson = False,
) -> None:
    """Tell which people together can approve a call; exit code 1 if nobody ever can."""
    from .complaints import told

    with told():
        from .who import show_who

        sources = (config, tools or ())
        raise typer.Exit(show_who(tool, args or (), requester, sources, as_json=as_json))


@routes_app.command("list")
def list_routes(*, config: Config = None, tools: Tools = None, as_json: AsJson = False) -> None:
    """List the routes: who says yes, where cards hang, which tools each fits."""
    from .complaints import told

    with told():
        from .routes import show_routes

        show_routes(config, tools or (), as_json=as_json)


@routes_app.command("check")
def check_routes(*, config: Config = None, tools: Tools = None, as_json: AsJson = False) -> None:
    """Find routes that `comal run` refuses: exit code 1 if there are any."""
    from .complaints import told

    with told():
        from .routes import check_routes as check

        raise typer.Exit(check(config, tools or (), as_json=as_json))


@limits_app.command("list")
def list_limits(*, config: Config = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the budgets that are not full: CHANNEL:CALLER:TOOL, or *:CALLER:* for all calls."""
    from .complaints import told

    with told():
        from .limits import show_limits

        show_limits(config, data, as_json=as_json)


@limits_app.command("reset")
def reset_limit(
    key: Annotated[str, typer.Argument(help="The budget, as `comal limits list` names it.")],
    *,
    config: Config = None,
    data: Data = None,
) -> None:
    """Fill one budget up again; whoever may write the record's file may do it."""
    from .complaints import told

    with told():
        from .limits import refill

        refill(key, config, data)
