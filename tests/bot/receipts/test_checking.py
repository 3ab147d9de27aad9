"""A receipt holds only as it was signed, and only if what it tells fits together."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from comal_bot.receipts.checking import check
from comal_bot.receipts.paper import read, written
from comal_bot.receipts.signing import new_key, signer_from

from ..rig import rig
from .house import ANA, ANDRES, SIGNER, dual, refunded, resigned

OTHER = signer_from(new_key().encode(), "another")


@pytest.fixture
async def receipt(tmp_path: Path) -> str:
    """Give the receipt of a refund that two people approved, signed by the test's key."""
    async with rig(tmp_path, settings=dual()) as at:
        return resigned(await refunded(at, ANA, ANDRES), lambda account: None)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in pairs:
        yield (*path, name)
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*path, name))


def flipped(account: Any, path: tuple[str | int, ...]) -> Any:
    changed = json.loads(json.dumps(account))
    holder = changed
    for part in path[:-1]:
        holder = holder[part]
    value = holder[path[-1]]
    holder[path[-1]] = f"{value}x" if isinstance(value, str) else [value]
    return changed


def test_a_receipt_as_it_was_signed_holds(receipt: str):
    checked = check(receipt, SIGNER.public)

    assert checked.holds
    assert checked.wrong == checked.notes == ()


def test_no_field_can_be_changed(receipt: str):
    paper = read(receipt)
    signature = receipt.splitlines()[1]
    paths = list(leaves(dict(paper.account)))

    kept = []
    for path in paths:
        line = written(flipped(paper.account, path), SIGNER).splitlines()[0]
        if check(f"{line}\n{signature}\n", SIGNER.public).holds:
            kept.append(path)

    assert len(paths) > 80
    assert kept == []


def test_no_letter_can_be_changed(receipt: str):
    kept = []
    for place in range(0, len(receipt) - 1, 7):
        letter = "0" if receipt[place] != "0" else "1"
        changed = f"{receipt[:place]}{letter}{receipt[place + 1 :]}"
        if check(changed, SIGNER.public).holds:
            kept.append(place)

    assert kept == []


def test_whoever_signs_it_anew_is_not_the_one_whose_key_is_known(receipt: str):
    forged = resigned(receipt, lambda account: account["votes"].clear(), OTHER)

    checked = check(forged, SIGNER.public)

    assert checked.wrong[0].startswith("it is signed by another key")


def test_the_key_in_the_file_is_no_reason_to_believe_it(receipt: str):
    account, signature = receipt.splitlines()
    named = json.loads(signature) | {"key": OTHER.public}

    checked = check(f"{account}\n{json.dumps(named)}\n", OTHER.public)

    assert "its signature is not that of its text" in checked.wrong[0]


def change(text: str) -> Callable[[Any], None]:
    return lambda account: exec(text, {"a": account})  # each case below is one line of its own


@pytest.mark.parametrize(
    ("how", "wrong"),
    [
        ("a['version'] = 2", "it is of version 2"),
        ("""a['asked']['args'] = '{"order":8}'""", "arguments are not those of their digest"),
        ("a['asked']['principal'] = 'telegram:5'", "not what was sealed"),
        ("a['asked']['route'] = None", "not what was sealed"),
        ("a['asked']['preview'] = 'nothing'", "not what was sealed"),
        ("a['votes'].pop()", "do not satisfy the terms it was asked by: 1 of 2"),
        ("a['votes'][0]['isRequester'] = True", "do not satisfy"),
        ("a['votes'][0]['roles'] = []", "do not satisfy"),
        ("a['votes'][1] |= {'person': a['votes'][0]['person']}", "there twice"),
        ("a['votes'][0]['at'] = 5.0", "not given while the question was open"),
        ("a['votes'][0]['choice'] = 'maybe'", "which no vote is"),
        ("a['decided']['state'] = 'rejected'", "its votes do not say so"),
        ("a['decided']['state'] = 'open'", "of which there is no receipt"),
        ("a['decided']['state'] = 'expired'", "although the question was expired"),
        ("a['act'] = None", "nothing is told of the act"),
        ("a['act']['argsDigest'] = 'x'", "the act's argsDigest is not that of the question"),
        ("a['act']['tool'] = 'wipe'", "the act's tool is not that of the question"),
        ("a['act']['principal'] = 'telegram:5'", "the act's principal is not"),
        ("a['act']['startedAt'] = 5.0", "did not start after the decision"),
        ("a['act']['endedAt'] = 5.0", "ended before it started"),
        ("a['number'] = 2", "does not fit the receipt"),
        ("a['cards'][0]['text'] = ''", "has no text"),
        ("del a['votes']", "cannot be read"),
        ("a['asked'] = 7", "cannot be read"),
    ],
)
def test_what_does_not_fit_together_is_told_although_it_is_signed(
    receipt: str, how: str, wrong: str
):
    checked = check(resigned(receipt, change(how)), SIGNER.public)

    assert not checked.holds
    assert any(wrong in one for one in checked.wrong), checked.wrong


@pytest.mark.parametrize(
    "text",
    ["", "{}", "{}\n{}\n{}", "[]\n{}", '{"a":1,"a":2}\n{}', "\0", "{" * 100_000, "é\n{}", "{}\n[]"],
)
def test_what_is_no_receipt_is_told(text: str):
    checked = check(text, SIGNER.public)

    assert checked.wrong[0].startswith("this is no receipt: ")


def test_line_ends_of_another_system_change_nothing(receipt: str):
    assert check(receipt.replace("\n", "\r\n"), SIGNER.public).holds
