"""Who acts at the command line: somebody whose OS user this is, or whoever breaks the glass.

The command line is a door like any other. `--as PERSON` counts only if `os:<login>` is one of that
person's identities; everything else is breaking the glass, which is announced and audited.
"""

import os
import pwd
from dataclasses import dataclass
from difflib import get_close_matches

from comal_bot.people import PeopleDirectory, Person
from comal_runtime.audit import ToolAuditLogger
from comal_runtime.call import Request
from comal_runtime.consent.overriding import BREAK_GLASS, OS_USER, overrule
from comal_runtime.consent.question import new_id
from comal_runtime.context import ToolContext
from comal_runtime.record import Override, Transaction
from comal_runtime.result import ErrorCode, ToolResult

from .complaints import CommandFailed, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """What a command was told of who acts: `--as`, `--break-glass` and `--reason`."""

    person: str | None = None
    break_glass: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts: `os:<login>`, or `break-glass:<login>` with a reason that is not blank."""

    principal: str
    name: str
    reason: str | None = None

    @property
    def breaks_glass(self) -> bool:
        """Whether this is nobody entitled, so that others must hear of it."""
        return self.principal.startswith(f"{BREAK_GLASS}:")


def actor(people: PeopleDirectory, told: Acting) -> Actor:
    """Return who acts. `people` are refreshed from the record by then.

    Raises:
        Refused: Nobody was named, or somebody whose OS user this is not.
        CommandFailed: The options exclude each other, or a reason is missing.
    """
    login = os_login()
    reason = (told.reason or "").strip() or None
    if told.person is not None and told.break_glass:
        raise CommandFailed("--as and --break-glass exclude each other; act as one or the other")
    if told.break_glass:
        if reason is None:
            raise CommandFailed("--break-glass wants --reason TEXT; owners are told why")
        return Actor(principal=f"{BREAK_GLASS}:{login}", name=login, reason=reason)
    if told.person is None:
        raise Refused(
            "nobody is said to act: --as PERSON names somebody whose OS user you are, "
            "--break-glass --reason TEXT acts without a right and tells the owners"
        )
    principal, person = f"{OS_USER}:{login}", person_named(people, told.person)
    if principal not in person.identities:
        raise Refused(
            f"{person.name} is not linked to the OS user {login!r}; add {principal!r} to the "
            f"identities of {person.name} in [[people]], or use --break-glass --reason TEXT"
        )
    return Actor(principal=principal, name=person.name, reason=reason)


def os_login() -> str:
    """Return the login of the user this process runs as; the environment has no say in it."""
    uid = os.getuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:  # as in a container
        return str(uid)


async def announce(
    tx: Transaction, who: Actor, did: str, *, conversation: str | None, now: float
) -> None:
    """Let owners and the one concerned hear what somebody did who broke the glass.

    In the transaction that does it; for everybody else there is nothing to announce.

    Args:
        did: What was done, as a part of a sentence: "settled delete_note as done".
        conversation: That of the person it is about, if there is one.
    """
    if not who.breaks_glass:
        return
    override = Override(
        id=new_id(),
        principal=who.principal,
        reason=who.reason or "",
        did=did,
        conversation=conversation,
        at=now,
    )
    await overrule(tx, override)


def audit(
    log: ToolAuditLogger,
    who: Actor,
    what: str,
    did: str,
    *,
    question: str | None = None,
    refused: str | None = None,
) -> None:
    """Leave an audit record of what was done here, or tried.

    Args:
        what: The kind of thing, in place of a tool's name: `settle_act`.
        question: The question or act it is about.
        refused: Why nothing was done, in a word, if so.
    """
    ctx = ToolContext.cli(principal=who.principal)
    arguments = {"did": did} | ({"reason": who.reason} if who.reason else {})
    request = Request(what, arguments, ctx)
    request.trail.question = question
    decision = "break_glass" if who.breaks_glass else "executed"
    result = ToolResult.success()
    if refused is not None:
        decision = f"refused_{refused}"
        result = ToolResult.error(decision, code=ErrorCode.FORBIDDEN)
    log.hand_over(log.outcome(request, arguments, result, decision))


def person_named(people: PeopleDirectory, wanted: str) -> Person:
    """Return the one person of this name or identity.

    Raises:
        Refused: There is nobody so called.
    """
    known = people.known()
    for person in known:
        if wanted == person.name or wanted in person.identities:
            return person
    alike = [person for person in known if person.name.casefold() == wanted.casefold()]
    if len(alike) == 1:
        return alike[0]
    names = [person.name for person in known]
    meant = get_close_matches(wanted, names, n=1)
    hint = f"did you mean {meant[0]!r}?" if meant else f"known: {', '.join(names) or 'nobody'}"
    raise Refused(f"--as is {wanted!r}, who is not known; {hint}")
