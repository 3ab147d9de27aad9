"""Finding one question by the beginning of its id."""

from typing import Final

from comal_runtime.record import Question, Repositories, Transaction

from ..complaints import CommandFailed

_SHORTEST: Final = 6  # characters of an id that may stand for all of it
_SHOWN: Final = 12


async def one_question(stored: Repositories | Transaction, given: str) -> Question:
    """Return the question with this id, or with one that begins so.

    Raises:
        CommandFailed: There is none, or more than one.
    """
    found = await stored.questions.get(given)
    if found is not None:
        return found
    if len(given) < _SHORTEST:
        raise CommandFailed(
            f"there is no question {given!r}; give {_SHORTEST} characters of its id or more, as "
            "`comal approvals list --all` prints them"
        )
    alike = await stored.questions.beginning(given, limit=2)
    if len(alike) > 1:
        begin = ", ".join(repr(one.id[:_SHOWN]) for one in alike)
        raise CommandFailed(f"more than one question begins with {given!r}: {begin}; give more")
    if not alike:
        raise CommandFailed(
            f"there is no question {given!r}; `comal approvals list --all` names those there are"
        )
    return alike[0]
