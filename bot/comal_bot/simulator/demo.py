"""`comal demo`: the real bot as a child process, an emulated Telegram and one page for both."""

import asyncio
import errno
import logging
import secrets
import signal
import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final

from rich.console import Console

from comal_runtime.clock import SystemClock

from .board import Board
from .cast import assemble
from .child import Launch
from .faults import Faults
from .folder import DemoFolder, FolderRefused, held
from .serving import serve
from .web import demo_app
from .world import TelegramWorld

log = logging.getLogger(__name__)

DEFAULT_FOLDER: Final = Path(".comal-demo")
_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opening:
    """How the demo was asked to open."""

    port: int
    browser: bool


def run_demo(port: int, data: Path | None, open_browser: bool) -> int:
    """Run the demo until it is told to end; return the exit code.

    Args:
        port: Of 127.0.0.1; 0 takes a free one.
        data: The demo's folder, made if need be; `./.comal-demo` if None.
    """
    try:
        with held(data or DEFAULT_FOLDER) as folder:
            asyncio.run(_run(folder, _Opening(port=port, browser=open_browser)))
    except FolderRefused as error:
        return _refuse(str(error))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return _refuse(f"port {port} of 127.0.0.1 is in use; name another with --port")
        if error.errno == errno.EACCES and error.filename is None:
            return _refuse(f"port {port} may not be used; name one above 1023 with --port")
        return _refuse(f"the demo cannot start: {error}")
    return 0


async def _run(folder: DemoFolder, opening: _Opening) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for which in _ENDING:
        loop.add_signal_handler(which, ended.set)
    world = TelegramWorld(SystemClock())
    faults, cast, token = Faults(world), assemble(world), secrets.token_urlsafe(24)
    board = Board(cast, folder, launch_of(folder))
    async with serve(demo_app(board, faults, token), port=opening.port) as url:
        folder.write_settings(cast, url)
        async with board.watching(), board.child.kept():
            _announce(f"{url}/#token={token}", open_browser=opening.browser)
            await ended.wait()


def launch_of(folder: DemoFolder) -> Launch:
    """Return how the product itself is run on the demo's settings."""
    return Launch(
        command=(sys.executable, "-m", "comal_bot", "run", "--config", str(folder.settings)),
        folder=folder.path,
        environment=folder.environment(),
        log_file=folder.log,
    )


def _announce(link: str, *, open_browser: bool) -> None:
    Console(soft_wrap=True).print(f"Comal demo: [link={link}]{link}[/link]  (Ctrl-C ends it)")
    if open_browser:
        Thread(target=_open, args=(link,), daemon=True).start()


def _open(link: str) -> None:
    """Open a browser with a window; one in the terminal would cover the link."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if type(browser) is not webbrowser.GenericBrowser:
        browser.open(link)


def _refuse(sentence: str) -> int:
    Console(stderr=True, soft_wrap=True).print(sentence, markup=False, highlight=False)
    return 1
