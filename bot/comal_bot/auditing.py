"""The audit as the host wires it: its key, its sinks and what it hides."""

from comal_runtime.audit import JsonlSink, ToolAuditLogger, key_from_file
from comal_runtime.clock import Clock
from comal_runtime.record import Record

from .settings import Settings


def audit_logger(settings: Settings, record: Record, clock: Clock) -> ToolAuditLogger:
    """Return the audit of a host over its record.

    Raises:
        BadAuditKey: The key beside the record cannot be read or made.
    """
    chosen = settings.audit
    sinks = []
    if chosen.jsonl_path is not None:
        sinks.append(
            JsonlSink(chosen.jsonl_path, max_bytes=chosen.jsonl_max_bytes, keep=chosen.jsonl_keep)
        )
    return ToolAuditLogger(
        record,
        clock,
        key=audit_key(settings, create=True),
        extra_keys=frozenset(chosen.redact),
        sinks=sinks,
    )


def audit_key(settings: Settings, *, create: bool = False) -> bytes:
    """Return the key of the audit: that of the settings, else the one beside the record.

    Raises:
        BadAuditKey: There is none, or it cannot be read or made.
    """
    given = settings.audit.key.get_secret_value()
    if given:
        return given.encode()
    return key_from_file(settings.audit.key_file(settings.data.path), create=create)
