"""What the service of a tool, or a person who looks there, makes of an act of unknown outcome."""

from collections.abc import Iterator

from .move import Move
from .table import NONE
from .world import UNKNOWN, At, World


def settlings(world: World, *, asks_when_over: bool) -> Iterator[Move]:
    """Yield how an unknown act may be settled or left.

    A service knows what was applied. That nothing was it may say only once the first attempt can
    apply nothing any more; what was cut in its middle was applied, or was not.
    """
    if world.act != UNKNOWN:
        return
    over = world.real == "refused" or not (asks_when_over and _is_at_work(world))
    if world.real in ("done", "cut") or (world.real == "began" and not _is_at_work(world)):
        yield from _settled(world, "settle_done", "done")
    if world.real != "done" and over:
        real = world.real if world.real == NONE or _is_at_work(world) else "refused"
        yield from _settled(world, "settle_not_done", real)
    left = world.acted("leave")
    if left is not None:
        yield Move("a person leaves it", left)


def _settled(world: World, event: str, real: str) -> Iterator[Move]:
    settled = world.acted(event)
    if settled is not None:
        yield Move(f"it is looked up: {event}", settled._replace(real=real))


def _is_at_work(world: World) -> bool:
    """Tell whether some worker's tool runs or is about to; a frozen one's runs on.

    A claim that froze before its tool began is given back, so that nothing comes of it.
    """
    at_work = (At.RUNNING, At.LATE)
    return any(
        worker.at in at_work or worker.goes_on or (worker.at is At.CLAIMED and not worker.frozen)
        for worker in world.workers
    )
