"""A route says how many people it takes; a caller may ask for more, never for less."""

from typing import Any

import pytest

from comal_runtime.consent import Escalation, Group, Route, Routes, Strangers, Terms
from comal_runtime.consent.verification.choosing import Refused, chosen
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


def grouped(*groups: Group, **changes: Any) -> Route:
    return Route(name="grouped", tool="request_*", groups=groups, **changes)


class TestUnderGroups:
    """Groups say by themselves who must agree."""

    def test_they_are_the_terms_where_the_caller_says_nothing(self) -> None:
        route = grouped(Group(approvers=("a:1",)), Group(approvers=("a:2",), stage=2))

        assert chosen(route, None, "a:9", Strangers()) == route.terms

    @pytest.mark.parametrize("policy", ["single", "dual", "quorum", "auto", "triple"])
    def test_no_policy_of_a_callers_replaces_them(self, policy: str) -> None:
        route = grouped(Group(approvers=("a:1",)), Group(approvers=("a:2",)))

        assert isinstance(chosen(route, policy, "a:9", Strangers()), Refused)

    @pytest.mark.parametrize(
        ("groups", "requester", "expected"),
        [
            ((Group(approvers=("a:1", "a:2")), Group(approvers=("a:1",))), "a:9", True),
            ((Group(approvers=("a:1", "a:2")), Group(approvers=("a:1",))), "a:2", False),
            ((Group(approvers=("a:1",)), Group(approvers=("a:1",), stage=2)), "a:9", False),
            ((Group(approvers=("a:1",), k=2),), "a:9", False),
            ((Group(approvers=("role:x",), k=2), Group(approvers=("a:1",))), "a:9", True),
            ((Group(approvers=("role:x",), k=2), Group(approvers=("a:1",))), "a:1", False),
        ],
    )
    def test_they_are_refused_where_too_few_people_are_left(
        self, groups: tuple[Group, ...], requester: str, expected: bool
    ) -> None:
        found = chosen(grouped(*groups), None, requester, Strangers())

        assert isinstance(found, Terms) is expected

    def test_those_asked_later_may_make_up_for_it(self) -> None:
        late = Escalation(after=1.0, approvers=("a:2",))
        route = grouped(Group(approvers=("a:1",), k=2), escalation=late)

        assert isinstance(chosen(route, None, "a:9", Strangers()), Terms)
