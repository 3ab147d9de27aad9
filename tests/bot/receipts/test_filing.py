"""Receipts are signed when all is done, once for each thing that became known."""

import json
from pathlib import Path

import pytest

from comal_bot.channels.channel import Uncertain
from comal_bot.receipts.checking import check
from comal_bot.receipts.filing import SIGN_RECEIPT
from comal_bot.receipts.paper import read
from comal_runtime.consent.question import tell

from ..rig import house_settings, rig
from ..wire import ANA, ANDRES, APPROVERS, ROSA
from .house import REFUND, accounts, dual, refunded, stored

DELETE = 'call delete_note {"note": 2}'


async def test_a_receipt_tells_what_was_shown_who_said_yes_and_what_came_of_it(tmp_path: Path):
    async with rig(tmp_path, settings=dual()) as at:
        await refunded(at, ANA, ANDRES)
        (account,) = accounts(at)
        seen = [card["text"] for card in account["cards"]]

        assert account["asked"]["args"] == '{"order":7}'
        assert account["requester"] == "Rosa"
        assert [vote["name"] for vote in account["votes"]] == ["Ana", "Andrés"]
        assert account["votes"][0]["roles"] == ["finance"]
        assert account["decided"]["state"] == "approved"
        assert (account["act"]["state"], account["act"]["attempt"]) == ("done", 1)
        assert account["act"]["result"]["data"] == "refunded 7"
        assert {card["chat"] for card in account["cards"]} == {str(APPROVERS), str(ROSA)}
        assert any("0 of 2 approvals" in text for text in seen)
        assert any("1 of 2 approvals" in text for text in seen)
        assert not any("executed" in text for text in seen)
        assert all(card["acknowledgedAt"] is not None for card in account["cards"])


async def test_what_is_signed_is_the_text_that_was_delivered_letter_by_letter(tmp_path: Path):
    async with rig(tmp_path) as at:
        await at.say(REFUND)
        delivered = [at.wire.card(APPROVERS).text, at.wire.texts(ROSA)[-1]]
        card = at.wire.card(APPROVERS)

        await at.tap(card.data[1], card, sender=ANA)

        (account,) = accounts(at)
        assert sorted(card["text"] for card in account["cards"]) == sorted(delivered)
        assert card.data[0] not in stored(at)[0]
        assert card.data[0].split(":")[1] not in stored(at)[0]


@pytest.mark.parametrize("choice", [0, 1])
async def test_a_confirmation_has_a_receipt_whichever_way_it_ended(tmp_path: Path, choice: int):
    async with rig(tmp_path) as at:
        await at.say(DELETE)
        card = at.wire.card()

        await at.tap(card.data[choice], card)

        (account,) = accounts(at)
        assert account["decided"]["state"] == ("approved", "cancelled")[choice]
        assert (account["act"] is None) is bool(choice)
        assert check(stored(at)[0], read(stored(at)[0]).key).holds


async def test_an_expired_question_has_a_receipt_that_says_nothing_was_done(tmp_path: Path):
    async with rig(tmp_path) as at:
        await at.say(REFUND)
        at.clock.advance(25 * 3600)
        await at.house.registry.sweep()
        await at.settle()

        (account,) = accounts(at)
        assert (account["decided"]["state"], account["act"]) == ("expired", None)
        assert check(stored(at)[0], read(stored(at)[0]).key).holds


async def test_while_anything_is_to_come_nothing_is_signed(tmp_path: Path):
    async with rig(tmp_path, settings=dual()) as at:
        await at.say(REFUND)
        card = at.wire.card(APPROVERS)

        await at.tap(card.data[0], card, sender=ANA)

        assert stored(at) == []


async def test_told_again_or_by_two_workers_it_is_signed_once(tmp_path: Path):
    async with rig(tmp_path) as at:
        await refunded(at, ANA)
        key = at.one("SELECT id FROM questions")

        for _ in range(3):
            async with at.record.transaction() as tx:
                tx.defer(tell(key))
            await at.settle()
            await at.hands.handlers[SIGN_RECEIPT](key)

        assert len(stored(at)) == 1


async def test_a_receipt_that_was_lost_before_it_was_stored_is_made_by_its_job(tmp_path: Path):
    async with rig(tmp_path) as at:
        await refunded(at, ANA)
        key = at.one("SELECT id FROM questions")
        at.write("DELETE FROM receipts")

        await at.hands.handlers[SIGN_RECEIPT](key)

        assert accounts(at)[0]["act"]["state"] == "done"


async def test_what_becomes_known_later_is_a_receipt_that_names_the_one_before(tmp_path: Path):
    async with rig(tmp_path) as at:
        await refunded(at, ANA)
        key = at.one("SELECT id FROM questions")
        at.write("DELETE FROM receipts")
        at.write("UPDATE acts SET state = 'unknown', result = NULL, reason = 'lost'")
        await at.hands.handlers[SIGN_RECEIPT](key)
        at.write("UPDATE acts SET state = 'done_late', result = ?", json.dumps(LATE))

        async with at.record.transaction() as tx:
            tx.defer(tell(key))
        await at.settle()

        first, second = (read(text) for text in stored(at))
        assert first.account["act"]["state"] == "unknown"
        assert second.account["act"]["state"] == "done_late"
        assert (second.account["number"], second.account["previous"]) == (2, first.digest)
        assert all(check(text, first.key).holds for text in stored(at))


async def test_an_amended_receipt_tells_of_people_as_the_first_one_did(tmp_path: Path):
    async with rig(tmp_path) as at:
        await refunded(at, ANA)
        key = at.one("SELECT id FROM questions")
    fired = house_settings(people=[{"name": "Rosa", "identities": [f"telegram:{ROSA}"]}])
    fired = fired.model_copy(update={"routes": dual().routes})
    async with rig(tmp_path, settings=fired) as at:
        at.write("UPDATE acts SET state = 'settled_done'")

        await at.hands.handlers[SIGN_RECEIPT](key)

        first, second = accounts(at)
        assert second["votes"] == first["votes"]
        assert second["votes"][0]["name"] == "Ana"


async def test_a_card_whose_arrival_nobody_acknowledged_is_told_as_such(tmp_path: Path):
    async with rig(tmp_path) as at:
        at.wire.troubles.extend([Uncertain("no answer")])
        await at.say(DELETE)
        card = at.wire.card()
        await at.tap(card.data[1], card)

        (account,) = accounts(at)
        assert sorted(one["acknowledgedAt"] is None for one in account["cards"]) == [False, True]


async def test_secrets_are_in_no_receipt(tmp_path: Path):
    async with rig(tmp_path) as at:
        await at.say('call save {"text": "the key hunter22 opens it", "password": "hunter22"}')
        card = at.wire.card()
        await at.tap(card.data[0], card)

        (account,) = accounts(at)
        assert account["asked"]["masked"] == '["/password"]'
        assert json.loads(account["asked"]["args"])["password"] == "••••"
        assert "hunter22" not in stored(at)[0].replace("the key hunter22 opens it", "")


LATE = {"success": True, "data": "refunded 7", "message": None, "error": None, "meta": {}}
