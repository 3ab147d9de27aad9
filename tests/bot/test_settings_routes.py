"""[[routes]] of the settings: every key, the names in them, and what is refused."""

from pathlib import Path

import pytest

from comal_bot.settings import BadSettings, load_settings
from comal_runtime.consent import Escalation, Group, Route

PEOPLE = """
[[people]]
name = "Ana"
identities = ["telegram:42", "os:ana"]
roles = ["owner"]
[[people]]
name = "Bo"
identities = ["telegram:43"]
roles = ["finance"]
[[people]]
name = "Ghost"
"""
WHOLE = """
[[routes]]
name = "owners"
tool = "wipe_*"
approvers = ["role:owner", "person:Ana"]
cards = ["main:-1"]

[[routes]]
name = "refunds"
tool = "refund_*"
when = "order.total > 100"
cards = ["main:-2:7"]
reject_threshold = 2
expires = "2d"
reason = true
remind = "4h"
escalate = { after = "1d", route = "owners" }
editable = { amount = { maximum = 100 }, note = {} }
[[routes.groups]]
name = "money"
approvers = ["role:finance", "person:Bo"]
k = 2
[[routes.groups]]
approvers = ["os:ana"]
stage = 2
cards = ["main:-3"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems(text: str) -> tuple[str, ...]:
    Path("comal.toml").write_text(text)
    with pytest.raises(BadSettings) as refused:
        load_settings()
    return refused.value.problems


def test_every_key_of_a_route_becomes_what_the_registry_asks_by(folder: Path) -> None:
    (folder / "comal.toml").write_text(PEOPLE + WHOLE)

    routes = load_settings().routing()

    assert routes.named("refunds") == Route(
        name="refunds",
        tool="refund_*",
        when="order.total > 100",
        cards=("main:-2:7",),
        reject_threshold=2,
        ttl=2 * 86400.0,
        reason=True,
        remind=4 * 3600.0,
        escalation=Escalation(
            after=86400.0, approvers=("role:owner", "telegram:42"), cards=("main:-1",)
        ),
        editable={"amount": {"maximum": 100}, "note": {}},
        groups=(
            Group(name="money", approvers=("role:finance", "telegram:43"), k=2),
            Group(approvers=("os:ana",), stage=2, cards=("main:-3",)),
        ),
    )


def test_a_subject_is_a_route_of_its_own(folder: Path) -> None:
    text = '[[routes]]\nsubject = "deploy *"\napprovers = ["person:Ana"]\n'
    (folder / "comal.toml").write_text(PEOPLE + text)

    [route] = load_settings().routing()

    assert (route.name, route.tool, route.subject) == (
        "deploy *",
        "request_verification",
        "deploy *",
    )


@pytest.mark.failure_mode(16)
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('polcy = "dual"\n', "polcy is unknown; did you mean 'policy'?"),
        ("policy = false\n", "policy is False; it must be a text"),
        ('policy = "off"\n', "policy is 'off'; allowed: 'single', 'dual', 'quorum', 'auto'"),
        ('policy = "quorum"\nk = true\n', "k is True; it must be a whole number"),
        ("reject_threshold = false\n", "reject_threshold is False; it must be a whole number"),
        ('reason = "off"\n', "reason is 'off'; it must be true or false"),
        ("when = false\n", "when is False; it must be a text"),
        ('when = ""\n', "when is ''; it cannot be read: invalid syntax"),
        (
            "when = \"'amount' > 100\"\n",
            "when is \"'amount' > 100\"; it compares nothing of the call; argument names stand "
            "without quotes",
        ),
        ("expires = false\n", "expires is False; allowed: a number of seconds above 0, or a text"),
        ('remind = "1d"\n', "remind is 86400 seconds, when its questions have ended after 3600"),
        ("remind = 0\n", "remind is 0; allowed: a number of seconds"),
        (
            'escalate = { after = "30m", route = "ownerz" }\n',
            "escalate route 'ownerz' is no route; did you mean 'owners'?",
        ),
        (
            'escalate = { after = "30m", route = "r" }\n',
            "escalate route 'r' is this route itself; name another",
        ),
        (
            'escalate = { after = "30m", route = "paid" }\n',
            "escalate route 'paid' asks nobody: a rule decides there",
        ),
        (
            'escalate = { after = "30m", route = "owners", approvers = ["telegram:43"] }\n',
            "escalate route is there beside approvers; name a route or people, not both",
        ),
        ('escalate = { after = "30m" }\n', "escalate approvers is empty"),
        (
            'escalate = { after = "2h", approvers = ["telegram:43"] }\n',
            "escalate after is 7200 seconds, when its questions have ended after 3600",
        ),
        (
            'escalate = { after = "30m", approvers = ["role:finanse"] }\n',
            "escalate approvers #1 'role:finanse' is a role that nobody holds",
        ),
        (
            'escalate = { after = "30m", approvers = ["telegram:43"], cards = ["shop:1"] }\n',
            "escalate cards #1 'shop:1' hangs on no channel of yours",
        ),
        ('editable = { amount = { maximum = "x" } }\n', "editable amount is no JSON schema"),
        ("editable = { amount = 100 }\n", "editable amount is 100; it must be a table"),
        (
            '[[routes.groups]]\napprovers = ["telegram:43"]\n',
            "approvers are there beside groups; put everybody into a group",
        ),
    ],
)
def test_a_slip_in_a_route_never_opens_a_gate(more: str, said: str) -> None:
    head = '[[routes]]\nname = "r"\ntool = "refund"\nexpires = "1h"\napprovers = ["role:owner"]\n'
    if more.startswith("expires"):
        head = head.replace('expires = "1h"\n', "")
    rest = (
        '[[routes]]\nname = "owners"\ntool = "x"\napprovers = ["role:owner"]\n'
        '[[routes]]\nname = "paid"\ntool = "y"\npolicy = "auto"\nrule = "paid"\n'
    )

    found = problems(PEOPLE + head + more + rest)

    assert len(found) == 1
    assert found[0].startswith(f"comal.toml: [[routes]] #1 {said}")


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ("{ approvers = [] }", "groups #1 approvers is empty"),
        ('{ approvers = ["bo"] }', "groups #1 approvers #1 is 'bo'"),
        ('{ approvers = ["requester"] }', "groups #1 approvers #1 is 'requester'"),
        ('{ approvers = ["role:nobody"] }', "groups #1 approvers #1 'role:nobody' is a role"),
        ('{ approvers = ["person:Eve"] }', "groups #1 approvers #1 'person:Eve' is nobody"),
        ('{ approvers = ["person:Ghost"] }', "groups #1 approvers #1 'person:Ghost' is nobody"),
        ('{ approvers = ["telegram:43"], k = 0 }', "groups #1 k is 0"),
        ('{ approvers = ["telegram:43"], stage = "2" }', "groups #1 stage is '2'"),
        ('{ approvers = ["telegram:43"], kk = 1 }', "groups #1 kk is unknown"),
        ('{ approvers = ["telegram:43"], cards = ["shop:1"] }', "groups #1 cards #1 'shop:1'"),
    ],
)
def test_what_is_wrong_in_a_group_is_told_with_its_place(groups: str, said: str) -> None:
    found = problems(f'{PEOPLE}[[routes]]\ntool = "refund"\ngroups = [{groups}]\n')

    assert len(found) == 1
    assert found[0].startswith(f"comal.toml: [[routes]] #1 {said}")


def test_groups_and_a_policy_exclude_each_other() -> None:
    text = 'policy = "dual"\ngroups = [{ approvers = ["telegram:43"] }]\n'

    [found] = problems(f'{PEOPLE}[[routes]]\ntool = "refund"\n{text}')

    assert "policy is 'dual' beside groups, each of which has a k of its own" in found


def test_a_route_about_nothing_is_refused() -> None:
    [found] = problems(f'{PEOPLE}[[routes]]\napprovers = ["telegram:43"]\n')

    assert "tool is not set and neither is subject" in found
