"""What is said about variables that cannot be used, in the environment and in `.env`."""

from pathlib import Path

import pytest

from comal_bot.settings import BadSettings, load_settings

TOKEN = "123456789:AAH4t-nobodys-token"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems(text: str = "", *, serving: bool = False) -> tuple[str, ...]:
    Path("comal.toml").write_text(text)
    with pytest.raises(BadSettings) as caught:
        load_settings(serving=serving)
    return caught.value.problems


def test_a_token_whose_file_cannot_be_read_is_not_called_unset_too(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN_FILE", "/no/such/file")

    (said,) = problems('[model]\nprovider = "scripted"\n', serving=True)

    assert said.startswith("COMAL_CHANNELS__MAIN__TOKEN_FILE names '/no/such/file', which cannot")


def test_an_unknown_variable_is_named_whole(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_CHANELS__MAIN__TOKEN", "x")

    said = "COMAL_CHANELS__MAIN__TOKEN is unknown; did you mean 'COMAL_CHANNELS__MAIN__TOKEN'?"
    assert problems() == (said,)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("COMAL_MODEL__NAM", "x", "is unknown; did you mean 'COMAL_MODEL__NAME'?"),
        ("COMAL_DATA__SIZE", "1", "is unknown; known here: url"),
        ("COMAL_PEOPLE", '[{"nam": "Bo"}]', "#1 nam is unknown; did you mean 'name'?"),
    ],
)
def test_an_unknown_name_is_met_with_the_near_one_as_it_would_be_written(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name, value)

    assert f"{name} {said}" in problems()


def test_a_number_that_is_none_is_told_as_one_in_a_variable_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_MODEL__MAX_STEPS", "many")

    assert problems() == ("COMAL_MODEL__MAX_STEPS is 'many'; it must be a whole number",)


def test_a_problem_in_dotenv_names_it(folder: Path):
    (folder / ".env").write_text("COMAL_HOST__LOG=xml\n")

    assert problems() == (".env: COMAL_HOST__LOG is 'xml'; it must be 'text' or 'json'",)


def test_a_secret_and_its_file_are_not_both_set(folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "token").write_text(TOKEN)
    monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN", TOKEN)
    monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN_FILE", "token")

    said = "COMAL_CHANNELS__MAIN__TOKEN_FILE is set beside COMAL_CHANNELS__MAIN__TOKEN; "
    assert problems() == (f"{said}keep one of them",)


def test_a_key_that_no_header_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_MODEL__API_KEY", "two\nlines")

    (said,) = problems()

    assert said.startswith("COMAL_MODEL__API_KEY holds a character that no header can carry")
