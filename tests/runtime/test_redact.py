"""Redaction: by name, by look, at any depth; and lines that cannot be forged."""

import dataclasses
import json
import math
from collections.abc import Callable
from datetime import date
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comal_runtime.redact import (
    _LABELLED,
    _SECRETS,
    MASK,
    _keep_label,
    is_sensitive,
    printable,
    redact,
    redact_text,
)


@pytest.mark.parametrize(
    "key",
    [
        "password", "Password", "PASSWD", "db_password", "userPassword", "token", "Token",
        "access_token", "accessToken", "accesstoken", "confirm_token", "SECRET", "client-secret",
        "api_key", "apiKey", "API-KEY", "apikey", "X-Api-Key", "openaiApiKey", "Authorization",
        "cookie", "Set-Cookie", "private_key", "privateKey", "passphrase", "\uff50assword",
    ],
)  # fmt: skip
def test_a_field_of_this_name_is_masked(key: str) -> None:
    assert redact({key: "hunter2"}) == {key: MASK}


@pytest.mark.runtime_line(35)
@pytest.mark.original_fault("RC:redaction")
@pytest.mark.parametrize(
    "name",
    ["apiKey", "confirm_token", "access_token", "authorization", "passwd", "cookie", "private_key"],
)
@pytest.mark.parametrize("spelt", [str, str.upper, str.title])
def test_a_secrets_name_is_known_in_any_case(name: str, spelt: Callable[[str], str]) -> None:
    assert redact([{"a": {spelt(name): "hunter2"}}]) == [{"a": {spelt(name): MASK}}]


@pytest.mark.parametrize("key", ["text", "secretary", "tokenize", "author", "keyboard", "pass"])
def test_a_field_of_this_name_is_shown(key: str) -> None:
    assert redact({key: "hello"}) == {key: "hello"}


def test_a_count_of_tokens_is_shown_and_a_list_of_tokens_is_not() -> None:
    assert redact({"max_tokens": 4096}) == {"max_tokens": 4096}
    assert redact({"tokens": ["abc"]}) == {"tokens": MASK}


def test_a_number_under_a_secret_name_is_masked_and_a_flag_is_not() -> None:
    assert redact({"token": 123456, "secret": True, "password": None}) == {
        "token": MASK,
        "secret": True,
        "password": None,
    }


def test_depth_hides_nothing() -> None:
    value = {"a": [{"b": {"password": "p", "x": ({"Token": "t"},)}}], "password": {"x": 1}}

    assert redact(value) == {
        "a": [{"b": {"password": MASK, "x": [{"Token": MASK}]}}],
        "password": MASK,
    }


@pytest.mark.original_fault("RC:redaction")
def test_no_name_makes_a_field_disappear() -> None:
    assert redact({"_ctx": {"evil": 1}, "x": 1}) == {"_ctx": {"evil": 1}, "x": 1}


def test_extra_names_add_to_the_known_ones() -> None:
    extra = frozenset({"Clave_Interna"})

    assert redact({"claveInterna": "x", "password": "y"}, extra) == {
        "claveInterna": MASK,
        "password": MASK,
    }
    assert is_sensitive("claveinterna", extra)
    assert not is_sensitive("claveinterna")


@pytest.mark.runtime_line(35)
@pytest.mark.parametrize(
    "secret",
    [
        "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx",
        "sk-proj-abcdefghij0123456789",
        "ghp_0123456789abcdefghijABCDEFGHIJ",
        "xoxb-123456789-abcdefghij",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJl",
        "sk_live_abcdefghij0123456789",
        "whsec_abcdefghij0123456789ABCD",
        "glpat-abcdefghij0123456789",
        "hf_abcdefghij0123456789ABCDEFGHIJkl",
        "SG.abcdefghij0123456789.abcdefghij0123456789",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_a_value_that_looks_like_a_secret_is_masked_wherever_it_stands(secret: str) -> None:
    text = redact({"note": f"use {secret} now"})

    assert text == {"note": f"use {MASK} now"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abcdefgh12345678", f"Authorization: Bearer {MASK}"),
        ("postgres://bot:hunter2@db/x", f"postgres://bot:{MASK}@db/x"),
        ("https://x.test/?a=1&api_key=abc&b=2", f"https://x.test/?a=1&api_key={MASK}&b=2"),
        ('{"password": "hun\\"ter2", "a": 1}', f'{{"password": "{MASK}", "a": 1}}'),
        ("password=hunter2;", f"password={MASK};"),
        ('{\\"apiKey\\":\\"hunter2', f'{{\\"apiKey\\":\\"{MASK}'),
        ("AUTHORIZATION=hunter2", f"AUTHORIZATION={MASK}"),
    ],
)
def test_a_labelled_secret_loses_its_value_and_keeps_its_label(text: str, shown: str) -> None:
    assert redact_text(text) == shown


@pytest.mark.parametrize("text", ["meet at 10:30", "https://x.test/a?b=1", "the token is lost", ""])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact_text(text) == text


def test_a_long_text_takes_no_long_time() -> None:
    for piece in ("://a", "eyJ", "token=", '"token":"', "-----BEGIN ", "1234567:"):
        redact_text(piece * 20_000)


def test_what_json_lacks_becomes_text_that_can_be_encoded() -> None:
    @dataclasses.dataclass
    class Card:
        password: str = "p"

    value = {
        "inf": math.inf,
        "half": "a\ud800",
        "bytes": b"abc",
        "day": date(2026, 1, 31),
        "id": UUID(int=7),
        "card": Card(),
        7: {1},
    }

    found = redact(value)

    assert found == {
        "inf": "inf",
        "half": "a?",
        "bytes": "(3 bytes)",
        "day": "2026-01-31",
        "id": "00000000-0000-0000-0000-000000000007",
        "card": "(Card)",
        "7": [1],
    }
    json.dumps(found, allow_nan=False).encode()


def test_a_value_that_holds_itself_ends() -> None:
    value: dict[str, object] = {}
    value["self"] = value

    assert "left out" in json.dumps(redact(value))


def test_the_original_is_not_changed() -> None:
    value = {"a": {"token": "t"}}

    redact(value)

    assert value == {"a": {"token": "t"}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\r", "a\\nb\\r"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u2028b\u202eb\x85", "a\\u2028b\\u202eb\\x85"),
        ("a\ud800", "a\\ud800"),
        ("niño 👨\u200d👩 \u00a0ok", "niño 👨\u200d👩 \u00a0ok"),
    ],
)
def test_a_printable_text_is_one_line_without_control_characters(text: str, line: str) -> None:
    assert printable(text) == line


def test_two_names_that_read_the_same_hide_neither_field() -> None:
    assert redact({1: "a", "1": "b"}) == {"1": "a", "1'": "b"}


def test_an_integer_that_no_json_writer_spells_hides_nothing_beside_it() -> None:
    assert redact({"x": 10**5000, "y": 1}) == {"x": "(an integer of 16610 bits)", "y": 1}


@given(
    st.lists(
        st.sampled_from(
            [
                *("=", '"', "://", ":", "@", " ", "a", "Bearer ", "basic ", "token", "password"),
                *("-----BEGIN PRIVATE KEY-----", "sk-", "eyJ", ".", "_", "0123456789", "ghp_"),
                *("abcdefghijklmnopqrstuvwxyz", "xoxb-", "ñ", "\\", "apiKey", "123456:", "AKIA"),
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_looking_in_passing_misses_no_secret(text: str) -> None:
    whole = _LABELLED.sub(_keep_label, _SECRETS.sub(MASK, text))

    assert redact_text(text) == whole
