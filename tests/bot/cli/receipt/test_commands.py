"""`comal receipt`: shown where it was made, verified by whoever has the public key."""

import json
from pathlib import Path

import pytest

from comal_bot.receipts.paper import read

from ...receipts.house import ANA, SIGNER, kept, refunded, resigned
from ...rig import rig
from ..conftest import Comal

FROZEN = Path(__file__).parents[2] / "receipts" / "version1.receipt"


@pytest.fixture
async def made(folder: Path) -> str:
    """Give a receipt of the record in the folder."""
    async with rig(folder) as at:
        return await refunded(at, ANA)


def asked(text: str) -> str:
    return str(read(text).account["asked"]["id"])


def test_a_receipt_is_shown_as_a_person_reads_it(comal: Comal, made: str):
    told = comal("receipt", "show", "--", asked(made)[:6]).stdout

    assert told.startswith("receipt 1, ")
    assert "yes of Ana (telegram:1003)" in told
    assert "act done, attempt 1" in told
    assert "[Approve]" in told.replace("✅ ", "")


def test_what_is_written_is_what_was_signed(comal: Comal, made: str, folder: Path):
    out = folder / "out"

    written = comal("receipt", "show", "--out", str(out), "--", asked(made))
    again = comal("receipt", "show", "--out", str(out), "--", asked(made))

    assert written.exit_code == 0
    assert out.read_text() == made
    assert again.exit_code == 1
    assert "is there already" in again.stderr


def test_what_holds_is_told_with_exit_code_0(comal: Comal, made: str, folder: Path):
    told = comal("receipt", "verify", str(kept(made, folder)), "--key", read(made).key)

    assert told.exit_code == 0
    assert told.stdout.startswith("holds: signed by ")


def test_the_first_thing_that_is_wrong_is_told_with_exit_code_1(
    comal: Comal, made: str, folder: Path
):
    wrong = resigned(made, lambda account: account["votes"].clear())

    told = comal("receipt", "verify", str(kept(wrong, folder)), "--key", SIGNER.public)
    as_json = comal("receipt", "verify", str(kept(wrong, folder)), "--key", SIGNER.public, "--json")

    assert told.exit_code == as_json.exit_code == 1
    assert told.stdout.startswith("does not hold: its votes do not satisfy the terms")
    assert json.loads(as_json.stdout)["wrong"][0].startswith("its votes do not satisfy")
    assert json.loads(as_json.stdout)["account"] is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "no public key is given; --key KEY"),
        (("--key", "nowhere"), "cannot be read"),
        (("--key", "ed25519:AA"), "is no public key"),
    ],
)
def test_without_a_public_key_nothing_is_believed(
    comal: Comal, made: str, folder: Path, options: tuple[str, ...], said: str
):
    told = comal("receipt", "verify", str(kept(made, folder)), *options)

    assert told.exit_code == 1
    assert said in told.stderr


def test_a_file_that_is_not_there_is_told(comal: Comal):
    told = comal("receipt", "verify", "nowhere", "--key", SIGNER.public)

    assert told.exit_code == 1
    assert "nowhere" in told.stderr


@pytest.mark.failure_mode(38)
def test_a_receipt_of_the_first_version_holds_for_ever(comal: Comal):
    lines = FROZEN.read_text().splitlines()
    key = json.loads(lines[1])["key"]

    told = comal("receipt", "verify", str(FROZEN), "--key", key)

    assert told.exit_code == 0, told.stdout
    assert "BREAK-GLASS" in told.stdout
