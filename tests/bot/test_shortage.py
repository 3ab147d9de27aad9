"""Too few people left: it is said once, shown on the card, and taken back when they return."""

from pathlib import Path
from typing import Any

from comal_bot.shortage import Shortage

from .rig import Rig, house_settings, rig
from .wire import ANA, ANDRES, APPROVERS, BRUNO

REFUND = 'call refund {"order": 7}'
FEW = "Too few people are left"


def under(ana: tuple[str, ...] = ("finance",), **route: Any) -> Any:
    """Return settings in which Ana holds some roles; others of the house hold none."""
    fields = {
        "tool": "refund",
        "approvers": ["role:finance", f"telegram:{ANDRES}"],
        "cards": [f"main:{APPROVERS}"],
        "policy": "dual",
    }
    known = [{"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": list(ana)}]
    return house_settings(people=known, routes=[{**fields, **route}])


async def look(at: Rig) -> None:
    await Shortage(at.house).look()
    await at.settle()


async def test_whoever_asked_hears_once_when_too_few_are_left_and_the_card_says_so(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        await look(at)
        before = at.wire.texts(APPROVERS)
    seen: list[list[str]] = []
    told: list[str] = []
    for roles in ((), (), ("finance",)):
        async with rig(tmp_path, settings=under(roles), clock=at.clock, name=str(seen)) as again:
            await look(again)
            await look(again)
            seen.append(again.wire.texts(APPROVERS))
            told += again.wire.texts(BRUNO)

    assert FEW not in before[0]
    assert [[FEW in text for text in texts] for texts in seen] == [[True], [], [False]]
    assert sum("Nobody can approve" in text for text in told) == 1


async def test_a_no_that_leaves_too_few_is_seen_at_once(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under(reject_threshold=2)) as at:
        await at.say(REFUND, sender=BRUNO)
        card = at.wire.card(APPROVERS)
        await at.tap(card.data[1], card, sender=ANA)

        assert FEW in at.wire.texts(APPROVERS)[0]
        assert at.one("SELECT state FROM questions") == "open"


async def test_those_who_are_asked_later_are_among_the_people_left(tmp_path: Path) -> None:
    later = {"after": "1h", "approvers": [f"telegram:{BRUNO + 900}"]}
    async with rig(tmp_path, settings=under((), escalate=later)) as at:
        await at.say(REFUND, sender=BRUNO)
        await look(at)

        assert FEW not in at.wire.texts(APPROVERS)[0]


async def test_whoever_asked_is_none_of_those_left(tmp_path: Path) -> None:
    names = [f"telegram:{who}" for who in (ANA, ANDRES, BRUNO)]
    async with rig(tmp_path, settings=under(approvers=names, policy="quorum", k=3)) as at:
        await at.say(REFUND, sender=BRUNO)
        await look(at)

        assert FEW in at.wire.texts(APPROVERS)[0]


async def test_more_questions_than_one_look_takes_are_all_looked_at(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=under()) as at:
        await at.say(REFUND, sender=BRUNO)
        columns = [row[1] for row in at.rows("PRAGMA table_info(questions)")]
        copied = ["id || :n" if one in ("id", "call_key") else one for one in columns]
        query = f"INSERT INTO questions SELECT {', '.join(copied)} FROM questions WHERE id = :key"
        key = at.one("SELECT id FROM questions")
        for number in range(250):
            at.write(query.replace(":n", f"'-{number}'").replace(":key", "?"), key)
    async with rig(tmp_path, settings=under(()), clock=at.clock, name="again") as again:
        shortage = Shortage(again.house)
        for _ in range(5):
            await shortage.look()

        told = again.one("SELECT COUNT(DISTINCT key) FROM jobs WHERE kind = 'tell'")
        assert told == 251
