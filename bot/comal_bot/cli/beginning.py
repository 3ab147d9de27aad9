"""Finding the one row that an id, or the beginning of one, means."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from comal_runtime.record import Act, Question, Repositories, Transaction

from .complaints import CommandFailed

_SHORTEST: Final = 6  # characters of an id that may stand for all of it
_SHOWN: Final = 12

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind(Generic[Row]):
    """How a kind of row is called, which attribute is its id, and the command that lists it."""

    name: str
    id: str
    listed: str
    get: Callable[[str], Awaitable[Row | None]]
    beginning: Callable[..., Awaitable[Sequence[Row]]]

    async def one(self, given: str) -> Row:
        found = await self.get(given)
        if found is not None:
            return found
        if len(given) < _SHORTEST:
            raise CommandFailed(
                f"there is no {self.name} {given!r}; give {_SHORTEST} characters of its {self.id} "
                f"or more, as `{self.listed}` prints them"
            )
        alike = await self.beginning(given, limit=2)
        if len(alike) > 1:
            begin = ", ".join(repr(self._id_of(one)[:_SHOWN]) for one in alike)
            raise CommandFailed(
                f"more than one {self.name} begins with {given!r}: {begin}; give more"
            )
        if not alike:
            raise CommandFailed(
                f"there is no {self.name} {given!r}; `{self.listed}` names those there are"
            )
        return alike[0]

    def _id_of(self, row: Any) -> str:
        return str(getattr(row, self.id))


async def one_question(stored: Repositories | Transaction, given: str) -> Question:
    """Return the question with this id, or with one that begins so.

    Raises:
        CommandFailed: There is none, or more than one.
    """
    kind = _Kind(
        name="question",
        id="id",
        listed="comal approvals list --all",
        get=stored.questions.get,
        beginning=stored.questions.beginning,
    )
    return await kind.one(given)


async def one_act(stored: Repositories | Transaction, given: str) -> Act:
    """Return the act with this key, or with one that begins so.

    Raises:
        CommandFailed: There is none, or more than one.
    """
    kind = _Kind(
        name="act",
        id="key",
        listed="comal acts list",
        get=stored.acts.get,
        beginning=stored.acts.beginning,
    )
    return await kind.one(given)
