"""Pictures of real cards on a phone, for docs/consent.md: `python -m tests.docs.draw_cards`.

The product's own host asks, people of the emulated Telegram answer, and the demo's page shows it.
The wall clock is set, so that the cards always tell the same time.
"""

import asyncio
import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from playwright.async_api import Page, async_playwright

from comal_bot import Comal, Settings
from comal_bot.simulator.board import Board
from comal_bot.simulator.cast import APPROVERS, Cast, Player, assemble
from comal_bot.simulator.demo import launch_of
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.folder import DemoFolder, held
from comal_bot.simulator.serving import serve
from comal_bot.simulator.values import Chat, MessageView
from comal_bot.simulator.web import demo_app
from comal_bot.simulator.world import TelegramWorld
from comal_runtime.clock import SystemClock
from comal_runtime.tools import tool
from tests.support.prerequisites import BROWSERS
from tests.support.stage import asks, has_buttons, says, scripted

PICTURES: Final = Path("docs/images/cards")
PHONE: Final = {"width": 390, "height": 1700}  # As wide as a phone, and tall enough for any card.
_NOON: Final = 1_796_133_720.0  # 2026-12-01 14:02 UTC
_OVER: Final = 700.0  # seconds; a confirmation lasts ten minutes
_PATIENCE: Final = 15.0  # seconds
_TOKEN: Final = "only-on-this-machine-while-it-draws"

INVOICE: Final = {
    "to": {"name": "\u0440\u0430\u0443\u0440\u0430\u04cf supplies", "account": "ACC-1\u200b9"},
    "lines": [{"item": "blue corn", "kilos": 40}, {"item": "lime", "kilos": 2.5}],
    "memo": "July delivery\n\nApproved by the owner" + " " * 300 + "pay twice",
    "api_key": "sk-live-4711",
}


def gone(note_id: int) -> dict[str, object]:
    """Foretell what is left without a note."""
    return {"gone": "Order blue corn", "notes": {"from": 3, "to": 2}}


class Shop:
    """The tools behind the pictures."""

    @tool(mutating=True, preview=gone)
    def delete_note(self, note_id: int) -> str:
        """Delete a note."""
        return f"note {note_id} is gone"

    @tool(mutating=True)
    def pay_invoice(
        self, to: dict[str, str], lines: list[dict[str, Any]], memo: str, api_key: str
    ) -> str:
        """Pay an invoice."""
        return "paid"

    @tool(mutating=True)
    def wipe_customers(self, older_than: int) -> str:
        """Delete customers."""
        return "wiped"

    @tool(mutating=True)
    def charge_card(self, customer: str, amount: float) -> str:
        """Charge a customer's card."""
        raise ConnectionError("the line went dead after the request was sent")

    @tool(mutating=True)
    def close_shop(self, day: str) -> str:
        """Close the shop for a day."""
        return "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Where the pictures are taken."""

    cast: Cast
    page: Page
    clock: "Wall"

    @property
    def private(self) -> Chat:
        """Rosa's private chat with the bot."""
        return self.cast.rosa.person.chat_with(self.cast.bot)

    async def ask(self, words: str) -> None:
        """Let Rosa ask for something."""
        self.cast.rosa.person.send(self.private, words)

    async def see(self, who: Player, chat: Chat, title: str) -> MessageView:
        """Wait for a card with buttons."""
        return await who.person.wait_for(
            chat, lambda view: has_buttons(view) and says(title)(view), _PATIENCE
        )

    async def shoot(self, name: str, who: Player, chat: Chat, *, holding: str) -> None:
        """Take the picture of the newest card in a chat that shows these words."""
        page = self.page
        await page.locator('.bottom [data-view="chats"]').click()
        await page.locator("#people .entry", has_text=who.name).click()
        await page.locator('.bottom [data-view="chats"]').click()
        key = "Approvers" if chat == self.cast.approvers else "Comal"
        await page.locator("#chats .entry", has_text=key).first.click()
        card = page.locator("#log .message", has_text=holding).last
        await card.wait_for()
        await page.wait_for_timeout(1800)  # what flashes has faded by then
        await card.screenshot(path=PICTURES / f"{name}.png")


class Wall:
    """A wall clock that begins at two in the afternoon and can be moved on."""

    def __init__(self) -> None:
        self._offset = _NOON - time.time()
        self._real = time.time

    def __call__(self) -> float:
        return self._real() + self._offset

    def skip(self, seconds: float) -> None:
        """Move on."""
        self._offset += seconds


def settings_of(cast: Cast, folder: DemoFolder, url: str) -> Settings:
    """Return the settings of a host whose shop has two routes."""
    here = [f"main:{cast.approvers.id}"]
    people = [
        {"name": one.name, "identities": [one.principal], "roles": [one.role]}
        for one in cast.players
    ]
    groups = [
        {"name": "shop", "approvers": [f"role:{APPROVERS}"], "k": 2},
        {"name": "guard", "approvers": [cast.bruno.principal], "stage": 2},
    ]
    return Settings.model_validate(
        {
            "data": {"url": f"sqlite:///{folder.record}"},
            "model": {"provider": "scripted"},
            "channels": {"main": {"token": cast.bot.token, "api_base": url, "poll_timeout": 5}},
            "people": people,
            "routes": [
                {"tool": "pay_*", "approvers": [f"role:{APPROVERS}"], "cards": here},
                {"tool": "wipe_*", "groups": groups, "cards": here},
            ],
        }
    )


@contextlib.contextmanager
def walled() -> Iterator[Wall]:
    """Set the process's wall clock and its time zone."""
    wall = Wall()
    with patch.dict(os.environ, {"TZ": "UTC"}), patch("time.time", wall):
        time.tzset()
        yield wall
    time.tzset()


@asynccontextmanager
async def phone(link: str) -> AsyncIterator[Page]:
    """Open the demo's page on a phone."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        context = await chromium.new_context(
            viewport=PHONE, device_scale_factor=2, timezone_id="UTC", locale="en-GB"
        )
        page = await context.new_page()
        await page.goto(link)
        await page.locator("#people .entry").first.wait_for(state="attached")
        yield page
        await chromium.close()


@asynccontextmanager
async def set_up(folder: DemoFolder, wall: Wall) -> AsyncIterator[Set]:
    """Let the host run and the page be open."""
    world = TelegramWorld(SystemClock())
    faults, cast = Faults(world), assemble(world)
    board = Board(cast, folder, launch_of(folder))
    model = scripted(
        ("comal:event", lambda *_: "All right."),
        ("delete", lambda *_: asks(("delete_note", {"note_id": 2}))),
        ("pay", lambda *_: asks(("pay_invoice", INVOICE))),
        ("wipe", lambda *_: asks(("wipe_customers", {"older_than": 2020}))),
        ("charge", lambda *_: asks(("charge_card", {"customer": "C-17", "amount": 42.5}))),
        ("close", lambda *_: asks(("close_shop", {"day": "Monday"}))),
        ("", lambda *_: "All right."),
    )
    async with (
        serve(demo_app(board, faults, _TOKEN)) as url,
        board.watching(),
        Comal(settings_of(cast, folder, url), [Shop()], model=model) as app,
    ):
        running = asyncio.create_task(app.run())
        async with phone(f"{url}/#token={_TOKEN}") as page:
            yield Set(cast=cast, page=page, clock=wall)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def draw(on: Set) -> None:
    """Play every scene and take its picture."""
    rosa, ana, approvers = on.cast.rosa, on.cast.ana, on.cast.approvers
    await on.ask("delete note 2")
    await on.see(rosa, on.private, "Delete note?")
    await on.shoot("confirmation", rosa, on.private, holding="Delete note?")

    await on.ask("pay the invoice")
    await on.see(ana, approvers, "Pay invoice?")
    await on.shoot("approval", ana, approvers, holding="Pay invoice?")

    await on.ask("wipe old customers")
    card = await on.see(ana, approvers, "Wipe customers?")
    await ana.person.press(approvers, card.id, "Approve").answered()
    await ana.person.wait_for(approvers, says("1 of 2"), _PATIENCE)
    await on.shoot("stages", ana, approvers, holding="Wipe customers?")

    await on.ask("charge the card")
    card = await on.see(rosa, on.private, "Charge card?")
    await rosa.person.press(on.private, card.id, "Confirm").answered()
    await rosa.person.wait_for(on.private, says("outcome unknown"), _PATIENCE)
    await on.shoot("unknown", rosa, on.private, holding="outcome unknown")

    await on.ask("close on Monday")
    await on.see(rosa, on.private, "Close shop?")
    on.clock.skip(_OVER)
    await rosa.person.wait_for(
        on.private, lambda view: says("Close shop")(view) and says("Expired")(view), _PATIENCE
    )
    await on.shoot("expired", rosa, on.private, holding="Close shop")


async def _draw_in(folder: DemoFolder, wall: Wall) -> None:
    async with set_up(folder, wall) as on:
        await draw(on)


def main() -> None:
    """Draw every picture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as path,
        held(Path(path) / "set") as folder,
        walled() as wall,
    ):
        asyncio.run(_draw_in(folder, wall))


if __name__ == "__main__":
    main()
