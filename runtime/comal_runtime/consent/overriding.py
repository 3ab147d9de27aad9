"""Breaking the glass: deciding at the machine without being entitled to, which is never silent."""

from typing import Final

from ..record import Job, Override, Transaction

BREAK_GLASS: Final = "break-glass"
"""What the principals of those begin with who broke the glass; no channel names anybody so."""

OS_USER: Final = "os"
"""What the principals of the machine's own users begin with."""

TELL_OVERRIDE: Final = "tell_override"
"""The job that tells owners and the person concerned; its key is the override's id."""


def breaks_glass(principal: str | None) -> bool:
    """Tell whether a principal is somebody who broke the glass."""
    return principal is not None and principal.startswith(f"{BREAK_GLASS}:")


def os_user(principal: str) -> str:
    """Return the principal that a glass breaker has as a user of the machine."""
    return f"{OS_USER}:{principal.partition(':')[2]}"


async def overrule(tx: Transaction, override: Override) -> None:
    """Keep what was done, and the job that tells of it, in the transaction that does it."""
    if await tx.overrides.add(override):
        key = override.id
        tx.defer(Job(kind=TELL_OVERRIDE, lane=f"override:{key}", key=key))
