"""Pictures of the demo's page: `python -m tests.support.shots [FOLDER]`.

Without a folder it makes docs/images/demo.png; with one, every width and scheme goes there.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.prerequisites import BROWSERS

PICTURE = Path("docs/images/demo.png")
WIDE, NARROW, NARROWEST = (1440, 900), (390, 844), (320, 640)
_PATIENCE = 15_000  # milliseconds


@contextmanager
def demo(folder: Path) -> Iterator[str]:
    """Run `comal demo` on a free port; give the link it prints."""
    arguments = ("demo", "--port", "0", "--no-browser", "--data", str(folder))
    command = (sys.executable, "-m", "comal_bot", *arguments)
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        yield next(word for word in running.stdout.readline().split() if word.startswith("http"))
    finally:
        running.terminate()
        running.communicate(timeout=10)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a Chromium: the system's, or playwright's own without one."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def open_page(chromium: Browser, link: str, size: tuple[int, int], scheme: str = "light") -> Page:
    """Open the demo in a window of a size, in a light or dark scheme."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1,
    )
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    page.goto(link)
    page.locator("#people .entry").first.wait_for(state="attached")
    return page


def play(page: Page) -> None:
    """Let Rosa ask and Ana approve, so that there is a conversation with an outcome and a card."""
    _write(page, "show my notes", "Blue corn")
    _write(page, "refund order 1007", "Waiting for an approver")
    _choose(page, "#people", "Ana")
    page.locator("#log .key", has_text="Approve").click()
    page.locator("#log .words", has_text="executed").wait_for()
    _choose(page, "#people", "Rosa")
    page.locator("#log .words", has_text="is paid back").wait_for()
    _write(page, "delete note 2", "Delete note?")
    page.get_by_role("button", name="Try: Tap as a bystander").click()
    page.locator("#cheats .back", has_text="not yours").wait_for()
    page.locator(".toast", has_text="Bruno").wait_for()
    for close in reversed(page.get_by_role("button", name="Close", exact=True).all()):
        close.click()
    page.wait_for_timeout(1800)  # what flashes has faded by then


def _write(page: Page, text: str, then: str) -> None:
    page.locator("#composer-text").fill(text)
    page.locator("#composer-text").press("Enter")
    page.locator("#log .words", has_text=then).last.wait_for()


def _choose(page: Page, column: str, name: str) -> None:
    page.locator(f"{column} .entry", has_text=name).first.click()


def shoot(folder: Path | None) -> None:
    """Play once, then take the pictures."""
    with (
        tempfile.TemporaryDirectory() as data,
        demo(Path(data) / "demo") as link,
        browser() as chromium,
    ):
        wide = open_page(chromium, link, WIDE)
        play(wide)
        if folder is None:
            PICTURE.parent.mkdir(parents=True, exist_ok=True)
            wide.screenshot(path=PICTURE)
            return
        folder.mkdir(parents=True, exist_ok=True)
        wide.screenshot(path=folder / "played.png")
        for scheme in ("light", "dark"):
            page = open_page(chromium, link, WIDE, scheme)
            page.screenshot(path=folder / f"wide-{scheme}.png")
            for name, size in (("narrow", NARROW), ("narrowest", NARROWEST)):
                page = open_page(chromium, link, size, scheme)
                for view in ("chats", "chat", "audit", "cheat"):
                    page.locator(f".bottom [data-view={view}]").click()
                    page.screenshot(path=folder / f"{name}-{scheme}-{view}.png")


if __name__ == "__main__":
    shoot(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
