"""Finds words that are not what they look like: other scripts, other letters, other directions."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMBER: Final = re.compile(r"\d+")
_WIDE_SIGN: Final = re.compile(r"[!-~]([！-／：-＠［-｀｛-～]+)(?=[!-~])")  # noqa: RUF001 - its subject
_SHORT: Final = 3  # Letters; the common words of other languages are short, names of accounts not.
_UNSEEN: Final = ("Mn", "Me", "Cf")
_DIRECTED: Final = ("R", "AL")

_SCRIPTS: Final = frozenset(
    (
        "LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN", "LISU",
        "DESERET", "GOTHIC", "OLD", "TIFINAGH", "HEBREW", "ARABIC", "CANADIAN",
        "FULLWIDTH", "MATHEMATICAL",
    )
)  # fmt: skip
# The first word of a letter's name. Scripts of which some letters pass for those of another;
# writing that mixes by custom, such as Latin within Japanese, is none of them.

_ALIKE: Final = frozenset(
    "\u0430\u0431\u0432\u0433\u0435\u043a\u043e\u043f\u0440\u0441\u0443\u0445\u044c"
    "\u0455\u0456\u0458\u0475\u04af\u04bb\u04bd\u04cf\u0501\u051b\u051d\u0461"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u042c"
    "\u0405\u0406\u0408\u0417\u0474\u04ae\u04c0\u050c\u051a\u051c"
    "\u03b1\u03b3\u03b9\u03bd\u03bf\u03c1\u03c3\u03c5\u03f2\u03f3"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03f9"
    "\u0561\u0563\u0566\u0570\u0575\u0578\u057d\u0584\u0585\u054d\u054f\u0555\u053c"
    "\u13a0\u13a1\u13a2\u13a5\u13a9\u13aa\u13ab\u13ac\u13b3\u13b7\u13bb\u13bd\u13c0\u13c2\u13c3"
    "\u13ce\u13cf\u13d2\u13d4\u13d5\u13d9\u13da\u13de\u13df\u13e2\u13e6\u13e7\u13f3\u13f4"
    "\u2c82\u2c8e\u2c92\u2c94\u2c98\u2c9a\u2c9e\u2c9f\u2ca2\u2ca3\u2ca4\u2ca5\u2ca6\u2ca8\u2cac"
    "\u2cad\ua4d0\ua4d1\ua4d2\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df\ua4e0\ua4e1"
    "\ua4e2\ua4e3\ua4e6\ua4e7\ua4ea\ua4eb\ua4ec\ua4ee\ua4f0\ua4f2\ua4f3\ua4f4"
    "\U00010404\U0001042c\u2d54\u2d4f\u10ff"
)  # Source: Unicode TR39, confusables: letters of other scripts that pass for an ASCII one.
_ALIKE_LATIN: Final = frozenset(
    "\u0251\u0261\u0269\u01c0\u0184\u0185\u01bd\u1d04\u1d0f\u1d1c\u1d20\u1d21\u1d22\ua731\ua7b7"
)  # Source: the same; Latin letters that pass for an ASCII one.
_COMPATIBLE: Final = ("<font>", "<wide>", "<narrow>", "<compat>")


def mixed_words(text: str) -> tuple[str, ...]:
    """Return the words and numbers whose letters or digits are of several scripts."""
    if text.isascii():
        return ()
    words = [word for word in _words(text) if len(_scripts(word)) > 1]
    numbers = dict.fromkeys(_NUMBER.findall(text))
    words += [number for number in numbers if len(set(map(_zero, number))) > 1]
    return tuple(dict.fromkeys(words))


def look_alikes(text: str) -> tuple[str, ...]:
    """Return the words that pass for other words, and the signs that pass for other signs.

    A word wholly of another script's look-alike letters is one; if it is short, only where no
    other word shows that the text is written in that script.
    """
    if text.isascii():
        return ()
    found = [*_passing(text), *_WIDE_SIGN.findall(text)]
    return tuple(dict.fromkeys(found))


def is_two_way(text: str) -> bool:
    """Tell whether letters from right to left stand with others, so that the eye misorders them."""
    if text.isascii():
        return False
    kinds = {unicodedata.bidirectional(letter) for letter in set(text)}
    return not kinds.isdisjoint(_DIRECTED) and not kinds.isdisjoint(("L", "EN", "AN"))


def _passing(text: str) -> Iterator[str]:
    words = _words(text)
    plain = frozenset[str]().union(
        *(_scripts(word) for word in words if not _ALIKE.issuperset(word))
    )
    for word in words:
        alone = len(word) > _SHORT or _scripts(word).isdisjoint(plain)
        if any(map(_is_dressed, word)) or (alone and _ALIKE.issuperset(word)):
            yield word
    for number in dict.fromkeys(_NUMBER.findall(text)):
        if any(map(_is_dressed, number)):
            yield number


def _words(text: str) -> list[str]:
    """Return the runs of letters, each once; marks and what is not seen part none."""
    kept = (letter for letter in text if unicodedata.category(letter) not in _UNSEEN)
    return list(dict.fromkeys(_WORD.findall("".join(kept))))


def _scripts(word: str) -> frozenset[str]:
    if word.isascii():
        return frozenset(("LATIN",))
    return frozenset(map(_script, word)) & _SCRIPTS


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]


def _zero(digit: str) -> int:
    """Return the code of the digit zero of the same kind."""
    return ord(digit) - int(digit)


@lru_cache(maxsize=4096)
def _is_dressed(letter: str) -> bool:
    """Tell whether it is an ASCII letter or digit in another dress, such as a wide one."""
    if letter in _ALIKE_LATIN:
        return True
    if letter.isascii() or not unicodedata.decomposition(letter).startswith(_COMPATIBLE):
        return False
    plain = unicodedata.normalize("NFKC", letter)
    return plain.isascii() and plain.isalnum()
