"""The demo's folder: whose it is, what stays in it, and settings the product accepts."""

from pathlib import Path

import pytest

from comal_bot.settings import load_settings
from comal_bot.simulator.cast import assemble
from comal_bot.simulator.folder import SIGNATURE, FolderRefused, held
from comal_bot.simulator.ledger import ledger, notes
from comal_bot.simulator.world import TelegramWorld


def write_settings(folder, clock) -> None:
    folder.write_settings(assemble(TelegramWorld(clock)), "http://127.0.0.1:8080")


def test_the_product_accepts_the_settings_as_written(tmp_path, clock, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with held(tmp_path / "demo") as folder:
        write_settings(folder, clock)
        settings = load_settings(folder.settings)

    main = settings.channels["main"]
    assert main.api_base == "http://127.0.0.1:8080"
    assert main.token.get_secret_value().startswith("7000000001:")
    assert settings.model.provider == "scripted"
    assert (settings.host.lease, settings.host.grace) == (5, 2)
    assert settings.routes[0].approvers == ("telegram:1003", "telegram:1004")
    assert settings.routes[0].cards == ("main:-4000000002",)


def test_files_that_others_could_read_become_the_owners_alone(tmp_path, clock):
    with held(tmp_path) as folder:
        write_settings(folder, clock)
    for path in tmp_path.iterdir():
        path.chmod(0o644)

    with held(tmp_path) as folder:
        write_settings(folder, clock)

        assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}


@pytest.mark.parametrize("name", ["comal.toml", "comal.db", "shop.db", "bot.log"])
def test_a_folder_with_somebodys_own_file_is_refused_and_left_as_it_was(tmp_path, name):
    (tmp_path / name).write_text("mine, not a demo's")

    with pytest.raises(FolderRefused, match=name), held(tmp_path):
        pass
    assert (tmp_path / name).read_text() == "mine, not a demo's"


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "demo").write_text("")

    with pytest.raises(FolderRefused, match="is not a folder"), held(tmp_path / "demo"):
        pass


def test_two_demos_cannot_have_one_folder(tmp_path):
    with held(tmp_path), pytest.raises(FolderRefused, match="--data"), held(tmp_path):
        pass


def test_nothing_of_the_run_before_is_left(tmp_path, clock):
    with held(tmp_path) as folder:
        write_settings(folder, clock)
        folder.record.write_text("conversations of chats that are no more")
        folder.log.write_text("what the bot of the run before said")
        with ledger(folder.shop) as db:
            db.execute("DELETE FROM notes WHERE id = 1")

    with held(tmp_path) as folder, ledger(folder.shop) as db:
        assert [note["id"] for note in notes(db)] == [1, 2, 3]
        assert not folder.record.exists()
        assert folder.log.read_text() == ""


def test_a_persons_own_settings_and_proxies_do_not_reach_the_demos_bot(tmp_path, monkeypatch):
    monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN", "1:real")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid")
    with held(tmp_path) as folder:
        environment = folder.environment()

    assert not {"COMAL_CHANNELS__MAIN__TOKEN", "HTTP_PROXY"} & set(environment)
    assert Path(environment["COMAL_DEMO_DATA"]) == tmp_path.resolve()


def test_the_first_line_says_whose_the_folder_is(tmp_path, clock):
    with held(tmp_path) as folder:
        write_settings(folder, clock)

        assert folder.settings.read_text().startswith(SIGNATURE)
