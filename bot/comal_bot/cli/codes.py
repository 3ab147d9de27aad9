"""Exit codes that mean more than a failure."""

from typing import Final

INTERRUPTED: Final = 130
"""After Ctrl-C: 128 and the number of SIGINT, as shells count."""
