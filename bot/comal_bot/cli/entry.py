"""Where the command begins. Nothing heavy is imported here: Ctrl-C is quiet from the beginning."""

import os
import signal
import sys
from types import FrameType

from .codes import INTERRUPTED


def main() -> None:
    """Run the command line; what `comal` on a terminal does."""
    try:
        from .program import app

        app(prog_name="comal")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, _leave)  # the interpreter's own end is quiet too


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
