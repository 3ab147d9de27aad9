"""`comal approvals who`: which people together can approve a call."""

import json
from pathlib import Path

import pytest

from .conftest import Comal
from .test_routes import GOOD, PEOPLE

RULE = """

from comal_runtime import evidence_rule


@evidence_rule("paid")
def paid(request):
    return True
"""
QUORUM = """
[[routes]]
name = "default"
tool = "*"
policy = "quorum"
k = {k}
approvers = [{many}]
"""


@pytest.fixture(autouse=True)
def configured(folder: Path, tools_file: Path) -> None:
    (folder / "comal.toml").write_text(PEOPLE + GOOD)


def asked(comal: Comal, *args: str) -> dict:
    return json.loads(comal("approvals", "who", *args, "--json").stdout)


def test_it_names_the_smallest_sets_of_people_and_the_stages(comal: Comal) -> None:
    shown = comal("approvals", "who", "refund_order", "order=1", "amount=500")

    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "refund_order(order=1, amount=500)",
        "  route 'default' when amount > 100",
        "  asks money: 1 of Bo; then 1 of Ana, telegram:99",
        "  enough: Ana, Bo",
        "  enough: Bo, telegram:99",
    ]


def test_whoever_asks_is_none_of_them_under_any_identity(comal: Comal) -> None:
    for who in ("Ana", "telegram:42", "telegram:52"):
        found = asked(comal, "refund_order", '{"amount": 500}', "--as", who)

        assert found["sets"] == [["Bo", "telegram:99"]]
        assert found["cannot"] == ["Ana asks for it, and nobody approves their own call"]


def test_a_call_that_nobody_can_ever_approve_is_said_so_with_an_exit_code(comal: Comal) -> None:
    shown = comal("approvals", "who", "refund_order", "amount=500", "--as", "Bo")

    assert shown.exit_code == 1
    assert "too few: 2 must say yes, each of them in one group" in shown.stdout


def test_an_argument_that_is_left_out_is_asked_about(comal: Comal) -> None:
    assert asked(comal, "refund_order")["route"] == "default"


def test_why_nobody_else_is_asked_is_told(comal: Comal, folder: Path) -> None:
    small = asked(comal, "greet", "name=you")

    assert (small["route"], small["sets"]) == (None, [])
    assert "it runs without a yes" in small["why"]


def test_a_rule_is_named(comal: Comal, folder: Path, tools_file: Path) -> None:
    tools_file.write_text(tools_file.read_text() + RULE)
    route = '[[routes]]\nname = "default"\ntool = "refund_*"\npolicy = "auto"\nrule = "paid"\n'
    (folder / "comal.toml").write_text(PEOPLE + route)

    found = asked(comal, "refund_order", "amount=1")

    assert found["why"] == "rule 'paid' decides alone, and asks nobody"
    assert found["rule"] == "paid"


def test_more_sets_than_are_shown_are_counted(comal: Comal, folder: Path) -> None:
    many = ", ".join(f'"telegram:{number}"' for number in range(100, 110))
    (folder / "comal.toml").write_text(PEOPLE + QUORUM.format(k=3, many=many))

    found = asked(comal, "greet")

    assert (len(found["sets"]), found["moreSets"], found["allSetsCounted"]) == (20, 100, True)


def test_sets_beyond_counting_are_told_as_so_many_at_least(comal: Comal, folder: Path) -> None:
    many = ", ".join(f'"telegram:{number}"' for number in range(100, 160))
    (folder / "comal.toml").write_text(PEOPLE + QUORUM.format(k=30, many=many))

    shown = comal("approvals", "who", "greet")

    assert "and at least 19980 more sets" in shown.stdout


def test_whom_it_escalates_to_is_told_apart(comal: Comal, folder: Path) -> None:
    route = (
        '[[routes]]\nname = "default"\ntool = "*"\napprovers = ["telegram:43"]\n'
        'escalate = { after = "1h", approvers = ["role:owner"] }\n'
    )
    (folder / "comal.toml").write_text(PEOPLE + route)

    shown = comal("approvals", "who", "greet", "--as", "Bo")

    assert shown.exit_code == 0
    assert "after 3600 seconds it asks 1 of Ana" in shown.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("refund_ordr",), "tool 'refund_ordr' is not known; did you mean 'refund_order'?"),
        (("refund_order", "amount"), "argument 'amount' is neither name=value nor a JSON object"),
        (("refund_order", "{amount}"), "the arguments are no JSON object"),
        (("refund_order", "--as", "Anna"), "--as is 'Anna', who is not known; did you mean 'Ana'?"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(
    comal: Comal, args: tuple[str, ...], said: str
) -> None:
    shown = comal("approvals", "who", *args)

    assert shown.exit_code == 2
    assert said in shown.stderr


def test_subjects_have_routes_as_well(comal: Comal, folder: Path) -> None:
    route = '[[routes]]\nsubject = "deploy *"\napprovers = ["person:Ana"]\n'
    (folder / "comal.toml").write_text(PEOPLE + GOOD + route)

    assert asked(comal, "request_verification", "subject=Deploy prod")["sets"] == [["Ana"]]
    other = asked(comal, "request_verification", "subject=the till")
    assert other["why"] == "no route is about this subject: any one other person decides"
