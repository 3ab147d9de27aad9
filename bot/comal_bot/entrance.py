"""The entrance: what becomes of people whom nobody knows."""

from dataclasses import dataclass
from enum import StrEnum


class Strangers(StrEnum):
    """What strangers may do."""

    TALK = "talk"
    PAIR = "pair"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """What strangers may do, and the roles of those whom an owner lets in."""

    strangers: Strangers = Strangers.TALK
    roles: tuple[str, ...] = ()
