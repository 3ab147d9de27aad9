"""What an edit repeats of somebody's words is spelt as on a card: nothing in it is hidden."""

from pathlib import Path

import pytest

from tests.bot import wire
from tests.bot.wire import ANA, BRUNO

from .arranging import asked, button
from .paying import PAY, Till, edited, till_rig


@pytest.mark.failure_mode(10)
@pytest.mark.parametrize(
    "words", ["note = paid \u202e05\u202c", "\u202ethree lines", "am\u200bount = 5"]
)
async def test_no_answer_to_an_edit_holds_what_cannot_be_seen(tmp_path: Path, words: str) -> None:
    async with till_rig(tmp_path, Till()) as at:
        *_, said = await edited(at, words)

        assert "⟨U+20" in said
        assert not set("\u200b\u202c\u202e") & set(said)


@pytest.mark.failure_mode(10)
async def test_the_name_of_whoever_decided_is_spelt_to_who_comes_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(wire.NAMES, BRUNO, "\u202eana")
    async with till_rig(tmp_path, Till()) as at:
        card = await asked(at, PAY)
        own = at.wire.card(BRUNO)
        await at.tap(button(own, "w"), own, sender=BRUNO)
        told = await at.tap(button(card, "y"), card, sender=ANA)

        assert told.startswith("Already decided: ")
        assert "\u202e" not in told
