"""The people of the stories; Ana asks, and Bo has two accounts."""

from typing import Final

ANA: Final = "cli:ana"
BO: Final = "cli:bo"
CY: Final = "cli:cy"
DI: Final = "cli:di"
EVE: Final = "cli:eve"
BO_TOO: Final = "web:bo"

SAME: Final = {BO_TOO: BO}
"""The person of each further identity."""

VOTERS: Final = (ANA, BO, BO_TOO, CY, DI, EVE)
