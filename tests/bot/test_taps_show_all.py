"""Cards that cannot be shown whole: everything is shown before anything can be decided."""

import re
from pathlib import Path

import pytest

from comal_bot.channels.channel import ChannelError, Denied, Uncertain
from tests.support.stage import scripted

from .rig import house_settings, rig
from .wire import ANA, APPROVERS, BRUNO, GROUP, ROSA

LONG = 'call save {"text": "' + "word " * 2000 + '"}'


@pytest.mark.runtime_line(28)
async def test_everything_is_shown_before_a_long_card_can_decide(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        partial = at.wire.card()
        forged = [await at.tap(partial.data[0][:-1] + choice, partial) for choice in "yn"]
        still = at.one("SELECT state FROM questions")
        pressed = await at.tap(partial.data[0], partial)
        whole = at.wire.card()
        parts = [text for text in at.wire.texts(ROSA) if "word word" in text]
        after = await at.tap(partial.data[0][:-1] + "y", partial)
        decided = await at.tap(whole.data[0], whole)

        assert [data[-1] for data in partial.data] == ["s"]
        assert "Show everything before you decide" in partial.text
        assert forged == ["Unknown button.", "Unknown button."]
        assert still == "open"
        assert pressed == "Recorded."
        assert [data[-1] for data in whole.data] == ["y", "n"]
        assert sum(len(re.findall(r"\bword\b", text)) for text in parts[1:]) == 2000
        assert after == "Unknown button."
        assert decided == "Recorded."
        assert at.shop.ran == ["word " * 2000]
        assert at.wire.sent[partial.message].data == []


async def test_a_bystander_cannot_show_everything(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say("@comal_bot " + LONG, chat=GROUP)
        card = at.wire.card(GROUP)
        told = await at.tap(card.data[0], card, sender=BRUNO)

        assert told == "This card is not yours to answer."
        assert len(at.wire.texts(GROUP)) == 1


async def test_showing_everything_twice_sends_it_once(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        card = at.wire.card()
        await at.tap(card.data[0], card)
        sent = len(at.wire.sent)
        await at.tap(card.data[0], card)
        whole = at.wire.card()
        again = await at.tap(whole.data[0][:-1] + "s", whole)

        assert len(at.wire.sent) == sent
        assert again == "Unknown button."
        assert await at.tap(whole.data[0], whole) == "Recorded."


async def test_a_long_card_that_is_decided_shows_no_more(tmp_path: Path) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        card = at.wire.card()
        at.clock.advance(601)
        await at.house.registry.sweep()
        await at.settle()
        late = await at.tap(card.data[0], card)

        assert late == "Expired: nothing was done. Ask again."
        assert [one[-1] for one in at.wire.sent[card.message].data] == ["a"]
        assert len(at.wire.texts(ROSA)) == 2  # the card and what the model says of it


async def test_a_long_card_that_was_thought_lost_is_found_by_showing_it_all(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        card = at.wire.card()
        at.write("UPDATE cards SET message = NULL")
        await at.tap(card.data[0], card)
        whole = at.wire.card()
        await at.tap(whole.data[1], whole)

        assert "Cancelled by Rosa" in at.wire.sent[card.message].text
        assert at.wire.sent[card.message].data == []


async def test_approvers_read_everything_and_the_requester_may_too(tmp_path: Path) -> None:
    route = {"tool": "save", "approvers": [f"telegram:{ANA}"], "cards": [f"main:{APPROVERS}"]}
    async with rig(tmp_path, settings=house_settings(routes=[route])) as at:
        await at.say(LONG, sender=BRUNO)
        own = at.wire.card(BRUNO)
        card = at.wire.card(APPROVERS)
        shown_to_requester = await at.tap(own.data[0], own, sender=BRUNO)
        buttons = [sent.data for sent in at.wire.sent.values() if sent.chat == str(BRUNO)][1:]
        await at.tap(card.data[0], card, sender=ANA)
        whole = at.wire.card(APPROVERS)
        refused = await at.tap(whole.data[0], whole, sender=BRUNO)
        decided = await at.tap(whole.data[0], whole, sender=ANA)

        assert shown_to_requester == "Recorded."
        assert len(buttons) > 1
        assert [[one[-1] for one in keys] for keys in buttons if keys] == [["w"]]
        assert "You asked for this yourself" in refused
        assert decided == "Recorded."
        assert at.shop.ran == ["word " * 2000]


@pytest.mark.parametrize("trouble", [Denied("something"), Uncertain("bad gateway")])
async def test_nothing_can_be_decided_where_a_message_before_the_last_never_arrived(
    tmp_path: Path, trouble: ChannelError
) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        partial = at.wire.card()
        at.wire.troubles.extend([None, trouble])
        await at.tap(partial.data[0], partial)
        copies = at.rows("SELECT id, shown FROM cards")
        forged = [
            await at.tap(f"q1:{card}:{choice}", "9999") for card, _ in copies for choice in "yns"
        ]

        assert [sent.data for sent in at.wire.sent.values() if sent.data] == [partial.data]
        assert "nothing can be decided" in at.wire.texts(ROSA)[-1]
        assert sum("nothing can be decided" in text for text in at.wire.texts(ROSA)) == 1
        assert len(at.wire.texts(ROSA)[-1]) < 200
        assert [told == "Recorded." for told in forged] == [False] * 6
        assert at.one("SELECT state FROM questions") == "open"
        assert at.shop.ran == []


async def test_the_choices_come_only_when_every_message_before_them_arrived(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        partial = at.wire.card()
        async with at.record.transaction() as tx:
            await tx.outbox.cool("main", str(ROSA), until=at.clock.now() + 30)
        await at.tap(partial.data[0], partial)
        waiting = at.rows("SELECT state FROM outbox WHERE state IN ('waiting', 'held') ORDER BY id")
        copy = at.one("SELECT id FROM cards ORDER BY rowid DESC")
        early = [await at.tap(f"q1:{copy}:{choice}", "9999") for choice in "yn"]
        at.write("UPDATE cards SET message = NULL WHERE message = '9999'")
        at.clock.advance(31)
        await at.settle()
        whole = at.wire.card()

        assert waiting == [("waiting",), *[("held",)] * (len(waiting) - 1)]
        assert early == ["Unknown button."] * 2
        assert await at.tap(whole.data[0], whole) == "Recorded."


async def test_the_last_message_of_a_long_card_goes_again_when_it_may_be_lost(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path) as at:
        await at.say(LONG)
        partial = at.wire.card()
        pieces = 3
        at.wire.troubles.extend([*[None] * (pieces - 1), Uncertain("gateway")])
        await at.tap(partial.data[0], partial)
        whole = at.wire.card()

        assert f"⟨{pieces}/{pieces}⟩" in whole.text
        assert await at.tap(whole.data[0], whole) == "Recorded."
        assert at.shop.ran == ["word " * 2000]


async def test_a_card_of_too_many_messages_offers_nothing_and_says_so(tmp_path: Path) -> None:
    model = scripted(("too long", lambda *_: [("save", {"text": "word " * 20_000})]))
    async with rig(tmp_path, model=model) as at:
        await at.say("too long")
        first = at.one("SELECT id FROM cards")
        (shown,) = at.wire.sent.values()
        pressed = [await at.tap(f"q1:{first}:{choice}", shown) for choice in "yns"]

        assert shown.data == []
        assert "too long to be decided" in shown.text
        assert pressed == ["Unknown button."] * 3
        assert len(at.wire.sent) == 1
