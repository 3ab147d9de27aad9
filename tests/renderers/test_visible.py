"""Hidden and misleading characters."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comal_renderers.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, ñ and 日本", "plain text, ñ and 日本"),
        ("rm \u202etxt.gol\u202c", "rm ⟨U+202E⟩txt.gol⟨U+202C⟩"),
        ("ok\u200b; drop", "ok⟨U+200B⟩; drop"),
        ("a\U000e0041b", "a⟨U+E0041⟩b"),
        ("a\ufe0fb", "a⟨U+FE0F⟩b"),
        ("b\r\x1b[2J", "b⟨U+000D⟩⟨U+001B⟩[2J"),
        ("a\u00a0b\u3164", "a⟨U+00A0⟩b⟨U+3164⟩"),
        ("ok\n\nApproved", "ok⏎⏎Approved"),
        ("a" + "\n" * 500 + "b", "a⟨500 newlines⟩b"),
        ("ACC-1" + " " * 3000 + "and ACC-9", "ACC-1⟨3000 spaces⟩and ACC-9"),
        (" x ", "⟨1 space⟩x⟨1 space⟩"),
        ("⟨U+202E⟩⏎", "⟨U+27E8⟩U+202E⟨U+27E9⟩⟨U+23CE⟩"),
        ("q\u0301", "q\u0301"),
        ("\u0301e", "⟨U+0301⟩e"),
        ("no\u0336t", "no⟨U+0336⟩t"),
        ("q" + "\u0301" * 4, "q\u0301\u0301⟨U+0301⟩⟨U+0301⟩"),
        ("e\u0301 \u00e9", "e⟨U+0301⟩ \u00e9"),
        ("\u212b \uf900", "⟨U+212B⟩ ⟨U+F900⟩"),
        ("\u1100\u1161", "\u1100⟨U+1161⟩"),
        ("a\ufffcb\U0001d159", "a⟨U+FFFC⟩b⟨U+1D159⟩"),
        ("/etc\u2215passwd 1\u2024000", "/etc⟨U+2215⟩passwd 1⟨U+2024⟩000"),
        ("❤\ufe0f", "❤⟨U+FE0F⟩"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_nothing_hidden_stays_hidden(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["p\u0430ypal", "to \u0440ay now", "ＡB", "gοogle"])  # noqa: RUF001
def test_look_alike_letters_within_a_word_are_flagged(text: str) -> None:
    assert "⟨⚠ mixed scripts: " in visible(text)


@pytest.mark.parametrize(
    "text",
    [
        "\u0440\u0430\u0443\u0440\u0430\u04cf",
        "to \u0440\u0430\u0443 now",
        "1\u041e\u041e",
        "\u0430\u0440\u0440\u04cf\u0435 и привет",
        "\u03bd\u03bf\u03c1",
        "\ua4ec\ua4ee",
        "\u13aa\u13de",
        "\U0001d429\U0001d41a\U0001d432",
        "\uff50\uff41\uff59",
        "\U0001d7cf\U0001d7ce",
        "\u0261oogle",
        "\u1d20is\u1d00",
        "\ufb01le",
        "a\uff0fb",
    ],
)
def test_a_word_that_passes_for_another_is_flagged(text: str) -> None:
    assert "⟨⚠ look-alike letters: " in visible(text)


@pytest.mark.parametrize("text", ["1\u09e6\u09e6", "p\u200b\u0430y", "p\u0323\u0430"])
def test_neither_digits_nor_marks_nor_what_is_unseen_part_a_mixed_word(text: str) -> None:
    assert "⟨⚠ mixed scripts: " in visible(text)


@pytest.mark.parametrize("text", ["pay \u05d0\u05d1 100", "\u0627\u0628 12", "a \u05d0"])
def test_letters_from_right_to_left_beside_others_are_flagged(text: str) -> None:
    assert visible(text) == f"{text} ⟨⚠ reads from right to left⟩"


@pytest.mark.parametrize(
    "text",
    [
        "paypal",
        "привет Ana",
        "файл.txt",
        "東京 Tokyo iPhone手机",
        "señor Mª 2º m² 5 µm 1½ ™ …",
        "он и оса с Аней",  # noqa: RUF001
        "שלום עולם",
        "三月、東京！",  # noqa: RUF001
        "Καλημέρα και ναι",  # noqa: RUF001
    ],
)
def test_words_of_one_script_are_not_flagged(text: str) -> None:
    assert visible(text) == text


@settings(deadline=None)
@given(st.text(st.characters()))
def test_no_control_format_or_ignorable_character_is_left(text: str) -> None:
    shown = visible(text)

    assert not [c for c in shown if is_hidden(c)]
    assert unicodedata.is_normalized("NFC", shown)


@pytest.mark.failure_mode(10)
@pytest.mark.parametrize("first", range(0, 0x110000, 0x8000))
def test_no_letter_of_unicode_is_hidden_or_blank(first: int) -> None:
    """AP-14."""
    letters = [chr(code) for code in range(first, first + 0x8000) if is_hidden(chr(code))]

    shown = visible("x".join(letters))

    assert not [c for c in shown if is_hidden(c)]
    assert shown.count("⟨U+") + shown.count("⏎") == len([c for c in letters if c != " "])


def is_hidden(letter: str) -> bool:
    """Tell whether a letter is a control, format, unassigned or ignorable one, or a blank."""
    code = ord(letter)
    ignorable = any(low <= code <= high for low, high in IGNORABLE)
    return letter != " " and (ignorable or unicodedata.category(letter)[0] in "CZ")


IGNORABLE = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)  # Source: Unicode DerivedCoreProperties, Default_Ignorable_Code_Point.


ODD = st.text(alphabet=" \n⟨⟩⏎1sU+\u0301\u200b•", max_size=12)


@settings(deadline=None)
@given(ODD, ODD)
def test_different_texts_look_different(one: str, other: str) -> None:
    assert (one == other) == (visible(one) == visible(other))


def test_a_note_names_some_words_and_says_that_there_are_more() -> None:
    words = [f"p\u0430{chr(97 + at)}" for at in range(9)]

    assert visible(" ".join(words)).endswith(f": {', '.join(words[:5])}, …⟩")
