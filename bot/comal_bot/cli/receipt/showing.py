"""`comal receipt show`: a receipt as a person reads it, or itself into a file."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from comal_bot.receipts.paper import Paper, read
from comal_bot.receipts.signing import key_id
from comal_bot.receipts.telling import lines
from comal_bot.settings import load_settings
from comal_runtime.record import QuestionState, Repositories, StoredReceipt
from comal_runtime.record.sqlite import SqliteSql

from ..beginning import one_question
from ..complaints import CommandFailed, complain
from ..opening import opened
from ..printing import print_json, print_text

Place = tuple[Path | None, Path | None]
"""The settings and the folder with the record, as the command was told."""


def show_receipt(
    wanted: tuple[str, int | None], place: Place, out: Path | None, *, as_json: bool
) -> None:
    """Print a receipt, or write it to a file that is not there yet.

    Raises:
        CommandFailed: There is no such receipt, or the file cannot be written.
    """
    path = load_settings(place[0], data=place[1]).data.path
    stored = asyncio.run(_read(path, *wanted))
    if out is not None:
        _write(out, stored.body)
        complain(f"receipt {stored.number} written to {out}")
        return
    paper = read(stored.body)
    if as_json:
        print_json(_as_dict(stored, paper))
        return
    print_text(f"receipt {stored.number}, {stored.digest}, signed by {key_id(paper.key)}")
    for indent, line in lines(paper.account):
        print_text(line, indent=indent)


async def _read(path: Path, given: str, number: int | None) -> StoredReceipt:
    with opened(path) as connection:
        stored = Repositories(SqliteSql(connection), lambda: None)
        question = await one_question(stored, given)
        found = await stored.receipts.of(question.id)
    if not found:
        if question.state is QuestionState.OPEN:
            raise CommandFailed(f"question {given!r} is open; its receipt comes with its end")
        raise CommandFailed(
            f"there is no receipt of {given!r} yet; the running host signs it once all is done"
        )
    if number is None:
        return found[-1]
    for one in found:
        if one.number == number:
            return one
    raise CommandFailed(f"there is no receipt {number} of {given!r}; there are {len(found)}")


def _write(path: Path, text: str) -> None:
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError as error:
        raise CommandFailed(f"{path} is there already; name another file") from error
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror or error}") from error
    with os.fdopen(handle, "w", encoding="ascii", newline="") as file:
        file.write(text)


def _as_dict(stored: StoredReceipt, paper: Paper) -> Mapping[str, Any]:
    return {
        "number": stored.number,
        "digest": stored.digest,
        "key": paper.key,
        "signature": paper.signature,
        "account": paper.account,
    }
