"""People as the settings name them."""

from comal_bot.people import PeopleDirectory, Person

ANA = Person(
    name="Ana", identities=("telegram:1", "desk:ana"), roles=frozenset({"finance", "owner"})
)
SCOPES = {"finance": ("orders:read", "notes:read"), "owner": ("notes:read", "*")}
PEOPLE = PeopleDirectory([ANA, Person(name="Bo", identities=("telegram:2",))], SCOPES)


def test_every_identity_of_a_person_is_that_one_person() -> None:
    assert PEOPLE.person("telegram:1") == PEOPLE.person("desk:ana")
    assert PEOPLE.person("telegram:1") != PEOPLE.person("telegram:2")


def test_a_stranger_is_nobody_but_itself_and_may_nothing() -> None:
    assert PEOPLE.person("telegram:9") == "telegram:9"
    assert PEOPLE.roles("telegram:9") == frozenset()
    assert PEOPLE.scopes("telegram:9") == ()
    assert PEOPLE.name("telegram:9") is None


def test_a_persons_name_is_no_identity() -> None:
    assert PEOPLE.roles("Ana") == frozenset()
    assert PEOPLE.scopes("1") == ()


def test_scopes_are_what_all_roles_grant_once() -> None:
    assert PEOPLE.scopes("desk:ana") == ("*", "notes:read", "orders:read")


def test_nobody_holds_no_scope() -> None:
    assert PEOPLE.scopes(None) == ()


def test_a_role_without_scopes_grants_nothing() -> None:
    people = PeopleDirectory([Person(name="C", identities=("x:1",), roles=frozenset({"r"}))], {})

    assert people.roles("x:1") == {"r"}
    assert people.scopes("x:1") == ()
