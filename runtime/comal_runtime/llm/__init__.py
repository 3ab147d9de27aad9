"""Models: one neutral message shape, one service, one hierarchy of errors."""

from .errors import (
    ContentFiltered,
    ContextTooLong,
    LlmAuthError,
    LlmBadResponse,
    LlmError,
    LlmOverloaded,
    LlmRateLimited,
    LlmRefused,
    LlmUnavailable,
    OutputTruncated,
)
from .messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCallRequest,
    ToolMessage,
    Usage,
    UserMessage,
    message_from_json,
    message_to_json,
)
from .service import LlmService, LlmServiceInterface, ToolSummary

__all__ = [
    "AssistantMessage",
    "ContentFiltered",
    "ContextTooLong",
    "LlmAuthError",
    "LlmBadResponse",
    "LlmError",
    "LlmOverloaded",
    "LlmRateLimited",
    "LlmRefused",
    "LlmService",
    "LlmServiceInterface",
    "LlmUnavailable",
    "Message",
    "OutputTruncated",
    "SystemMessage",
    "ToolCallRequest",
    "ToolMessage",
    "ToolSummary",
    "Usage",
    "UserMessage",
    "message_from_json",
    "message_to_json",
]
