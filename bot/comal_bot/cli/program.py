"""The commands and their options; what a command needs is imported when it runs."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="comal",
    help="A chat-bot host whose tools ask before they act.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
tools_app = typer.Typer(help="Look at the tools.", no_args_is_help=True)
approvals_app = typer.Typer(help="Look at what people were asked.", no_args_is_help=True)
app.add_typer(tools_app, name="tools")
app.add_typer(approvals_app, name="approvals")

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
    name: Annotated[str, typer.Argument(help="The tool's name.")],
    *,
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
        from .tools import Caller, show_plan

        caller = Caller(
            channel=channel, actor=actor, scopes=None if scope is None else tuple(scope)
        )
        show_plan(name, caller, config, tools or (), as_json=as_json)


@approvals_app.command("list")
def list_approvals(
    *,
    config: Config = None,
    data: Data = None,
    every: Annotated[bool, typer.Option("--all", help="Also questions that have ended.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the questions that wait for somebody."""
    from .complaints import told

    with told():
        from .approvals import show_questions

        show_questions(config, data, every=every, as_json=as_json)
