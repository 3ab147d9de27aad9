"""What a registry is wired with is checked where it is given, not when somebody calls."""

from typing import Any

import pytest

from comal_runtime import PolicyGate, ToolRegistry, Wiring
from comal_runtime.errors import BadDeclaration
from comal_runtime.rate_limit import Limit, Limits


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"limits": {"default": 5}}, "Wiring.limits must be a Limits"),
        ({"limits": Limit(amount=1, per=1)}, "Wiring.limits must be a Limits"),
        ({"policy": [object()]}, "Wiring.policy must be a PolicyGate, not list"),
        ({"routes": ["a"]}, "Wiring.routes must be a Routes, not list"),
        ({"probing": "30/60s"}, "Wiring.probing must be a Limit, not str '30/60s'"),
    ],
)
def test_a_part_of_the_wrong_kind_is_refused_by_its_name(given: dict[str, Any], named: str) -> None:
    with pytest.raises(BadDeclaration, match=named):
        Wiring(**given)


def test_a_registry_takes_a_wiring_and_no_part_of_one() -> None:
    with pytest.raises(BadDeclaration, match="must be a Wiring, not PolicyGate"):
        ToolRegistry(PolicyGate())


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"default": "100/60s"}, "Limits.default must be a Limit, not str '100/60s'"),
        ({"principal": 5}, "Limits.principal must be a Limit"),
        ({"tools": {"wipe": "1/60s"}}, r"Limits.tools\['wipe'\] must be a Limit"),
        ({"channels": {"web": None}}, r"Limits.channels\['web'\] must be a Limit"),
    ],
)
def test_a_limit_of_the_wrong_kind_is_refused_by_its_name(
    given: dict[str, Any], named: str
) -> None:
    with pytest.raises(BadDeclaration, match=named):
        Limits(**given)
