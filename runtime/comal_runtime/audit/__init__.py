"""The audit: one record a call, redacted, chained so that tampering shows, and passed on."""

from .chain import Head
from .entry import MAX_ARGUMENT_BYTES, Outcome, result_json
from .keys import SHORTEST_KEY, BadAuditKey, key_from_file
from .logger import Batch, ToolAuditLogger
from .sinks import AuditSink, JsonlSink, fields_of, line_of
from .verify import Breach, Problem, Report, Verifier

__all__ = [
    "MAX_ARGUMENT_BYTES",
    "SHORTEST_KEY",
    "AuditSink",
    "BadAuditKey",
    "Batch",
    "Breach",
    "Head",
    "JsonlSink",
    "Outcome",
    "Problem",
    "Report",
    "ToolAuditLogger",
    "Verifier",
    "fields_of",
    "key_from_file",
    "line_of",
    "result_json",
]
