"""The first owner: made by a code that stands on the terminal, never by writing first."""

import asyncio
import hashlib
import hmac
import secrets
from typing import Final

from comal_runtime.clock import Clock
from comal_runtime.consent.question import new_id
from comal_runtime.record import OwnerCode, Record, Transaction

from .channels.channel import Inbound
from .owners import OWNER
from .receiving import Reception, Reply

LASTS: Final = 15 * 60.0
"""Seconds a code is good for."""

BY_CODE: Final = "owner-code"
"""Who gave a role that came by a code."""

_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is read as another
_HALF: Final = 4
_TRIES: Final = 3  # wrong ones of one principal that make a code worthless
_ALL_TRIES: Final = 20  # and of all together


async def issue_code(record: Record, clock: Clock) -> str:
    """Make a code and forget every other; it is stored only as what it hashes to."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(2 * _HALF))
    salt = secrets.token_bytes(16)
    code = OwnerCode(
        id=new_id(),
        salt=salt.hex(),
        hash=(await _hashed(letters, salt)).hex(),
        expires_at=clock.now() + LASTS,
    )
    async with record.transaction() as tx:
        await tx.admissions.issue(code)
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


class Owning:
    """Handles `/owner CODE`."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception
        self._house = reception.house

    async def handle(self, update: int, inbound: Inbound) -> None:
        """Make whoever writes the code in private the owner, while there is none.

        Anybody may try who is a person on their channel; a few wrong codes make it worthless, and
        so does writing it where others read it.
        """
        async with self._house.record.reading() as stored:
            code = await stored.admissions.code(now=self._house.clock.now())
        right = code is not None and await _is(code, inbound.text)
        async with self._reception.open(inbound) as tx:
            event = f"update:{update}"
            reply = Reply("owner.how")
            if inbound.text.strip():
                reply = await self._judged(tx, inbound, code if right else None, event)
            quiet = self._house.shuns(inbound.sender) and reply.key == "owner.there_is"
            if not quiet:
                await self._reception.answer(tx, update, inbound, reply)
        self._reception.witness(inbound.sender, "become_owner", {}, reply)

    async def _judged(
        self, tx: Transaction, inbound: Inbound, right: OwnerCode | None, event: str
    ) -> Reply:
        sender = inbound.sender
        if sender is None or inbound.sender_is_bot:
            return Reply("answer.nobody")
        if self._house.people.holders(OWNER):
            await tx.admissions.retire()
            return Reply("owner.there_is")
        if not inbound.private:
            if right is not None:
                await tx.admissions.retire()
            return Reply("owner.overheard" if right is not None else "owner.private")
        return await self._tried(tx, sender, right, event)

    async def _tried(
        self, tx: Transaction, sender: str, right: OwnerCode | None, event: str
    ) -> Reply:
        now = self._house.clock.now()
        live = await tx.admissions.code(now=now)
        if live is None:
            return Reply("owner.no_code")
        if right is None or right.id != live.id:
            return await self._missed(tx, live, sender, event)
        if not await tx.admissions.spend(live.id, now=now):
            return Reply("owner.no_code")
        await tx.identities.add(sender, by=BY_CODE, now=now)
        await tx.identities.give(sender, OWNER, by=BY_CODE, now=now)
        return Reply("owner.welcome", done=True)

    async def _missed(self, tx: Transaction, code: OwnerCode, sender: str, event: str) -> Reply:
        mine, everybodys = await tx.admissions.missed(code.id, sender, event)
        if mine < _TRIES and everybodys < _ALL_TRIES:
            return Reply("owner.wrong", values={"left": _TRIES - mine})
        await tx.admissions.retire()
        return Reply("owner.worthless")


async def _is(code: OwnerCode, words: str) -> bool:
    letters = "".join(letter for letter in words.upper() if letter.isalnum())
    if len(letters) != 2 * _HALF or not letters.isascii():
        return False
    hashed = await _hashed(letters, bytes.fromhex(code.salt))
    return hmac.compare_digest(hashed.hex(), code.hash)


async def _hashed(letters: str, salt: bytes) -> bytes:
    """Hash a code slowly, so that whoever reads the record within its time cannot try them all."""
    return await asyncio.to_thread(
        hashlib.scrypt, letters.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32
    )
