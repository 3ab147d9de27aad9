"""The settings of receipts: the key that signs them."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, Field, SecretStr

from .section import Section
from .wording import wrong

_BEGINS: Final = "-----BEGIN PRIVATE KEY-----"


def _key(value: SecretStr) -> SecretStr:
    given = value.get_secret_value()
    if given and not given.strip().startswith(_BEGINS):
        raise wrong(
            f"does not begin with {_BEGINS!r}; `openssl genpkey -algorithm ed25519` makes one"
        )
    return value


SigningKey = Annotated[SecretStr, Field(repr=False), AfterValidator(_key)]


class ReceiptsSettings(Section):
    """How receipts are signed. Without a `key`, PEM, there is one in a file beside the record."""

    key: SigningKey = SecretStr("")

    def key_file(self, record: Path) -> Path:
        """Return where the key of a record lies that the settings do not name."""
        return record.with_name(f"{record.name}.receipt-key")
