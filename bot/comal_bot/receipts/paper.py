"""Paper: what a receipt is as a text, and back. Two lines of JSON in ASCII.

The first line is the account, whose exact bytes are signed; the second the signature. So no rule
of spelling JSON stands between a receipt and whoever verifies it, in whatever language.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .signing import ALGORITHM, Signer

VERSION: Final = 1
"""The version of accounts that this program makes; older ones it reads."""

LONGEST: Final = 4_000_000  # bytes of a file that may be a receipt


class NoReceipt(Exception):
    """A text that is no receipt; says what it lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A receipt: the signed line, what it says, the signature and the key that made it."""

    line: str
    account: Mapping[str, Any]
    signature: str
    key: str

    @property
    def digest(self) -> str:
        """The digest of what was signed; the next receipt of the question names it."""
        return digest_of_line(self.line)


def digest_of_line(line: str) -> str:
    """Return the sha256, in hex, of a signed line."""
    return hashlib.sha256(line.encode("ascii")).hexdigest()


def written(account: Mapping[str, Any], signer: Signer) -> str:
    """Return an account as a signed receipt."""
    line = _line(account)
    signature = {
        "algorithm": ALGORITHM,
        "key": signer.public,
        "signature": signer.sign(line.encode("ascii")),
    }
    return f"{line}\n{_line(signature)}\n"


def read(text: str) -> Paper:
    """Return the receipt that a text is; nothing of it is verified.

    Raises:
        NoReceipt: It is none.
    """
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if line]
    if len(lines) != 2:
        raise NoReceipt(f"it has {len(lines)} lines; a receipt has an account and a signature")
    account, signed = (_object(line, number) for number, line in enumerate(lines, start=1))
    if not lines[0].isascii():
        raise NoReceipt("its account is not in ASCII, as accounts are")
    if signed.get("algorithm") != ALGORITHM:
        raise NoReceipt(f"its signature is not of {ALGORITHM}, but {signed.get('algorithm')!r}")
    signature, key = signed.get("signature"), signed.get("key")
    if not isinstance(signature, str) or not isinstance(key, str):
        raise NoReceipt("its second line holds no signature and key")
    return Paper(line=lines[0], account=account, signature=signature, key=key)


def _object(line: str, number: int) -> Mapping[str, Any]:
    try:
        found = json.loads(line, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise NoReceipt(f"its line {number} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise NoReceipt(f"its line {number} is no JSON object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one that says a thing twice reads differently to different readers."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
