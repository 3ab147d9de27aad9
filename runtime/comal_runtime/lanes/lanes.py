"""What ordered work promises, whatever engine does it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

Handler = Callable[[str], Awaitable[None]]
"""Does one job, given its key. Every engine may call it twice: it must not do things twice."""

Handlers = Mapping[str, Handler]
"""The handler of each kind of job."""


class Lanes(Protocol):
    """Does the jobs that transactions deferred.

    Jobs of one lane are done one at a time, in the order they were deferred. A job whose worker
    died is done again by another; a handler that raises is tried again later, its lane waits.
    """

    async def run(self, handlers: Handlers) -> None:
        """Do jobs until cancelled; what runs then may finish, or is done again later."""
        ...

    async def idle(self) -> bool:
        """Tell whether no job waits or runs."""
        ...
