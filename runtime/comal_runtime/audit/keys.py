"""The key of the chains: kept outside the database, so that who can write there cannot forge."""

import hmac
import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..errors import ComalError

log = logging.getLogger(__name__)

SHORTEST_KEY: Final = 16  # bytes
_OTHERS: Final = 0o077


class BadAuditKey(ComalError):
    """A key that cannot be used; the text says which file and what mends it."""


def key_from_file(path: Path, *, create: bool = False) -> bytes:
    """Return the key that a file holds.

    Args:
        create: Make a missing file, readable by its owner alone, with a new random key; of
            processes that do so at once all get the same key.

    Raises:
        BadAuditKey: There is no file, it cannot be read, or what it holds is no key.
    """
    try:
        if create and not path.exists():
            make_once(path, f"{secrets.token_hex(32)}\n")
        key = path.read_bytes().strip()
        warn_if_open(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise BadAuditKey(
            f"the audit key {path} cannot be read: {why}; it was made beside the record by the "
            "user that runs the bot"
        ) from error
    return checked_key(key, str(path))


def warn_if_open(path: Path) -> None:
    """Leave a warning if others than its owner may read a key's file."""
    if path.stat().st_mode & _OTHERS:
        log.warning("audit.key_open_to_others", extra={"file": str(path), "mend": "chmod 600"})


def checked_key(key: bytes, where: str) -> bytes:
    """Return a key that is long enough.

    Raises:
        BadAuditKey: It is shorter than 16 bytes.
    """
    if len(key) < SHORTEST_KEY:
        raise BadAuditKey(
            f"the audit key {where} has {len(key)} bytes, at least {SHORTEST_KEY} are needed; "
            "`openssl rand -hex 32` makes one"
        )
    return key


def key_id(key: bytes) -> str:
    """Name a key without telling it."""
    return hmac.digest(key, b"comal audit key", "sha256").hex()[:16]


def make_once(path: Path, content: str) -> None:
    """Put a new private file in its place whole, unless somebody was faster."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
