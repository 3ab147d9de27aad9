"""Host texts in every language."""

from string import Formatter

import pytest

from comal_renderers.cards import labels
from comal_renderers.i18n import LANGUAGES, text


def holes(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_the_same_values(language: str) -> None:
    english, other = LANGUAGES["en"], LANGUAGES[language]

    assert list(other) == list(english)
    assert {key: holes(t) for key, t in other.items()} == {
        key: holes(t) for key, t in english.items()
    }


@pytest.mark.parametrize("language", ["es", "es-MX", "es_419", "ES"])
def test_a_regional_tag_finds_its_language(language: str) -> None:
    assert text("card.confirm", language) == "Confirmar"


@pytest.mark.parametrize("language", [None, "", "xx"])
def test_an_unknown_language_is_english(language: str | None) -> None:
    assert text("answer.voted_before", language) == "You have answered already."


def test_values_are_filled_in_as_they_are() -> None:
    shown = text("decided.approved", name="{Ana}")

    assert shown == "Approved by {Ana}"


def test_an_unknown_key_is_the_authors_mistake() -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        text("no.such")


def test_answers_to_a_tap_fit_an_alert() -> None:
    for catalogue in LANGUAGES.values():
        assert all(len(t) <= 200 for key, t in catalogue.items() if key.startswith("answer."))


def test_labels_are_complete_in_spanish() -> None:
    assert (labels("es").asked_by, labels("es").show_all) == ("Lo pide", "Mostrar todo")
