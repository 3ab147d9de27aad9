"""Posting the audit's heads: to owners who talked to the bot, once a day, whatever restarts."""

from pathlib import Path

from comal_bot.heads import HeadPosts

from .rig import Rig, house_settings, rig
from .wire import ANA, ROSA

DAY = 24 * 3600.0
FINANCE = {"name": "Ana", "identities": [f"telegram:{ANA}"], "roles": ["finance"]}
OWNED = [{"name": "Rosa", "identities": [f"telegram:{ROSA}"], "roles": ["owner"]}, FINANCE]


def posts(at: Rig) -> list[str]:
    return [text for text in at.wire.texts(ROSA) if "comal audit verify" in text]


async def audited(at: Rig) -> None:
    """Let something be audited today."""
    await at.say("call notes {}")
    await at.house.registry.audit.flush()


async def test_an_owner_who_talked_to_the_bot_is_posted_the_heads_once_a_day(
    tmp_path: Path,
) -> None:
    async with rig(tmp_path, settings=house_settings(people=OWNED)) as at:
        await audited(at)
        for _ in range(3):
            await HeadPosts(at.house).post()
        await at.settle()
        first = posts(at)
        at.clock.advance(DAY)
        await audited(at)
        await HeadPosts(at.house).post()
        await at.settle()

        [(chain, last, mac)] = at.rows("SELECT id, last, mac FROM audit_chains")
        assert len(first) == 1
        assert len(posts(at)) == 2
        assert f"{chain}:{last}:{mac}" in posts(at)[-1]


async def test_a_host_that_was_away_for_days_posts_once(tmp_path: Path) -> None:
    async with rig(tmp_path, settings=house_settings(people=OWNED)) as at:
        await audited(at)
        at.clock.advance(5 * DAY)
        await HeadPosts(at.house).post()
        quiet = posts(at)
        await audited(at)
        await HeadPosts(at.house).post()
        await at.settle()

        assert quiet == []
        assert len(posts(at)) == 1


async def test_an_owner_without_a_chat_and_people_who_own_nothing_are_posted_nothing(
    tmp_path: Path,
) -> None:
    elsewhere = {"name": "Zoe", "identities": ["telegram:999"], "roles": ["owner"]}
    async with rig(tmp_path, settings=house_settings(people=[elsewhere, FINANCE])) as at:
        await audited(at)
        await HeadPosts(at.house).post()
        await at.settle()

        assert posts(at) == []
        assert at.one("SELECT COUNT(*) FROM outbox WHERE idempotency LIKE 'heads:%'") == 0
