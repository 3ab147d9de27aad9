"""Whom a stranger may become: judged against routes and roles."""

from collections.abc import Iterator

from .judging import OWNER_ROLE, held_roles
from .pairing import ACCEPTED
from .problems import Problem, hint
from .routes import approvers_in
from .values import Settings


def deciding_in(settings: Settings) -> frozenset[str]:
    """Return who approves something, as routes spell them; owners always do."""
    named = (
        one
        for route in settings.routes
        for _, approvers in approvers_in(route)
        for one in approvers
    )
    return frozenset({f"role:{OWNER_ROLE}", *named})


def pairing(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with the roles that strangers are given."""
    said, known = settings.pairing, held_roles(settings)
    deciding = deciding_in(settings)
    for place, role in enumerate(said.roles):
        text = None
        if role == OWNER_ROLE:
            text = "is 'owner', which nobody is paired as; `comal people roles` makes an owner"
        elif role not in known:
            text = f"{role!r} is a role that nobody holds; {hint(role, known)}"
        elif f"role:{role}" in deciding and not said.i_accept_approver_roles:
            text = (
                f"{role!r} approves what others ask for, so that a stranger would; {ACCEPTED} = "
                "true beside it says that this is meant"
            )
        if text is not None:
            yield Problem(path=("pairing", "roles", place), text=text)
