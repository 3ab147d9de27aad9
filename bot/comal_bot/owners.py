"""Owners: who runs the house, and where they are spoken to alone."""

from collections.abc import Sequence
from typing import Final

from comal_runtime.record import Place, Repositories, Transaction

from .wiring import Premises

OWNER: Final = "owner"
"""The role of those who run the house."""


async def owner_chats(house: Premises, stored: Repositories | Transaction) -> list[Place]:
    """Return the private chats of the owners with the bot, of those who ever wrote to it."""
    return await chats_of(house, stored, house.people.holders(OWNER))


async def chats_of(
    house: Premises, stored: Repositories | Transaction, principals: Sequence[str]
) -> list[Place]:
    """Return the private chats of some principals with the bot, of those who ever wrote to it."""
    places = []
    for identity in principals:
        kind, _, chat = identity.partition(":")
        for name, channel in house.channels.items():
            place = Place(channel=name, chat=chat)
            if channel.descriptor.name == kind and await _is_private(stored, place):
                places.append(place)
    return places


async def _is_private(stored: Repositories | Transaction, place: Place) -> bool:
    conversation = await stored.people.conversation(place)
    return conversation is not None and await stored.people.is_private(conversation)
