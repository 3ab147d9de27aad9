"""Fixtures for every test."""

from pathlib import Path

import pytest

from tests.support.prerequisites import chromium_path, shared_folder


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of vectors and cases."""
    return shared_folder()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium to drive."""
    return chromium_path()
