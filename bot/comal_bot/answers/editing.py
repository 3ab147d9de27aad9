"""Edit: an approver changes what the route lets them, and the changed call is asked anew."""

import json
from typing import Final

from comal_renderers.visible import visible
from comal_runtime.consent import Answer, Verdict
from comal_runtime.consent.editing import Flawed, changes_between, editable_in, supersede
from comal_runtime.consent.verification import requested
from comal_runtime.consent.votes import admit
from comal_runtime.events import announce
from comal_runtime.record import Question
from comal_runtime.result import ToolResult

from ..naming import name_of
from ..outcomes import edited
from ..wiring import House
from .intending import wait_for_words
from .noting import note
from .requesting import as_requester
from .saying import said_about
from .tapped import Said, Tapped

_LONGEST_TOLD: Final = 60  # characters of what is repeated in an answer


class Editing:
    """Lets approvers of a question change its call; words say how, a press says that."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def handle(self, tapped: Tapped) -> Said:
        """Wait for the words of somebody who may say yes now, if anything may be changed."""
        house, question, now = self._house, tapped.question, self._house.clock.now()
        editable = editable_in(question)
        given = Answer(voter=tapped.voter, yes=True, at=now)
        async with house.record.transaction() as tx:
            verdict, _ = await admit(tx, question.id, given, house.people, house.changed)
            if verdict is None and editable:
                await wait_for_words(tx, tapped, now)
        if verdict is not None:
            note(house, question, tapped.voter, f"edit_{verdict}")
            return await said_about(house, question.id, verdict)
        note(house, question, tapped.voter, "edit_begun", counted=bool(editable))
        if not editable:
            return Said("answer.not_editable")
        first = next(iter(editable))
        example = f"{first} = {_clipped(json.dumps(json.loads(question.args).get(first)))}"
        return Said("answer.edit", values={"example": example, "names": ", ".join(editable)})

    async def apply(self, question: Question, voter: str, words: str) -> tuple[Said, bool]:
        """Ask the call anew as the words change it; the flag tells whether that was done.

        Words that cannot be used change nothing, and may be written again.
        """
        house = self._house
        read = house.registry.read_edit(words, question)
        if read is None:
            return await said_about(house, question.id, Verdict.CHANGED), False
        if isinstance(read, Flawed):
            note(house, question, voter, f"edit_{read.flaw}")
            return _flaw(read, question), False
        fresh = await house.registry.redraft(question, read, as_requester(house, question))
        if isinstance(fresh, ToolResult):
            note(house, question, voter, "edit_refused")
            return Said("answer.cannot_edit", values={"why": fresh.error or "—"}), False
        return await self._supersede(question, fresh, voter)

    async def _supersede(self, old: Question, fresh: Question, voter: str) -> tuple[Said, bool]:
        house = self._house
        given = Answer(voter=voter, yes=True, at=house.clock.now())
        async with house.record.transaction() as tx:
            verdict = await supersede(tx, fresh, given, house.people, house.changed)
            await tx.remarks.drop(voter)
        if verdict is not None:
            note(house, old, voter, f"edit_{verdict}")
            return await said_about(house, old.id, verdict), False
        note(house, old, voter, "edit_made", counted=True)
        await announce(requested(fresh), house.registry.dispatcher)
        async with house.record.reading() as stored:
            requester = visible(await name_of(house, stored, old.principal))
        changes = visible(edited(changes_between(old, fresh)))
        values = {"changes": changes, "requester": requester}
        return Said("answer.edited", alert=False, values=values), True


def _flaw(found: Flawed, question: Question) -> Said:
    values = {
        "about": visible(_clipped(found.about)),
        "why": found.why,
        "names": ", ".join(editable_in(question)),
    }
    return Said(f"edit.{found.flaw}", values=values)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}…"
