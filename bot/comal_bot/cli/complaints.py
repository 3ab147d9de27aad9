"""What a user's mistake looks like on a terminal: sentences on stderr and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from comal_bot.channels.channel import ChannelError
from comal_bot.settings import BadSettings
from comal_runtime.errors import ComalError
from comal_runtime.record import RecordError

from .codes import FAILED, MISUSED, REFUSED


class CommandFailed(Exception):
    """The command could not do its work; the text says why and what mends it."""

    code = FAILED


class Refused(CommandFailed):
    """Whoever acts may not do this; the text says why, and nothing was changed."""

    code = REFUSED


def complain(*sentences: str) -> None:
    """Write sentences to stderr."""
    for sentence in sentences:
        typer.echo(f"comal: {sentence}", err=True)


@contextmanager
def told() -> Iterator[None]:
    """Turn what the user can mend into sentences and an exit code; let everything else pass.

    Raises:
        typer.Exit: 2 for settings and tools that cannot be used, 3 for what the law refuses, 1 for
            what failed on the way.
    """
    try:
        yield
    except BadSettings as error:
        complain(*error.problems)
        raise typer.Exit(MISUSED) from None
    except CommandFailed as error:
        complain(str(error))
        raise typer.Exit(error.code) from None
    except (ChannelError, RecordError) as error:
        complain(str(error))
        raise typer.Exit(FAILED) from None
    except ComalError as error:
        complain(*str(error).splitlines())
        raise typer.Exit(MISUSED) from None
