"""`comal receipt verify` and `key`: needs a receipt and a public key, and nothing of the host."""

from pathlib import Path

import typer

from comal_bot.receipts.checking import Checked, check
from comal_bot.receipts.paper import LONGEST
from comal_bot.receipts.signing import BadReceiptKey, in_pem, key_id, public_key, signer_of
from comal_bot.receipts.telling import lines
from comal_bot.settings import BadSettings, load_settings

from ..complaints import CommandFailed
from ..printing import print_json, print_text
from .showing import Place


def verify_receipt(file: Path, key: str | None, place: Place, *, as_json: bool) -> bool:
    """Check a receipt, print what was found, and tell whether it holds.

    Raises:
        CommandFailed: The file cannot be read, or there is no public key.
    """
    public = _given(key, place)
    checked = check(_text(file), public)
    if as_json:
        print_json(_as_dict(checked, public))
    elif checked.holds:
        print_text(f"holds: signed by {key_id(public)}, and all of it fits together")
    else:
        print_text(f"does not hold: {checked.wrong[0]}")
        for more in checked.wrong[1:]:
            print_text(f"also: {more}")
    if not as_json:
        _print_account(checked)
    return checked.holds


def show_key(place: Place, *, pem: bool, as_json: bool) -> None:
    """Print the public key of the record's receipts.

    Raises:
        CommandFailed: There is none yet.
    """
    public = _own(place)
    if as_json:
        print_json({"key": public, "id": key_id(public), "pem": in_pem(public)})
    else:
        typer.echo(in_pem(public).rstrip() if pem else public)


def _given(key: str | None, place: Place) -> str:
    if key is None:
        try:
            return _own(place)
        except (CommandFailed, BadSettings) as error:
            raise CommandFailed(
                "no public key is given; --key KEY takes what `comal receipt key` prints where "
                "the receipt was made"
            ) from error
    try:
        return public_key(key)
    except BadReceiptKey as error:
        raise CommandFailed(str(error)) from error


def _own(place: Place) -> str:
    try:
        return signer_of(load_settings(place[0], data=place[1])).public
    except BadReceiptKey as error:
        raise CommandFailed(str(error)) from error


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            raw = opened.read(LONGEST + 1)
    except OSError as error:
        raise CommandFailed(f"{file}: {error.strerror or error}") from error
    if len(raw) > LONGEST:
        raise CommandFailed(f"{file} has more than {LONGEST} bytes, which no receipt has")
    return raw.decode("utf-8", "replace")


def _print_account(checked: Checked) -> None:
    for note in checked.notes:
        print_text(f"note: {note}")
    if checked.holds and checked.paper is not None:
        for indent, line in lines(checked.paper.account):
            print_text(line, indent=indent)


def _as_dict(checked: Checked, public: str) -> dict[str, object]:
    paper = checked.paper
    return {
        "holds": checked.holds,
        "key": public,
        "wrong": list(checked.wrong),
        "notes": list(checked.notes),
        "digest": None if paper is None else paper.digest,
        "account": paper.account if paper is not None and checked.holds else None,
    }
