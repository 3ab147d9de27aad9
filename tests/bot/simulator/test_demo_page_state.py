"""The demo's page over time: reloads, drafts, who one becomes, cards that run, and no way in."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route

from tests.support.shots import NARROW, NARROWEST, WIDE, browser, demo, open_page

SMALL = """(least) => [...document.querySelectorAll("button, input, [role=tab]")]
  .map((node) => [node, node.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < least || box.height < least))
  .map(([node, box]) => `${node.textContent || node.id}: ${box.width}x${box.height}`)"""
CUT = """() => [...document.querySelectorAll("button, td, .title, .tries, h1, h2, .verdict, .code")]
  .filter((node) => node.getClientRects().length && node.scrollWidth > node.clientWidth + 1)
  .filter((node) => getComputedStyle(node).display !== "inline")
  .map((node) => `${node.className}: ${node.textContent}`)"""


@pytest.fixture(scope="module")
def browsing(chromium: str) -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def link(browsing: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("demo")
    with demo(folder / "demo") as printed:
        yield printed


def wide(browsing: Browser, link: str) -> Page:
    return open_page(browsing, link, WIDE)


def become(page: Page, name: str) -> None:
    page.locator("#people .entry", has_text=name).first.click()


def say(page: Page, text: str, then: str) -> None:
    page.locator("#composer-text").fill(text)
    page.locator("#composer-text").press("Enter")
    page.locator("#log .words", has_text=then).last.wait_for()


def enter(page: Page, title: str) -> None:
    page.locator("#chats .name", has_text=title).click()


def ask_refund(page: Page, order: int) -> None:
    become(page, "Rosa")
    enter(page, "Comal bot")
    say(page, f"refund order {order} of 1", f"order_id: {order}\n")


def unread_of(page: Page, name: str) -> str:
    return page.locator("#people .entry", has_text=name).locator(".badge").inner_text()


def with_message(page: Page, **fields: object) -> None:
    """Let the page find one message of the bot's in the first chat; then nothing new comes."""
    plain = {"id": 900, "bot": True, "from": 7000000001, "name": "b", "deleted": False}
    plain |= {"reply_to": None, "text": "hi", "entities": [], "buttons": [], "edits": 0}

    def alter(route: Route, request: Request) -> None:
        if "after=-1" not in request.url:
            return  # a look that waits
        state = route.fetch().json()
        state["chats"][0]["messages"] = [plain | fields]
        route.fulfill(status=200, body=json.dumps(state), content_type="application/json")

    page.route("**/api/state?*", alter)


def test_a_reload_keeps_who_you_are_where_you_are_and_what_was_read(browsing, link):
    page = wide(browsing, link)
    say(page, "show my notes", "Blue corn")
    become(page, "Bruno")
    enter(page, "Shop floor")
    page.locator("#composer-text").fill("a thought not sent")
    page.get_by_role("button", name="Try: Forge the button's data").click()
    page.locator("#tour li.done", has_text="Try to cheat").wait_for()
    before = unread_of(page, "Rosa")
    page.reload()

    page.locator("#people [aria-pressed=true]", has_text="Bruno").wait_for()
    assert page.locator("#chat-title").inner_text() == "Shop floor"
    assert page.locator("#composer-text").input_value() == "a thought not sent"
    assert page.locator("#tour li.done", has_text="Try to cheat").count() == 1
    assert unread_of(page, "Rosa") == before != unread_of(wide(browsing, link), "Rosa")


def test_each_chat_keeps_its_own_draft(browsing, link):
    page = wide(browsing, link)
    become(page, "Bruno")
    enter(page, "Comal bot")
    page.locator("#composer-text").fill("for the bot alone")
    enter(page, "Shop floor")
    assert page.locator("#composer-text").input_value() == "@comal_bot "
    page.locator("#composer-text").fill("for everybody")

    enter(page, "Comal bot")
    assert page.locator("#composer-text").input_value() == "for the bot alone"
    enter(page, "Shop floor")
    assert page.locator("#composer-text").input_value() == "for everybody"


def test_becoming_ana_opens_the_chat_whose_card_waits_and_its_buttons_say_what_for(browsing, link):
    page = wide(browsing, link)
    become(page, "Ana")
    enter(page, "Shop floor")
    ask_refund(page, 1008)
    waits = page.locator("#log .bubble.card.runs", has_text="Waiting for an approver")
    waits.last.wait_for()
    become(page, "Ana")

    assert page.locator("#chat-title").inner_text() == "Approvers"
    name = "Approve: Refund order?, amount 1, order_id 1008"
    page.get_by_role("button", name=name, exact=True).click()
    page.locator("#log .words", has_text="executed").last.wait_for()


def test_a_running_card_has_its_sign_and_an_answer_covers_nothing(browsing, link):
    page = wide(browsing, link)
    become(page, "Rosa")
    enter(page, "Comal bot")
    say(page, "broadcast: hello", "Broadcast?")
    page.locator("#log .key", has_text="Confirm").last.click()

    page.locator("#log .bubble.runs .sign.busy").last.wait_for()
    toast = page.locator(".toast").first
    toast.wait_for()
    box, log, composer = (
        page.locator(name).first.bounding_box() for name in (".toast", "#log", "#composer")
    )
    assert box is not None
    assert log is not None
    assert composer is not None
    assert log["y"] + log["height"] <= box["y"]
    assert box["y"] + box["height"] <= composer["y"]


def test_an_edited_message_tells_when_it_was_changed(browsing, link):
    page = browsing.new_page()
    with_message(page, edits=1, date=1_800_000_000, edited=1_800_000_300)
    page.goto(link)

    when = page.locator("#log .when").inner_text()
    first, _, second = when.partition(", edited ")
    assert first != second
    assert len(first) == len(second) == len("12:00")


def test_the_audit_speaks_plainly_and_keeps_the_records_own_words_in_sight(browsing, link):
    page = wide(browsing, link)
    ask_refund(page, 1006)
    become(page, "Ana")
    page.locator("#log .key", has_text="Approve").last.click()
    row = page.locator("#audit-rows tr", has_text="asked_pending").first
    row.wait_for()

    assert row.locator(".verdict").inner_text() == "asked approvers"
    assert "asked_pending" in row.locator("td.end .code").inner_text()
    host = page.locator("#audit-rows tr", has_text="act_done").first
    assert "by the host" in host.inner_text()


def test_the_tabs_follow_the_arrows_home_and_end(browsing, link):
    page = wide(browsing, link)
    page.locator("#tab-cheats").focus()
    for key, chosen in (
        ("End", "tab-shop"),
        ("Home", "tab-cheats"),
        ("ArrowLeft", "tab-shop"),
        ("ArrowRight", "tab-cheats"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == chosen
        assert page.locator(f"#{chosen}").get_attribute("aria-selected") == "true"


def test_start_over_brings_the_notes_back(browsing, link):
    page = wide(browsing, link)
    become(page, "Rosa")
    enter(page, "Comal bot")
    say(page, "delete note 3", "Delete note?")
    page.locator("#log .key", has_text="Confirm").last.click()
    page.locator("#tab-shop").click()
    page.locator("#notes tr").nth(2).wait_for(state="detached")

    page.get_by_role("button", name="Start over").click()

    page.locator("#notes tr").nth(2).wait_for()


@pytest.mark.parametrize(("size", "least"), [(WIDE, 24), (NARROW, 44), (NARROWEST, 44)])
def test_every_target_is_large_enough_and_no_word_is_cut(browsing, link, size, least):
    page = open_page(browsing, link, size)
    page.get_by_role("button", name="Try: Forge").or_(page.locator("#tab-cheats")).first.wait_for(
        state="attached"
    )
    views = (None,) if size == WIDE else ("chats", "chat", "audit", "cheat")
    for view in views:
        if view is not None:
            page.locator(f".bottom [data-view={view}]").click()
        assert page.evaluate(SMALL, least) == []
        assert page.evaluate(CUT) == []


def test_with_forced_colors_what_is_chosen_is_still_marked(browsing, link):
    page = browsing.new_context(forced_colors="active").new_page()
    page.goto(link)

    chosen = page.locator("#people [aria-pressed=true]")
    chosen.wait_for()
    style = "(node) => getComputedStyle(node).outlineStyle"
    assert chosen.evaluate(style) == "solid"
    assert page.locator("#people [aria-pressed=false]").first.evaluate(style) == "none"


@pytest.mark.parametrize(
    ("tail", "words"), [("", "has no token"), ("#token=stale", "token of this link was refused")]
)
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_without_a_way_in_the_page_shows_only_why(browsing, link, tail, words, size):
    page = browsing.new_page(viewport={"width": size[0], "height": size[1]})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(link.partition("#")[0] + tail)

    page.get_by_text(words).wait_for()
    assert page.locator("button:visible, input:visible, table:visible").count() == 0
    assert faults == []
