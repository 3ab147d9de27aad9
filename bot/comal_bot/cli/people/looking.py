"""`comal people list` and `show`: read from settings and record without changing either."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from comal_bot.people import LINK_RESTS, PeopleDirectory
from comal_bot.receiving import spoken_time
from comal_bot.settings import load_settings

from ..complaints import CommandFailed, complain
from ..knowing import known_people
from ..printing import print_json, print_table, print_text


def show_people(config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print everybody who is known, a line for each identity."""
    people = known_people(load_settings(config, data=data))
    shown = [*_everybody(people)]
    if as_json:
        print_json(shown)
    elif shown:
        rows = [
            (str(one["identity"]), str(one["name"] or "—"), _listed(one["roles"]), str(one["from"]))
            for one in shown
        ]
        print_table(("identity", "name", "roles", "from"), rows)
    else:
        complain("nobody is known; `comal people owner-code` prints a code for the first owner")


def show_one(who: str, config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print what is known of one identity, or of each of the person so called.

    Raises:
        CommandFailed: Nobody is so called.
    """
    people = known_people(load_settings(config, data=data))
    found = [described(people, identity) for identity in identities_of(people, who)]
    if as_json:
        print_json(found)
        return
    for number, told in enumerate(found):
        if number:
            print_text("")
        for name, value in told.items():
            if value:
                print_text(f"{name}: {_listed(value) if isinstance(value, list) else value}")


def identities_of(people: PeopleDirectory, who: str) -> list[str]:
    """Return the identities that a word names: itself, or those of the people so called.

    Raises:
        CommandFailed: Nobody is so called.
    """
    named = [one for one in people.known() if one.name == who]
    found = list(dict.fromkeys(identity for one in named for identity in one.identities))
    if found:
        return found
    if ":" in who:
        return [who]
    names = [one.name for one in people.known()]
    near = get_close_matches(who, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`comal people list` shows who is"
    raise CommandFailed(f"nobody known is called {who!r}; {hint}")


def identity_of(people: PeopleDirectory, who: str) -> str:
    """Return the identity that a word names: itself, or that of the only one of a person.

    Raises:
        CommandFailed: Nobody is so called, or they have several; says which.
    """
    found = identities_of(people, who)
    if len(found) > 1:
        raise CommandFailed(f"{who} has {', '.join(found)}; name one of these")
    return found[0]


def described(people: PeopleDirectory, identity: str) -> dict[str, object]:
    """Return what is known of one identity, JSON-shaped."""
    links = people.links_of(identity)
    rests = [one.since + LINK_RESTS for one in links if one.added == identity]
    return {
        "identity": identity,
        "name": people.name(identity),
        "person": people.person(identity),
        "accounts": list(people.accounts(identity)),
        "roles": sorted(people.roles(identity)),
        "given": sorted(people.given(identity)),
        "scopes": list(people.scopes(identity)),
        "links": [f"{one.anchor} + {one.added} since {spoken_time(one.since)}" for one in links],
        "votesCountFrom": spoken_time(max(rests)) if rests else None,
        "known": people.is_known(identity),
    }


def _everybody(people: PeopleDirectory) -> Iterator[Mapping[str, object]]:
    identities = dict.fromkeys(one for known in people.known() for one in known.identities)
    for one in identities:
        yield {
            "identity": one,
            "name": people.name(one),
            "person": people.person(one),
            "roles": sorted(people.roles(one)),
            "from": "settings" if people.is_told(one) else "record",
        }


def _listed(values: object) -> str:
    assert isinstance(values, list)
    return ", ".join(map(str, values)) or "—"
