"""The demo's page in a browser: reachable by keyboard, readable, whole at every width."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.shots import NARROW, WIDE, browser, demo, open_page, play

FAINT = """() => {
  const channels = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!own || !node.getClientRects().length || node.closest(".unseen, .skip")) continue;
    const [a, b] = [light(channels(getComputedStyle(node).color)), light(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${node.className || node.tagName}: ${ratio.toFixed(2)}`);
  }
  return faint;
}"""
NAMELESS = """() => [...document.querySelectorAll("button, input, a, [role=tab]")]
  .filter((node) => node.getClientRects().length)
  .filter((node) => !(node.ariaLabel || node.textContent.trim() || node.labels?.length))
  .map((node) => node.outerHTML)"""


@pytest.fixture(scope="module")
def browsing(chromium: str) -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def link(browsing: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One demo in which Rosa has asked, Ana has approved and a card is open."""
    folder: Path = tmp_path_factory.mktemp("demo")
    with demo(folder / "demo") as printed:
        play(open_page(browsing, printed, WIDE))
        yield printed


def wide(browsing: Browser, link: str, scheme: str = "light") -> Page:
    return open_page(browsing, link, WIDE, scheme)


def test_a_page_opened_later_shows_what_happened_and_says_nothing_to_the_console(browsing, link):
    said: list[str] = []
    page = browsing.new_page()
    page.on("console", lambda line: said.append(line.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(link)

    page.locator("#log .words", has_text="Approved by Ana").wait_for()
    page.locator("#audit-rows td.tool", has_text="refund_order").first.wait_for()
    assert said == []


def test_by_keyboard_alone_rosa_asks_and_cancels(browsing, link):
    page = wide(browsing, link)
    page.keyboard.press("Tab")  # the skip link
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "composer-text"

    page.keyboard.type("delete note 1")
    page.keyboard.press("Enter")
    page.locator("#log .key", has_text="Cancel").last.wait_for()
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.textContent") == "Cancel":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.keyboard.press("Enter")

    page.locator("#log .words", has_text="Cancelled by Rosa").wait_for()
    assert outline == "solid"


def test_an_answer_to_a_tap_is_shown_and_read_out(browsing, link):
    page = wide(browsing, link)
    page.get_by_role("button", name="Try: Tap as a bystander").click()

    page.locator(".toast", has_text="Bruno is told").wait_for()
    page.locator("#announcer p", has_text="not yours").first.wait_for(state="attached")
    page.locator("#cheats .back", has_text="still open").wait_for()


def test_what_a_person_may_not_see_is_not_among_their_chats(browsing, link):
    page = wide(browsing, link)
    page.locator("#people .entry", has_text="Bruno").click()

    chats = page.locator("#chats .name").all_inner_texts()
    assert chats == ["Comal bot", "Shop floor"]


def test_text_of_people_is_never_markup(browsing, link):
    page = wide(browsing, link)
    page.locator("#composer-text").fill("<img src=x onerror=alert(1)><b>bold</b>")
    page.keyboard.press("Enter")

    page.locator("#log .words", has_text="<img src=x").wait_for()
    assert page.locator("#log img, #log b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_every_text_has_the_contrast_of_level_aa(browsing, link, size, scheme):
    page = open_page(browsing, link, size, scheme)
    views = ("chats", "chat", "audit", "cheat") if size == NARROW else (None,)
    for view in views:
        if view is not None:
            page.locator(f".bottom [data-view={view}]").click()
        page.wait_for_timeout(100)
        assert page.evaluate(FAINT) == []


@pytest.mark.parametrize("size", [WIDE, (1024, 768), NARROW, (320, 640)])
def test_nothing_hangs_over_the_edge_and_every_control_has_a_name(browsing, link, size):
    page = open_page(browsing, link, size)
    for button in page.locator(".bottom button").all():
        if button.is_visible():
            button.click()
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert page.evaluate(NAMELESS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_landmarks_are_there(browsing, link):
    page = wide(browsing, link)

    for role in ("banner", "main", "complementary", "log"):
        assert page.get_by_role(role).count() >= 1, role
    assert page.get_by_role("navigation", name="People and chats").count() == 1
