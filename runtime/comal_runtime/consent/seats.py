"""Seats: each is one yes that is needed, and nobody takes two."""

from collections.abc import Collection, Sequence


def fill(seats: Sequence[Collection[str]]) -> list[str | None]:
    """Give as many seats as possible, the first ones first, to somebody who may sit there.

    A matching: whoever is moved for somebody else keeps a seat, so that no seat is given up again.
    """
    seat_of: dict[str, int] = {}

    def give(seat: int, tried: set[str]) -> bool:
        for person in sorted(seats[seat]):
            if person not in tried:
                tried.add(person)
                if person not in seat_of or give(seat_of[person], tried):
                    seat_of[person] = seat
                    return True
        return False

    for seat in range(len(seats)):
        give(seat, set())
    taken = {seat: person for person, seat in seat_of.items()}
    return [taken.get(seat) for seat in range(len(seats))]


def seats_of(k: int, people: Collection[str]) -> list[Collection[str]]:
    """Return a group's seats; of those that its people cannot fill, one is enough to show it."""
    return [people] * min(k, len(people) + 1)
