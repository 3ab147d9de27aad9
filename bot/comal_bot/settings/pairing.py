"""`[pairing]`: how people come in whom nobody knows yet."""

from typing import Final, Literal

from .fields import Text
from .section import Section

ACCEPTED: Final = "i_accept_approver_roles"


class PairingSettings(Section):
    """What becomes of strangers, and the roles of those whom an owner lets in.

    They may `talk` without any right, must `pair` first, or are met with silence (`ignore`). A role
    that approves calls is given only beside `i_accept_approver_roles = true`; that of owners never.
    """

    strangers: Literal["talk", "pair", "ignore"] = "talk"
    roles: tuple[Text, ...] = ()
    i_accept_approver_roles: bool = False
