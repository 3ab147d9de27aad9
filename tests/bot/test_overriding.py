"""What was done past everybody's rights is told to the owners and to whom it is about, once."""

from pathlib import Path

import pytest

from comal_bot.settings import BadSettings, load_settings
from comal_runtime.consent.overriding import TELL_OVERRIDE, overrule
from comal_runtime.record import Override

from .rig import Rig, house_settings, rig
from .wire import ANA, BRUNO, GROUP, ROSA

PEOPLE = [
    {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["owner"]},
    {"name": "Bruno", "identities": [f"telegram:{BRUNO}"], "roles": ["owner"]},
]


async def broken(at: Rig, conversation: str | None, did: str = "approvals approve: x()") -> None:
    """Break the glass and do what follows."""
    override = Override(
        id="o1",
        principal="break-glass:root",
        reason="disk is full",
        did=did,
        conversation=conversation,
        at=at.clock.now(),
    )
    async with at.record.transaction() as tx:
        await overrule(tx, override)
    await at.settle()


def told(at: Rig, chat: int) -> list[str]:
    """Return what a chat was told of it."""
    return [text for text in at.wire.texts(chat) if "BREAK-GLASS" in text]


async def test_owners_hear_of_it_in_private_and_the_requester_in_their_chat(tmp_path: Path):
    async with rig(tmp_path, settings=house_settings(people=PEOPLE, routes=[])) as at:
        await at.say("say hello", sender=ANA)
        await at.say("@comal_bot say hello", sender=ROSA, chat=GROUP)
        group = at.one("SELECT conversation FROM addresses WHERE chat = ?", str(GROUP))

        await broken(at, group)
        await at.hands.handlers[TELL_OVERRIDE]("o1")
        await at.settle()

        assert len(told(at, ANA)) == len(told(at, GROUP)) == 1
        assert told(at, BRUNO) == told(at, ROSA) == []
        assert "BREAK-GLASS (root)" in told(at, ANA)[0]
        assert "disk is full" in told(at, ANA)[0]


async def test_an_owner_who_is_the_requester_hears_of_it_once(tmp_path: Path):
    async with rig(tmp_path, settings=house_settings(people=PEOPLE, routes=[])) as at:
        await at.say("say hello", sender=ANA)
        own = at.one("SELECT conversation FROM addresses WHERE chat = ?", str(ANA))

        await broken(at, own)

        assert len(told(at, ANA)) == 1


async def test_what_was_done_is_told_with_nothing_hidden_in_it(tmp_path: Path):
    async with rig(tmp_path, settings=house_settings(people=PEOPLE, routes=[])) as at:
        await at.say("say hello", sender=ANA)

        await broken(at, None, did="approvals approve: pay(\u202eto)\nReason: all is well")

        (text,) = told(at, ANA)
        assert "\u202e" not in text
        assert "\nReason: all is well" not in text


@pytest.mark.failure_mode(4)
@pytest.mark.parametrize("command", ["/approve", "/approve@comal_bot", "/approvals approve"])
async def test_no_command_in_a_chat_answers_a_question(tmp_path: Path, command: str):
    async with rig(tmp_path) as at:
        await at.say('call refund {"order": 7}')
        question = at.one("SELECT id FROM questions")

        await at.say(f"{command} {question}", sender=ANA)

        assert at.rows("SELECT * FROM votes") == []
        assert at.one("SELECT state FROM questions") == "open"
        assert at.shop.ran == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('[[people]]\nname = "Eve"\nidentities = ["break-glass:root"]\n', "nobody is for good"),
        ("[channels.break-glass]\ntype = 'telegram'\n", "already means somebody's right"),
        ("[channels.os]\ntype = 'telegram'\n", "already means somebody's right"),
    ],
)
def test_no_setting_makes_somebody_a_glass_breaker(tmp_path: Path, wrong: str, said: str):
    (tmp_path / "comal.toml").write_text(wrong)

    with pytest.raises(BadSettings, match=said):
        load_settings(tmp_path / "comal.toml")
