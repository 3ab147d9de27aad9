"""Routes: which calls ask other people, and who these are."""

import pytest

from comal_runtime.consent import BadRoute, Escalation, Group, Route, Routes
from comal_runtime.consent.entitlement import barred
from comal_runtime.consent.question import call_question
from comal_runtime.context import ToolContext

from ..stations.arranging import Household, Ran, made, route

FAMILY = Household(
    {"telegram:1": "Ana", "web:ana": "Ana", "telegram:2": "Bo", "telegram:3": "Cy"},
    {"Bo": frozenset({"finance"})},
)


@pytest.mark.failure_mode(16)
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"approvers": ()}, "approvers is empty"),
        ({"policy": "auto"}, "rule is not set"),
        ({"policy": "off"}, "policy is 'off'"),
        ({"policy": False}, "policy is False"),
        ({"approvers": "role:finance"}, "use a list"),
        ({"approvers": ("bo",)}, "approvers #1 is 'bo'"),
        ({"approvers": ("role:",)}, "approvers #1 is 'role:'"),
        ({"approvers": ("person:Bo",)}, "approvers #1 is 'person:Bo'"),
        ({"approvers": ("requester",)}, "never approves their own call"),
        ({"tool": ""}, "tool is not set and neither is subject"),
        ({"subject": "deploy *"}, "only 'request_verification' has a subject"),
        ({"tool": "", "subject": " "}, "subject is blank"),
        ({"cards": ("main",)}, "cards #1 is 'main'"),
        ({"remind": 0.0}, "remind is 0.0"),
        ({"remind": 60.0, "ttl": 60.0}, "remind is 60 seconds, when its questions have ended"),
        ({"escalation": Escalation(after=60.0, approvers=())}, "escalation approvers is empty"),
        (
            {"escalation": Escalation(after=99.0, approvers=("a:1",)), "ttl": 60.0},
            "escalation after is 99 seconds",
        ),
        ({"editable": {"amount": {"maximum": "x"}}}, "editable amount is no JSON schema"),
        ({"editable": {"amount": 100}}, "editable amount must be a table"),
        ({"groups": (Group(approvers=("a:1",)),)}, "approvers are there beside groups"),
        (
            {"groups": (Group(approvers=("a:1",)),), "approvers": (), "policy": "single"},
            "policy is 'single' beside groups",
        ),
        (
            {"groups": (Group(approvers=("a:1",)),), "approvers": (), "k": 2},
            "k is 2, which only policy 'quorum' reads",
        ),
        ({"groups": (Group(approvers=("a:1",), k=0),), "approvers": ()}, "groups #1 k is 0"),
        ({"groups": (Group(approvers=("a:1",), stage=0),), "approvers": ()}, "#1 stage is 0"),
        ({"groups": (Group(approvers=None),), "approvers": ()}, "groups #1 approvers is empty"),
        (
            {"groups": (Group(approvers=("requester",)),), "approvers": ()},
            "groups #1 approvers #1 'requester' is the one who asks",
        ),
        (
            {"groups": (Group(approvers=("a:1",), name="x"),) * 2, "approvers": ()},
            "groups #2 name 'x' is another group's already",
        ),
        (
            {"policy": "auto", "rule": "paid", "approvers": (), "reason": True},
            "reason says nothing",
        ),
    ],
)
def test_a_route_that_cannot_do_what_it_says_is_refused_with_its_name(
    changes: dict, said: str
) -> None:
    with pytest.raises(BadRoute, match="owners") as refused:
        route(**changes)

    assert said in str(refused.value)


def test_everything_wrong_with_a_route_is_told_at_once() -> None:
    with pytest.raises(BadRoute) as refused:
        route(approvers=("bo",), when="amount >", ttl=0)

    assert [one.path for one in refused.value.faults] == [("approvers", 0), ("ttl",), ("when",)]


def test_the_first_route_that_matches_is_the_calls_route() -> None:
    small = route(name="small", tool="refund_*", when="amount < 10")
    large = route(name="large", tool="refund_*")
    routes = Routes([small, large])

    assert routes.for_call("refund_order", {"amount": 5}) is small
    assert routes.for_call("refund_order", {"amount": 50}) is large
    assert routes.for_call("Refund_order", {"amount": 50}) is None


def test_the_routes_about_a_tool_end_with_the_first_that_no_call_gets_past() -> None:
    small = route(name="small", tool="refund_*", when="amount < 10")
    other = route(name="other", tool="send_*")
    large = route(name="large", tool="refund_*")
    never = route(name="never", tool="refund_order")
    routes = Routes([small, other, large, never])

    assert routes.about("refund_order") == (small, large)
    assert routes.about("send_mail") == (other,)
    assert routes.about("wipe") == ()


@pytest.mark.parametrize(
    ("voter", "approvers", "expected"),
    [
        ("telegram:2", ("telegram:2",), True),
        ("telegram:2", ("role:finance",), True),
        ("telegram:3", ("role:finance",), False),
        ("telegram:3", ("telegram:2",), False),
        ("telegram:1", ("telegram:1", "role:finance"), False),
        ("web:ana", ("web:ana",), False),
        ("web:ana", ("telegram:1",), False),
        ("telegram:4", ("telegram:2",), False),
        ("role:finance", ("role:finance",), False),
    ],
)
def test_only_an_approver_who_is_not_the_requester_under_any_identity_is_entitled(
    voter: str, approvers: tuple[str, ...], expected: bool
) -> None:
    under = Route(name="r", tool="*", approvers=approvers)
    ctx = ToolContext(principal="telegram:1")
    question, _ = call_question(made(Ran()), {}, ctx, route=under, now=0.0, ttl=60.0)

    assert (barred(question, voter, FAMILY, 0.0) is None) is expected


@pytest.mark.parametrize(
    ("ttl", "within", "expected"), [(60.0, 5.0, 60.0), (None, 5.0, 5.0), (None, None, 86400.0)]
)
def test_a_question_lasts_as_its_route_says_else_its_tool_else_a_day(
    ttl: float | None, within: float | None, expected: float
) -> None:
    assert route(ttl=ttl).lasts(within) == expected


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("deploy prod", True),
        ("Deploy\u00a0 PROD", True),
        ("de\u200bploy prod", True),
        ("\uff44eploy prod", True),
        ("redeploy prod", False),
        ("deploy", False),
        (7, True),
        (None, True),
    ],
)
def test_a_subject_falls_under_a_route_however_it_is_spelt(subject: object, expected: bool) -> None:
    under = route(tool="", subject="deploy *")
    args = {} if subject is None else {"subject": subject}

    assert under.matches("request_verification", args) is expected
    assert not under.matches("wipe", {"subject": "deploy prod"})


def test_a_route_that_names_only_the_tool_takes_every_subject() -> None:
    rest = route(tool="request_verification")
    deploys = route(name="deploys", tool="", subject="deploy *")
    routes = Routes([deploys, rest])

    assert routes.for_call("request_verification", {"subject": "deploy it"}) is deploys
    assert routes.for_call("request_verification", {"subject": "the till"}) is rest


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"tool": "refund_*"}, {"tool": "refund_order", "when": "amount > 1"}, True),
        ({"tool": "refund_*", "when": "amount > 10"}, {"tool": "refund_a"}, False),
        ({"tool": "a_*", "when": "n > 10"}, {"tool": "a_b", "when": "n > 100"}, True),
        ({"tool": "a_*", "when": "n > 100"}, {"tool": "a_b", "when": "n > 10"}, False),
        ({"tool": "a_b"}, {"tool": "a_*"}, False),
        ({"tool": "request_verification"}, {"tool": "", "subject": "deploy *"}, True),
        ({"tool": "*"}, {"tool": "", "subject": "deploy *"}, True),
        ({"tool": "", "subject": "deploy *"}, {"tool": "request_verification"}, False),
        ({"tool": "", "subject": "*"}, {"tool": "request_verification"}, True),
        ({"tool": "", "subject": "Deploy *"}, {"tool": "", "subject": "deploy  prod"}, True),
    ],
)
def test_a_later_route_is_shadowed_where_an_earlier_one_surely_takes_its_calls(
    first: dict, second: dict, expected: bool
) -> None:
    above, below = route(name="above", **first), route(name="below", **second)

    assert [*Routes([above, below]).shadowed()] == ([(below, above)] if expected else [])


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf")])
def test_a_route_whose_questions_would_never_or_at_once_expire_is_refused(ttl: float) -> None:
    with pytest.raises(BadRoute, match="ttl is"):
        Route(name="r", tool="t", approvers=("telegram:2",), ttl=ttl)
