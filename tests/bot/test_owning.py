"""The first owner: by a code from the terminal, in private, once."""

import logging
from pathlib import Path

import pytest

from comal_bot.owning import LASTS, issue_code

from .rig import Rig, house_settings, rig
from .wire import ANA, BRUNO, GROUP, ROSA, written


async def said(at: Rig, words: str, sender: int = BRUNO, chat: int | None = None) -> str:
    await at.say(words, sender, chat)
    return at.wire.texts(chat or sender)[-1]


def roles(at: Rig) -> list[tuple[str, str]]:
    return at.rows("SELECT principal, role FROM identity_roles")


async def code_of(at: Rig) -> str:
    return await issue_code(at.record, at.clock)


async def test_whoever_sends_the_code_in_private_owns_the_house(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        answer = await said(at, f"/owner {(await code_of(at)).lower()}")
        after = await said(at, "/whoami")
        await at.house.registry.audit.flush()

        assert answer == "You are the owner of this bot now."
        assert after == f"You are telegram:{BRUNO}. Roles: owner."
        audited = at.rows("SELECT tool, principal, decision, args FROM audit")
        assert audited == [("become_owner", f"telegram:{BRUNO}", "owner_welcome", "{}")]


async def test_a_code_makes_one_owner_and_the_next_one_is_refused(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        code = await code_of(at)
        await said(at, f"/owner {code}")
        again = await said(at, f"/owner {code}", ROSA)
        fresh = await said(at, f"/owner {await code_of(at)}", ROSA)

        assert again == fresh
        assert "There is an owner already" in again
        assert roles(at) == [(f"telegram:{BRUNO}", "owner")]


async def test_a_house_whose_settings_name_an_owner_takes_no_code(tmp_path: Path) -> None:
    people = [{"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["owner"]}]
    async with rig(tmp_path, settings=house_settings(people=people, routes=[])) as at:
        assert "There is an owner" in await said(at, f"/owner {await code_of(at)}")
        assert roles(at) == []


@pytest.mark.failure_mode(4)
async def test_a_code_that_others_could_read_makes_nobody_an_owner(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        code = await code_of(at)
        in_group = await said(at, f"/owner {code}", chat=GROUP)
        in_private = await said(at, f"/owner {code}")

        assert "Others may have read this code" in in_group
        assert in_private == "No code is good now. `comal people owner-code` prints one."
        assert roles(at) == []


@pytest.mark.failure_mode(3)
@pytest.mark.parametrize(
    "sender",
    [
        {"sender_chat": {"id": GROUP, "type": "supergroup", "title": "The owners"}},
        {"from": {"id": 1087968824, "is_bot": True, "first_name": "Group"}},
        {"from": {"id": 777000, "is_bot": False, "first_name": "Telegram"}},
        {"from": {"id": 136817688, "is_bot": True, "first_name": "Channel"}},
        {"from": {"id": 4242, "is_bot": True, "first_name": "Some bot"}},
    ],
    ids=["sender_chat", "anonymous admin", "forwarded channel post", "channel bot", "bot"],
)
async def test_nobody_without_a_face_becomes_an_owner(
    tmp_path: Path, sender: dict[str, object]
) -> None:
    async with rig(tmp_path) as at:
        code = await code_of(at)
        for number, chat in enumerate((BRUNO, GROUP)):
            await at.hear(written(900 + number, f"/owner {code}", BRUNO, chat, **sender))

        assert roles(at) == []
        assert "owner of this bot" in await said(at, f"/owner {code}")


async def test_a_channel_post_makes_nobody_an_owner(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        post = written(900, f"/owner {await code_of(at)}", BRUNO, GROUP)["message"]
        del post["from"]
        await at.hear({"update_id": 900, "channel_post": post})

        assert roles(at) == []


async def test_a_few_wrong_codes_make_the_right_one_worthless(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        code = await code_of(at)
        wrong = [await said(at, f"/owner {guess}") for guess in ("AAAA-AAAA", "x", "2222-2222")]
        right = await said(at, f"/owner {code}", ROSA)

        assert "After 2 more wrong ones" in wrong[0]
        assert "now it is worth nothing" in wrong[2]
        assert right.startswith("No code is good now")
        assert roles(at) == []


async def test_a_code_that_made_an_owner_makes_no_other_one(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        code = await code_of(at)
        first = await said(at, f"/owner {code}")
        async with at.record.transaction() as tx:
            await tx.identities.take(f"telegram:{BRUNO}", "owner")
        second = await said(at, f"/owner {code}", ROSA)

        assert "owner of this bot" in first
        assert second.startswith("No code is good now")
        assert roles(at) == []


async def test_a_code_is_worth_nothing_after_its_time(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        code = await code_of(at)
        at.clock.advance(LASTS)

        assert (await said(at, f"/owner {code}")).startswith("No code is good now")
        assert roles(at) == []


async def test_the_code_is_in_no_row_of_its_own_and_in_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with rig(tmp_path) as at:
        code = await code_of(at)

        stored = repr(at.rows("SELECT * FROM owner_codes"))
        assert code not in stored
        assert code.replace("-", "") not in stored
        assert code not in caplog.text
