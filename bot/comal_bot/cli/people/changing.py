"""`comal people roles`, `unlink` and `owner-code`: what changes who people are."""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comal_bot.owners import OWNER
from comal_bot.owning import LASTS, issue_code
from comal_bot.people import PeopleDirectory
from comal_bot.settings import Settings, load_settings
from comal_bot.settings.admission import deciding_in
from comal_bot.settings.judging import held_roles
from comal_bot.settings.problems import hint
from comal_runtime.record import Transaction

from ..acting import Acting, Actor, actor, announce, audit
from ..complaints import CommandFailed, Refused
from ..first_owner import how_to_own
from ..printing import print_json, print_text
from ..working import at_work
from .looking import identity_of

_IDENTITY: Final = re.compile(r"(?!role:|rule:|person:|break-glass:)[a-z0-9_-]+:\S+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Roles that somebody is to be given, or that are to be taken away."""

    who: str
    add: tuple[str, ...]
    remove: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlinking:
    """Two identities that are to be two people again."""

    one: str
    other: str


def change(
    wanted: Roles | Unlinking, acting: Acting, where: tuple[Path | None, Path | None]
) -> None:
    """Change what the record says of people, as who acts: an owner, or whoever breaks the glass.

    Raises:
        CommandFailed: There is no record, or nothing to change so.
        Refused: Whoever acts is no owner; nothing was changed.
    """
    config, data = where
    settings = load_settings(config, data=data)
    did, who = asyncio.run(_changed(settings, wanted, acting, config))
    how = "BREAK-GLASS: " if who.breaks_glass else ""
    print_text(f"{how}{did}, says {who.name}; it counts at once")


def print_code(config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print a fresh code for the first owner; whoever may write the record may have one.

    Raises:
        CommandFailed: There is no record, or there is an owner.
    """
    settings = load_settings(config, data=data)
    code = asyncio.run(_code(settings))
    if as_json:
        print_json({"code": code, "goodForSeconds": LASTS})
    else:
        print_text(how_to_own(code))


async def _code(settings: Settings) -> str:
    async with at_work(settings) as desk:
        owners = desk.people.holders(OWNER)
        if owners:
            raise CommandFailed(
                f"there is an owner already: {', '.join(owners)}; `comal people roles WHO --add "
                f"{OWNER} --as OWNER` makes another"
            )
        return await issue_code(desk.record, desk.clock)


async def _changed(
    settings: Settings, wanted: Roles | Unlinking, acting: Acting, config: Path | None
) -> tuple[str, Actor]:
    """Change it as one more worker of the host."""
    async with at_work(settings) as desk:
        now, people = desk.clock.now(), desk.people
        async with desk.record.transaction() as tx:
            await people.refresh(tx)
            who = actor(people, acting)
            if not who.breaks_glass and OWNER not in people.roles(who.principal):
                raise Refused(f"{who.name} is no owner; only owners change who people are")
            match wanted:
                case Unlinking():
                    did = await _unlink(tx, people, wanted, now)
                case Roles():
                    _check(settings, people, wanted, config)
                    did = await _roles(tx, people, wanted, who, now)
            await announce(tx, who, did, conversation=None, now=now)
        audit(desk.audit, who, "change_people", did)
    return did, who


async def _unlink(tx: Transaction, people: PeopleDirectory, wanted: Unlinking, now: float) -> str:
    one, other = identity_of(people, wanted.one), identity_of(people, wanted.other)
    if not await tx.identities.unlink(one, other, now=now):
        linked = [f"{link.anchor} + {link.added}" for link in people.links_of(one)]
        what = f"{one} is linked so: {', '.join(linked)}" if linked else f"{one} has no link"
        if people.is_told(one) and people.person(one) == people.person(other):
            what = f"the settings say that they are {people.name(one)}"
        raise CommandFailed(f"{one} and {other} are not linked in the record; {what}")
    return f"{one} and {other} are two people again"


async def _roles(
    tx: Transaction, people: PeopleDirectory, wanted: Roles, who: Actor, now: float
) -> str:
    identity = identity_of(people, wanted.who)
    if wanted.add:
        await tx.identities.add(identity, by=who.principal, now=now)
    for role in wanted.add:
        await tx.identities.give(identity, role, by=who.principal, now=now)
    for role in wanted.remove:
        if not await tx.identities.take(identity, role):
            given = ", ".join(sorted(people.given(identity))) or "none"
            raise CommandFailed(f"{identity} was not given {role!r}; given: {given}")
    await people.refresh(tx)
    if OWNER in wanted.remove and not people.holders(OWNER):
        raise CommandFailed(f"{identity} is the last owner; make somebody else one first")
    done = [f"{identity} is given {role}" for role in wanted.add]
    done += [f"{role} is taken from {identity}" for role in wanted.remove]
    return ", ".join(done)


def _check(settings: Settings, people: PeopleDirectory, wanted: Roles, config: Path | None) -> None:
    """Refuse roles that nobody means, and people whose roles stand in a file.

    Raises:
        CommandFailed: Says which, and what to do.
    """
    identity = identity_of(people, wanted.who)
    if not (wanted.add or wanted.remove):
        raise CommandFailed("nothing to change; name roles with --add and --remove")
    if not _IDENTITY.fullmatch(identity):
        raise CommandFailed(f"{identity!r} is no identity; use '<channel>:<id>', as in telegram:42")
    from_settings = people.is_told(identity)
    untouchable = set(wanted.remove) - people.given(identity)
    if from_settings and (wanted.add or untouchable):
        file = config or Path("comal.toml")
        raise CommandFailed(
            f"{people.name(identity)} is a person of the settings; change their roles under "
            f"[[people]] in {file}"
        )
    routed = {one.removeprefix("role:") for one in deciding_in(settings) if one[:5] == "role:"}
    known = sorted({*held_roles(settings), *routed})
    for role in wanted.add:
        if role not in known:
            raise CommandFailed(f"{role!r} is no role; {hint(role, known)}")
