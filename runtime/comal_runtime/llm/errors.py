"""Every way a model can fail to answer."""

from dataclasses import dataclass, field

EXCERPT_LIMIT = 500  # characters of the provider's body


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The facts of one failure.

    `excerpt` is the start of the provider's body, our secrets masked. `code` is the provider's own
    word. `retry_after` is seconds. `retryable` says that the same request may succeed later and
    cannot have been answered already.
    """

    provider: str
    status: int | None = None
    request_id: str | None = None
    excerpt: str = field(default="", repr=False)
    code: str | None = None
    retry_after: float | None = None
    retryable: bool = False


class LlmError(Exception):
    """The model gave no usable answer.

    LlmError
      LlmUnavailable    no answer came; the transport's error is the cause
      LlmRefused        4xx
        LlmAuthError    401, 403
        LlmRateLimited  429; see `retry_after` (seconds)
        ContextTooLong  the conversation does not fit the model's window
      LlmOverloaded     5xx
      LlmBadResponse    an answer outside the protocol
      OutputTruncated   the answer reached the limit
      ContentFiltered   the provider withheld the answer
    """

    def __init__(self, sentence: str, fault: Fault) -> None:
        super().__init__(sentence)
        self.provider = fault.provider
        self.status = fault.status
        self.request_id = fault.request_id
        self.excerpt = fault.excerpt[:EXCERPT_LIMIT]
        self.code = fault.code
        self.retry_after = fault.retry_after
        self.retryable = fault.retryable


class LlmUnavailable(LlmError):
    """No answer came."""


class LlmRefused(LlmError):
    """The provider refused the request as it stands."""


class LlmAuthError(LlmRefused):
    """The key is missing, unknown or not allowed to do this."""


class LlmRateLimited(LlmRefused):
    """Too many requests or no credit; `retry_after` is seconds where the provider said it."""


class ContextTooLong(LlmRefused):
    """The conversation and the output limit do not fit the model's window."""


class LlmOverloaded(LlmError):
    """The provider failed or has no capacity now."""


class LlmBadResponse(LlmError):
    """The answer is not what the protocol allows."""


class OutputTruncated(LlmError):
    """The answer reached `max_tokens` and was thrown away whole."""

    def __init__(self, fault: Fault, *, stop_reason: str, max_tokens: int) -> None:
        super().__init__(
            f"{fault.provider} stopped at the output limit of {max_tokens} tokens "
            f"({stop_reason}); nothing of the answer is used",
            fault,
        )
        self.stop_reason = stop_reason
        self.max_tokens = max_tokens


class ContentFiltered(LlmError):
    """The provider's filter withheld the answer."""
