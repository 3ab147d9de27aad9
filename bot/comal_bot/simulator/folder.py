"""The demo's folder: whose it is, what is kept in it, and the settings the bot is run with."""

import contextlib
import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .cast import APPROVERS, GUEST, SHOPKEEPER, Cast
from .ledger import ForeignFile, ledger
from .shop import READ, SHOP_FILE, SHOP_FOLDER, WRITE

SIGNATURE: Final = "# Written by `comal demo` at every start; this folder is the demo's."
SETTINGS: Final = "comal.toml"
RECORD: Final = "comal.db"
LOG: Final = "bot.log"
DECIDE: Final = "verification:resolve"
_LOCK: Final = "demo.lock"
_LOOPBACK: Final = "127.0.0.1,localhost"
_PROXIES: Final = ("http_proxy", "https_proxy", "all_proxy")

_SETTINGS: Final = """{signature}
[host]
lease = 5
grace = 2

[data]
url = {url}

[model]
provider = "scripted"

[tools]
modules = ["comal_bot.simulator.shop"]

[channels.main]
type = "telegram"
token = {token}
api_base = {api_base}
{people}{roles}
[[routes]]
name = "refunds"
tool = "refund_order"
approvers = {approvers}
cards = [{card}]
policy = "single"
expires = "24h"
"""


class FolderRefused(Exception):
    """The folder cannot be the demo's; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoFolder:
    """A folder that is the demo's alone."""

    path: Path

    @property
    def settings(self) -> Path:
        """The bot's settings."""
        return self.path / SETTINGS

    @property
    def record(self) -> Path:
        """The bot's record."""
        return self.path / RECORD

    @property
    def shop(self) -> Path:
        """The shop's data, new at every start."""
        return self.path / SHOP_FILE

    @property
    def log(self) -> Path:
        """What the bot's process says."""
        return self.path / LOG

    def write_settings(self, cast: Cast, api_base: str) -> None:
        """Write the settings for a world served at `api_base`; readable by the owner alone."""
        _private(self.settings)
        self.settings.write_text(settings_text(cast, api_base), encoding="utf-8")

    def environment(self) -> Mapping[str, str]:
        """Return the bot's environment: ours without other settings of Comal and without proxies.

        What a person has set for a bot of their own must not reach the demo's.
        """
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("COMAL_") and name.lower() not in _PROXIES
        }
        loopback = {"NO_PROXY": _LOOPBACK, "no_proxy": _LOOPBACK, "PYTHONUNBUFFERED": "1"}
        return {**kept, **loopback, SHOP_FOLDER: str(self.path)}


@contextlib.contextmanager
def held(path: Path) -> Iterator[DemoFolder]:
    """Take a folder for one run, making it if need be.

    The shop, the record and the log of the run before go: its chats are no more.

    Raises:
        FolderRefused: It holds what is not the demo's, another demo has it, or it cannot be used.
    """
    folder = DemoFolder(path=path.resolve())
    try:
        _check(folder)
        folder.path.mkdir(parents=True, exist_ok=True)
        _private(folder.path / _LOCK)
        with (folder.path / _LOCK).open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderRefused(
                    f"{folder.path} is used by a demo that runs now; name another with --data"
                ) from None
            _open_shop(folder)
            for name in (RECORD, f"{RECORD}-wal", f"{RECORD}-shm", LOG):
                (folder.path / name).unlink(missing_ok=True)
            _private(folder.log)
            yield folder
    except ForeignFile as error:
        raise FolderRefused(str(error)) from error


def _open_shop(folder: DemoFolder) -> None:
    """Make a new shop in place of the last run's, and of no other file."""
    try:
        if folder.shop.exists():
            with ledger(folder.shop):
                pass
            folder.shop.unlink()
        _private(folder.shop)
        with ledger(folder.shop):
            pass
    except sqlite3.Error as error:
        raise FolderRefused(
            f"{folder.shop} cannot be used: {error}; name another folder with --data"
        ) from error


def _check(folder: DemoFolder) -> None:
    """Refuse a folder whose settings or record are somebody's own, before anything is touched."""
    if folder.path.exists() and not folder.path.is_dir():
        raise FolderRefused(f"{folder.path} is not a folder; name one with --data")
    ours = False
    if folder.settings.exists():
        with folder.settings.open(encoding="utf-8", errors="replace") as lines:
            ours = lines.readline().rstrip("\r\n") == SIGNATURE
        if not ours:
            raise _foreign(folder.settings)
    for path in (folder.record, folder.log):
        if not ours and path.exists() and path.stat().st_size:
            raise _foreign(path)


def _private(path: Path) -> None:
    """Let a file be there that its owner alone may read."""
    path.touch(mode=0o600)
    path.chmod(0o600)


def _foreign(path: Path) -> FolderRefused:
    return FolderRefused(f"{path} is not the demo's; name another folder with --data")


def settings_text(cast: Cast, api_base: str) -> str:
    """Return the TOML of a shop whose refunds two approvers decide."""
    people = "".join(
        f"\n[[people]]\nname = {_toml(player.name)}\nidentities = [{_toml(player.principal)}]\n"
        f"roles = [{_toml(player.role)}]\n"
        for player in cast.players
    )
    roles = {SHOPKEEPER: (*READ, *WRITE), GUEST: READ, APPROVERS: (*READ, *WRITE, DECIDE)}
    approvers = tuple(player.principal for player in cast.players if player.role == APPROVERS)
    return _SETTINGS.format(
        signature=SIGNATURE,
        url=_toml(f"sqlite:///{RECORD}"),
        token=_toml(cast.bot.token),
        api_base=_toml(api_base),
        people=people,
        roles="".join(f"\n[roles.{n}]\nscopes = {_list(s)}\n" for n, s in roles.items()),
        approvers=_list(approvers),
        card=_toml(f"main:{cast.approvers.id}"),
    )


def _list(names: tuple[str, ...]) -> str:
    return f"[{', '.join(_toml(name) for name in names)}]"


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
