"""Keys of receipts: made once, kept from others, and told apart."""

import asyncio
import stat
import subprocess
from pathlib import Path

import pytest

from comal_bot.receipts.signing import (
    BadReceiptKey,
    in_pem,
    is_signed_by,
    new_key,
    public_key,
    signer_from,
    signer_of,
)
from comal_bot.settings import BadSettings, Settings, load_settings


def settings(folder: Path, **receipts: str) -> Settings:
    url = f"sqlite:///{folder / 'comal.db'}"
    return Settings.model_validate({"data": {"url": url}, "receipts": receipts})


def test_a_key_is_made_once_beside_the_record_for_its_owner_alone(tmp_path: Path):
    first = signer_of(settings(tmp_path), create=True)
    second = signer_of(settings(tmp_path), create=True)

    mode = stat.S_IMODE((tmp_path / "comal.db.receipt-key").stat().st_mode)
    assert (first.public, mode) == (second.public, 0o600)


async def test_processes_that_begin_at_once_sign_with_the_same_key(tmp_path: Path):
    made = await asyncio.gather(
        *(asyncio.to_thread(signer_of, settings(tmp_path), create=True) for _ in range(8))
    )

    assert len({one.public for one in made}) == 1


def test_the_key_of_the_settings_goes_before_that_of_the_record(tmp_path: Path):
    key = new_key()
    signer_of(settings(tmp_path), create=True)

    assert signer_of(settings(tmp_path, key=key)).public == signer_from(key.encode(), "it").public


def test_a_key_is_in_no_repr(tmp_path: Path):
    key = new_key()
    given = settings(tmp_path, key=key)

    shown = repr(given) + repr(signer_of(given))

    assert key.splitlines()[1] not in shown


@pytest.mark.parametrize("held", ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAA\n"])
def test_a_file_that_holds_no_key_is_told(tmp_path: Path, held: str):
    (tmp_path / "comal.db.receipt-key").write_text(held)

    with pytest.raises(BadReceiptKey, match="openssl genpkey -algorithm ed25519"):
        signer_of(settings(tmp_path), create=True)


def test_a_key_that_is_not_there_is_told_and_not_made_by_who_only_reads(tmp_path: Path):
    with pytest.raises(BadReceiptKey, match="`comal run` makes it"):
        signer_of(settings(tmp_path))

    assert not (tmp_path / "comal.db.receipt-key").exists()


def test_a_setting_that_is_no_key_is_told_without_telling_it(tmp_path: Path):
    config = tmp_path / "comal.toml"
    config.write_text('[receipts]\nkey = "swordfish"\n')

    with pytest.raises(BadSettings) as told:
        load_settings(config)

    assert "receipts" in str(told.value).lower()
    assert "swordfish" not in str(told.value)


@pytest.mark.parametrize("form", ["text", "text in a file", "pem in a file"])
def test_a_public_key_is_read_in_every_form_it_is_given_in(tmp_path: Path, form: str):
    public = signer_from(new_key().encode(), "it").public
    file = tmp_path / "key"
    file.write_text(in_pem(public) if form.startswith("pem") else f"{public}\n")

    assert public_key(public if form == "text" else str(file)) == public


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (new_key(), "holds a private key"),
        ("ed25519:AAAA", "is no public key"),
        ("something", "holds no public key"),
    ],
)
def test_what_is_no_public_key_is_told(tmp_path: Path, held: str, told: str):
    file = tmp_path / "key"
    file.write_text(held)

    with pytest.raises(BadReceiptKey, match=told):
        public_key(str(file))


def test_another_program_agrees_about_a_signature(tmp_path: Path):
    signer = signer_from(new_key().encode(), "it")
    payload = b'{"version":1}'
    (tmp_path / "public.pem").write_text(in_pem(signer.public))
    (tmp_path / "payload").write_bytes(payload)
    signature = signer.sign(payload)
    (tmp_path / "signature.b64").write_text(signature)

    verified = subprocess.run(
        "base64 -d signature.b64 > signature && openssl pkeyutl -verify -pubin "
        "-inkey public.pem -rawin -in payload -sigfile signature",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert is_signed_by(signer.public, signature, payload)
    assert "Verified Successfully" in verified.stdout, verified.stderr
