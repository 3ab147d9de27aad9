"""`[pairing]`: what strangers may become."""

import pytest

from comal_bot.settings.admission import deciding_in, pairing
from comal_bot.settings.checks import across

from .rig import house_settings


def problems(**said: object) -> list[str]:
    return [one.text for one in pairing(house_settings(pairing=said))]


def test_a_role_that_decides_nothing_may_be_given() -> None:
    assert problems(strangers="pair", roles=["desk"]) == []


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        (["owner"], "nobody is paired as"),
        (["finance"], "approves what others ask for"),
        (["dseks"], "is a role that nobody holds"),
    ],
)
def test_a_role_that_nobody_should_get_so_is_refused(roles: list[str], told: str) -> None:
    (problem,) = problems(roles=roles)

    assert told in problem


def test_a_role_that_decides_is_given_where_that_is_said_to_be_meant() -> None:
    accepted = {"i_accept_approver_roles": True}

    assert problems(roles=["finance"], **accepted) == []
    assert len(problems(roles=["owner"], **accepted)) == 1


def test_owners_decide_whatever_the_routes_say() -> None:
    assert "role:owner" in deciding_in(house_settings(routes=[]))


def test_a_route_may_ask_owners_before_there_is_one() -> None:
    route = {"tool": "wipe", "approvers": ["role:owner"], "cards": ["main:-100"]}

    assert list(across(house_settings(routes=[route]))) == []
