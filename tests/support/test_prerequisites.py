"""What is missing skips a test on a desk and fails it where it is required."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.prerequisites import chromium_path, shared_folder


@pytest.fixture(autouse=True)
def nothing_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMAL_SHARED_REQUIRED", raising=False)
    monkeypatch.delenv("COMAL_BROWSER_REQUIRED", raising=False)


def missing(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], object]:
    if name == "shared":
        monkeypatch.setenv("COMAL_SHARED", str(tmp_path / "nowhere"))
        return shared_folder
    monkeypatch.setenv("PATH", str(tmp_path))
    return chromium_path


@pytest.mark.parametrize(("name", "told"), [("shared", "nowhere"), ("browser", "chromium")])
def test_what_is_missing_skips_with_a_reason(name, told, monkeypatch, tmp_path):
    find = missing(name, monkeypatch, tmp_path)

    with pytest.raises(pytest.skip.Exception, match=told):
        find()


@pytest.mark.parametrize("name", ["shared", "browser"])
def test_what_is_missing_and_required_fails_and_names_the_variable(name, monkeypatch, tmp_path):
    find = missing(name, monkeypatch, tmp_path)
    monkeypatch.setenv(f"COMAL_{name.upper()}_REQUIRED", "1")

    with pytest.raises(pytest.fail.Exception, match=f"COMAL_{name.upper()}_REQUIRED"):
        find()


def test_the_shared_folder_is_the_one_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("COMAL_SHARED", str(tmp_path))

    assert shared_folder() == tmp_path
