"""The settings of the audit: its key, what it hides besides, and where else it is written."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from comal_runtime.audit import SHORTEST_KEY

from .fields import Text
from .section import Section
from .wording import wrong


def _key(value: SecretStr) -> SecretStr:
    size = len(value.get_secret_value().encode())
    if 0 < size < SHORTEST_KEY:
        raise wrong(
            f"has {size} bytes, at least {SHORTEST_KEY} are needed; "
            "`openssl rand -hex 32` makes one"
        )
    return value


AuditKey = Annotated[SecretStr, Field(repr=False), AfterValidator(_key)]


class AuditSettings(Section):
    """How calls are audited.

    Without a `key` there is one in a file beside the record. `redact` names arguments to hide
    besides those that are always hidden. `jsonl` is a file to write to besides the record, empty
    for none; at `jsonl_max_bytes` it is turned over, and `jsonl_keep` full ones are kept.
    """

    key: AuditKey = SecretStr("")
    redact: tuple[Text, ...] = ()
    jsonl: str = ""
    jsonl_max_bytes: Annotated[int, Field(ge=4096)] = 64 * 1024 * 1024
    jsonl_keep: Annotated[int, Field(ge=0, le=1000)] = 5

    @property
    def jsonl_path(self) -> Path | None:
        """The file to write to besides the record."""
        return Path(self.jsonl) if self.jsonl else None

    def key_file(self, record: Path) -> Path:
        """Return where the key of a record lies that the settings do not name."""
        return record.with_name(f"{record.name}.audit-key")
