"""Running what was approved, as the one who asked for it."""

import json
from dataclasses import replace

from comal_runtime.consent.question import tell
from comal_runtime.context import Consent, ToolContext
from comal_runtime.record import Act, ActState, Question
from comal_runtime.result import ErrorCode, ToolResult

from .answers.requesting import as_requester
from .wiring import House


class NotStarted(Exception):
    """An approved act was not claimed; nothing of it ran."""


class Doing:
    """Handles the jobs of approved acts."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def execute(self, key: str) -> None:
        """Run the act of an approved question through the law, with its requester's rights now."""
        async with self._house.record.reading() as stored:
            await self._house.people.refresh(stored)
            question, act = await stored.questions.get(key), await stored.acts.get(key)
        if question is None or act is None or act.state is not ActState.APPROVED:
            return
        result = await self._house.registry.call(act.tool, {}, self._with_consent(question))
        if result.code == ErrorCode.TOOL_NOT_FOUND:
            await self._void(key, result.error or "its tool is gone")
            return
        async with self._house.record.reading() as stored:
            after = await stored.acts.get(key)
        if after is not None and after.state is ActState.APPROVED:
            raise NotStarted(f"act of {act.tool!r} could not be started; it is tried again")

    async def repeat(self, act: Act) -> ToolResult:
        """Ask anew for an act of unknown outcome, as the one who asked for it before.

        Its service knows it by the same key, so that what was done is not done twice.
        """
        async with self._house.record.reading() as stored:
            await self._house.people.refresh(stored)
        ctx = replace(
            as_requester(self._house, act), idempotency_key=act.idempotency_key, repeats=act.key
        )
        return await self._house.registry.call(act.tool, json.loads(act.args), ctx)

    async def _void(self, key: str, reason: str) -> None:
        """End an act whose tool is there no more; nothing can run it again."""
        async with self._house.record.transaction() as tx:
            if await tx.acts.void(key, reason=reason, now=self._house.clock.now()):
                tx.defer(tell(key))

    def _with_consent(self, question: Question) -> ToolContext:
        consent = Consent(
            question_id=question.id,
            tool=question.tool or "",
            args_digest=question.args_digest,
            principal=question.principal or "",
        )
        return replace(
            as_requester(self._house, question),
            request_id=question.request_id,
            consent=consent,
            idempotency_key=question.idempotency_key,
        )
