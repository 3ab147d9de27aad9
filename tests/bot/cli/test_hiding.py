"""What a card hides is hidden by commands and receipts as well, wherever else it stands."""

import asyncio
import json
from pathlib import Path

import pytest

from comal_runtime.tools import tool

from ..rig import rig
from .conftest import Comal

SECRETS = ["hunter-22", 'he"l\\lo-22', "contraseña\n22"]


class Safe:
    """A tool that tells its secret in what it foretells and in what it answers."""

    def foretold(self, text: str, password: str) -> dict[str, object]:
        return {"login": f"with {password}!", "by": {password: 1}}

    @tool(mutating=True, preview=foretold)
    async def lock(self, text: str, password: str) -> dict[str, str]:
        """Lock the safe."""
        return {"locked": f"with {password}!"}


async def _locked(folder: Path, secret: str) -> tuple[str, str]:
    """Lock a safe; the id of its question and its receipt."""
    async with rig(folder, tools=lambda shop: [shop, Safe()]) as at:
        await at.say(f"call lock {json.dumps({'text': 'safe', 'password': secret})}")
        card = at.wire.card()
        await at.tap(card.data[0], card)

        return at.one("SELECT id FROM questions"), at.one("SELECT body FROM receipts")


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("what", ["approvals", "acts"])
def test_no_command_tells_what_a_card_hides(
    comal: Comal, folder: Path, secret: str, what: str
) -> None:
    key, _ = asyncio.run(_locked(folder, secret))

    for more in ([], ["--json"]):
        told = comal(what, "show", *more, "--", key).stdout

        assert "with" in told
        assert not any(one in told for one in _spellings(secret))


@pytest.mark.parametrize("secret", SECRETS)
def test_no_receipt_tells_what_a_card_hides_however_json_spells_it(
    folder: Path, secret: str
) -> None:
    _, receipt = asyncio.run(_locked(folder, secret))
    account = json.dumps(json.loads(receipt.splitlines()[0]), ensure_ascii=False)

    assert "login" in receipt
    assert not any(one in text for one in _spellings(secret) for text in (receipt, account))


def _spellings(secret: str) -> set[str]:
    """Return a text as itself and as JSON spells it, within JSON as well."""
    found = {secret}
    for _ in range(3):
        found |= {json.dumps(one, ensure_ascii=a)[1:-1] for one in found for a in (True, False)}
    return found
