"""Opens a record as it stands, for commands that look into one a host may be serving from."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from comal_bot.settings import DATABASE
from comal_runtime.record.migrate import migrations

from .complaints import CommandFailed


@contextmanager
def opened(path: Path, *, writing: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the record; each statement is a transaction of its own, and nothing is migrated.

    Raises:
        CommandFailed: There is no record, it is of another version, or it may not be opened.
    """
    if not _may_look(path):
        raise CommandFailed(_no_rights(path, "reach" if writing else "read"))
    if path.is_dir():
        raise CommandFailed(
            f"the record {path.absolute()} is a folder; [data] url names a file in it, and "
            f"`--data {path}` means its {DATABASE}"
        )
    if not path.is_file():
        raise CommandFailed(
            f"there is no record at {path.absolute()}; `comal run` makes it, and --data, [data] "
            "url or --config says where it is"
        )
    try:
        uri = f"{path.resolve().as_uri()}?mode={'rw' if writing else 'ro'}"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.text_factory = _text
            _check_version(connection, path)
            yield connection
    except sqlite3.Error as error:
        done = "changed" if writing else "read"
        raise CommandFailed(f"the record at {path} cannot be {done}: {error}") from error


def _text(raw: bytes) -> str:
    """Read a text whatever bytes somebody else has put there."""
    return raw.decode("utf-8", "backslashreplace")


def _may_look(path: Path) -> bool:
    try:
        return not path.exists() or os.access(path, os.R_OK)
    except PermissionError:  # its folder is closed to us
        return False


def _no_rights(path: Path, what: str) -> str:
    """Say whose the record is: the rights of its file are the only door there is."""
    try:
        owner = f"{path.owner()!r}, whose it is"
    except (KeyError, OSError, NotImplementedError):
        owner = "the user that runs the bot"
    return f"you may not {what} the record {path.absolute()}; run this as {owner}"


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    newest = migrations()[-1][0]
    (at,) = connection.execute("PRAGMA user_version").fetchone()
    if at < newest:
        raise CommandFailed(
            f"the record at {path} is of version {at}, this program knows {newest}; "
            "`comal run` brings it up to date"
        )
    if at > newest:
        raise CommandFailed(
            f"the record at {path} is of version {at}, this program knows {newest}; "
            "use the newer program"
        )
