"""The tool runtime: runs tools under one law, knows what consent is, knows no channel."""

from .agent import AgentOrchestrator, RunEnd, RunTermination
from .audit import ToolAuditLogger
from .consent.confirmation import ConfirmationTokenStore
from .consent.directory import Directory
from .consent.route import Route, Routes
from .consent.verification import (
    HumanVerifier,
    RuleVerifier,
    VerificationEvent,
    VerificationOutcome,
    VerificationRequest,
    VerificationResult,
    VerificationTool,
    Verifier,
    evidence_rule,
)
from .context import Consent, ToolContext
from .errors import ToolAlreadyRegisteredError, ToolError
from .events import EventDispatcher
from .gates import ToolCallGate, ToolCallRecorder, ToolCallRefused
from .inspection import InvocationPlanBuilder
from .llm import LlmService, LlmServiceInterface
from .policy import PolicyGate
from .progress import Progress
from .rate_limit import Limit, Limits
from .registry import ToolRegistry
from .result import ErrorCode, ToolResult
from .rules import TableRule, TableRules
from .scanner import ToolScanner
from .tools import Param, ToolOptions, ToolProvider, tool
from .wiring import Wiring

__all__ = [
    "AgentOrchestrator",
    "ConfirmationTokenStore",
    "Consent",
    "Directory",
    "ErrorCode",
    "EventDispatcher",
    "HumanVerifier",
    "InvocationPlanBuilder",
    "Limit",
    "Limits",
    "LlmService",
    "LlmServiceInterface",
    "Param",
    "PolicyGate",
    "Progress",
    "Route",
    "Routes",
    "RuleVerifier",
    "RunEnd",
    "RunTermination",
    "TableRule",
    "TableRules",
    "ToolAlreadyRegisteredError",
    "ToolAuditLogger",
    "ToolCallGate",
    "ToolCallRecorder",
    "ToolCallRefused",
    "ToolContext",
    "ToolError",
    "ToolOptions",
    "ToolProvider",
    "ToolRegistry",
    "ToolResult",
    "ToolScanner",
    "VerificationEvent",
    "VerificationOutcome",
    "VerificationRequest",
    "VerificationResult",
    "VerificationTool",
    "Verifier",
    "Wiring",
    "evidence_rule",
    "tool",
]
