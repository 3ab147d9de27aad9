"""Verification: other people's yes, or a rule's, asked for and given."""

from ..route import REQUEST_VERIFICATION
from .human import HumanVerifier, Opened, Opening, Resolved
from .outcomes import (
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
    Verifier,
    request_of,
)
from .rules import (
    RuleVerifier,
    ask_rule,
    evidence_rule,
    granted_by_rule,
    rule_name,
    rules_of,
)
from .telling import VerificationEvent, VerificationKind, requested
from .tools import RESOLVE_VERIFICATION, VerificationTool

__all__ = [
    "REQUEST_VERIFICATION",
    "RESOLVE_VERIFICATION",
    "HumanVerifier",
    "Opened",
    "Opening",
    "Resolved",
    "RuleVerifier",
    "VerificationEvent",
    "VerificationKind",
    "VerificationOutcome",
    "VerificationRequest",
    "VerificationResult",
    "VerificationTool",
    "Verifier",
    "ask_rule",
    "evidence_rule",
    "granted_by_rule",
    "request_of",
    "requested",
    "rule_name",
    "rules_of",
]
