"""Edits and secrets: what a card masks inside an argument no edit may spell out."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from comal_bot.settings import Settings
from comal_runtime.tools import tool
from tests.bot.rig import Rig, house_settings, rig
from tests.bot.wire import ANA, APPROVERS

from .arranging import asked, button, events, letters

SECRET = "hunter-22-x"


class Account(TypedDict):
    """Where money goes."""

    number: str
    password: NotRequired[str]


@dataclass
class Bank:
    """A tool one of whose arguments may hold a secret."""

    sent: list[Any] = field(default_factory=list)

    @tool(mutating=True)
    async def send(self, account: Account, amount: int) -> str:
        """Send money."""
        self.sent.append((account, amount))
        return "sent"


async def test_an_argument_that_holds_a_secret_is_neither_repeated_nor_edited(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=_sending(), tools=lambda shop: [shop, Bank()]) as at:
        call = f'call send {{"account": {{"number": "A1", "password": "{SECRET}"}}, "amount": 5}}'
        card = await asked(at, call)
        pressed = await at.tap(button(card, "e"), card, sender=ANA)
        told = await at.reply('account = {"number": "A2"}', card, sender=ANA)

        assert "account" not in pressed
        assert told.startswith("account may not be changed; amount may.")
        assert at.one("SELECT COUNT(*) FROM questions") == 1
        assert not _is_told(at)


async def test_an_edit_puts_no_secret_where_none_was(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=_sending(), tools=lambda shop: [shop, Bank()]) as at:
        card = await asked(at, 'call send {"account": {"number": "A1"}, "amount": 5}')
        await at.tap(button(card, "e"), card, sender=ANA)
        words = f'account = {{"number": "A1", "password": "{SECRET}"}}'
        told = await at.reply(words, card, sender=ANA)

        assert told.startswith("account cannot be that: ")
        assert at.one("SELECT COUNT(*) FROM questions") == 1
        assert not _is_told(at)


async def test_what_holds_no_secret_beside_one_is_edited_as_ever(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=_sending(), tools=lambda shop: [shop, Bank()]) as at:
        card = await asked(at, 'call send {"account": {"number": "A1"}, "amount": 5}')
        await at.tap(button(card, "e"), card, sender=ANA)
        told = await at.reply('account = {"number": "A2"}', card, sender=ANA)

        assert told.startswith("Edited: account: ")
        assert "e" in letters(at.wire.card(APPROVERS))


def _sending() -> Settings:
    route = {
        "name": "sending",
        "tool": "send",
        "approvers": ["role:finance"],
        "cards": [f"main:{APPROVERS}"],
        "editable": {"account": {}, "amount": {}},
    }
    return house_settings(routes=[route])


def _is_told(at: Rig) -> bool:
    """Tell whether the secret stands in a message, an answer or what the model hears."""
    texts = [*(sent.text for sent in at.wire.sent.values()), *at.wire.answers, str(events(at))]
    return any(SECRET in one for one in texts)
