"""`comal demo`: the real bot as a child process, an emulated Telegram and one page for both."""

import asyncio
import errno
import secrets
import signal
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Final

from rich.console import Console

from comal_bot.cli.codes import FAILED
from comal_bot.cli.complaints import complain
from comal_runtime.clock import SystemClock

from .board import Board
from .cast import assemble
from .child import Launch
from .faults import Faults
from .folder import DemoFolder, FolderRefused, held
from .serving import serve
from .web import demo_app
from .world import TelegramWorld

DEFAULT_FOLDER: Final = Path(".comal-demo")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opening:
    """How the demo was asked to open."""

    port: int
    browser: bool


class _Ending:
    """Waits for the signal that ends the demo; later ones change nothing, however fast they come.

    It heeds signals from when it is made until the process is gone, beyond any event loop.
    """

    def __init__(self) -> None:
        self._first: int | None = None
        self._wake: Callable[[], object] | None = None
        for which in (signal.SIGINT, signal.SIGTERM):
            signal.signal(which, self._note)

    @property
    def exit_code(self) -> int:
        """What the process ends with: 130 after SIGINT, as shells have it."""
        return 128 + signal.SIGINT if self._first == signal.SIGINT else 0

    def over(self) -> None:
        """Let no later signal disturb the interpreter's own end."""
        if self._first is not None:
            signal.signal(self._first, signal.SIG_IGN)

    async def wait(self) -> None:
        """Return once a signal came."""
        came, loop = asyncio.Event(), asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(came.set)
        try:
            if self._first is None:
                await came.wait()
        finally:
            self._wake = None

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._first is None:
            self._first = number
        if self._wake is not None:
            self._wake()


def run_demo(port: int, data: Path | None, open_browser: bool) -> int:
    """Run the demo until a signal ends it; return the exit code.

    Args:
        port: Of 127.0.0.1; 0 takes a free one.
        data: The demo's folder, made if need be; `./.comal-demo` if None.
    """
    ending = _Ending()
    try:
        with held(data or DEFAULT_FOLDER) as folder:
            asyncio.run(_run(folder, _Opening(port=port, browser=open_browser), ending))
    except FolderRefused as error:
        complain(str(error))
        return FAILED
    except OSError as error:
        complain(_mending(error, port))
        return FAILED
    finally:
        ending.over()
    return ending.exit_code


def _mending(error: OSError, port: int) -> str:
    """Say what is wrong and which option mends it."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of 127.0.0.1 is in use; name another with --port, or 0 for a free one"
    if error.errno == errno.EACCES and error.filename is None:
        return f"port {port} may not be used; name one above 1023 with --port"
    if error.filename is not None:
        return f"{error.filename} cannot be used: {error.strerror}; name another folder with --data"
    return f"the demo cannot start: {error}; name another port with --port or folder with --data"


async def _run(folder: DemoFolder, opening: _Opening, ending: _Ending) -> None:
    world = TelegramWorld(SystemClock())
    faults, cast, token = Faults(world), assemble(world), secrets.token_urlsafe(24)
    board = Board(cast, folder, launch_of(folder))
    async with serve(demo_app(board, faults, token), port=opening.port) as url:
        folder.write_settings(cast, url)
        async with board.watching(), board.child.kept():
            _announce(f"{url}/#token={token}", open_browser=opening.browser)
            await ending.wait()
            board.ending.set()


def launch_of(folder: DemoFolder) -> Launch:
    """Return how the product itself is run on the demo's settings."""
    return Launch(
        command=(sys.executable, "-m", "comal_bot", "run", "--config", str(folder.settings)),
        folder=folder.path,
        environment=folder.environment(),
        log_file=folder.log,
    )


def _announce(link: str, *, open_browser: bool) -> None:
    told = f"Comal demo: [link={link}]{link}[/link]  (Ctrl-C ends it)"
    Console(soft_wrap=True).print(told, highlight=False)
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
