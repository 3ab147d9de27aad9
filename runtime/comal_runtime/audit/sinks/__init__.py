"""Where stored records go besides the record."""

from .fanout import AuditSink, Fanout
from .jsonl import JsonlSink, fields_of, line_of

__all__ = ["AuditSink", "Fanout", "JsonlSink", "fields_of", "line_of"]
