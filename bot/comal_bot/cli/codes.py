"""Exit codes that mean more than a failure."""

from typing import Final

FAILED: Final = 1
"""The command could not do its work, or what it checked does not hold."""

MISUSED: Final = 2
"""Settings, tools or options cannot be used."""

REFUSED: Final = 3
"""Whoever acts may not do this, or not any more; nothing was changed."""

INTERRUPTED: Final = 130
"""After Ctrl-C: 128 and the number of SIGINT, as shells count."""
