"""A route says how many people it takes; a caller may ask for more, never for less."""

from typing import Any

import pytest

from comal_runtime.consent import Route, Routes
from comal_runtime.context import ToolContext
from comal_runtime.result import ErrorCode

from ..people import as_bo, resolving
from .arranging import by_web, requested


class TestUnderARoute:
    """The first route that matches `request_verification` says who decides, and how many."""

    @staticmethod
    def routes(**changes: Any) -> Routes:
        fields: dict[str, Any] = {"approvers": ("telegram:2", "telegram:3"), "policy": "dual"}
        return Routes([Route(name="two", tool="request_*", **{**fields, **changes})])

    @pytest.mark.runtime_line(46)
    @pytest.mark.original_fault("VF:resolve-dual-one-vote")
    async def test_the_route_decides_how_many_it_takes(self) -> None:
        registry, heard, request_id = await requested(routes=self.routes())

        first = await registry.call("resolve_verification", resolving(request_id), as_bo())
        cy = ToolContext(principal="telegram:3", channel="web")
        args = resolving(request_id, principal="telegram:3")
        second = await registry.call("resolve_verification", args, cy)

        assert (first.data["verdict"], first.data["approvals"]) == ("voted", 1)
        assert first.message is not None
        assert "1 of 2" in first.message
        assert second.data["verdict"] == "approved"
        assert [event.name.partition(".")[2] for event in heard] == [
            "requested",
            "voted",
            "granted",
        ]
        assert all(event.get_request().policy == "dual" for event in heard)

    @pytest.mark.runtime_line(46)
    async def test_a_caller_cannot_ask_for_less(self) -> None:
        registry, _, _ = await requested(routes=self.routes())

        result = await registry.call(
            "request_verification", {"subject": "x", "policy": "single"}, by_web("ana")
        )

        assert result.code == ErrorCode.VALIDATION_ERROR
        assert "weaker" in str(result.error)

    @pytest.mark.runtime_line(46)
    async def test_a_caller_may_ask_for_more(self) -> None:
        registry, _, _ = await requested(routes=self.routes(policy="single"))

        result = await registry.call(
            "request_verification", {"subject": "x", "policy": "dual"}, by_web("ana")
        )

        assert result.data["policy"] == "dual"

    @pytest.mark.runtime_line(46)
    async def test_more_than_there_are_people_for_is_refused(self) -> None:
        routes = self.routes(policy="single", approvers=("telegram:2", "web:bo", "web:ana"))
        registry, _, _ = await requested(routes=routes)

        result = await registry.call(
            "request_verification", {"subject": "x", "policy": "dual"}, by_web("ana")
        )

        assert "1 may answer" in str(result.error)
