"""What tests need from outside the checkout: found, or a skip with its reason."""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def shared_folder() -> Path:
    """Return the folder of vectors and cases; works in a fixture and at the top of a module.

    It is named by `COMAL_SHARED`, and is `shared` beside the checkout otherwise. Where it is
    missing the test is skipped, or fails when `COMAL_SHARED_REQUIRED` is 1.
    """
    folder = Path(os.environ.get("COMAL_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        _missing("COMAL_SHARED_REQUIRED", f"no folder {folder}; COMAL_SHARED names another")
    return folder


def chromium_path() -> str:
    """Return the path of a Chromium; skip without one, or fail if `COMAL_BROWSER_REQUIRED` is 1."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        _missing("COMAL_BROWSER_REQUIRED", f"none of {', '.join(BROWSERS)} is on PATH")
    return found


def _missing(required: str, reason: str) -> NoReturn:
    if os.environ.get(required, "") not in ("", "0"):
        pytest.fail(f"{reason} ({required} is set)", pytrace=False)
    pytest.skip(reason, allow_module_level=True)
