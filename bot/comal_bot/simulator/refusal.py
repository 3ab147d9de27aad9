"""What the Bot API says when it does not do what a bot asked."""


class Refusal(Exception):
    """An answer with `ok` false; `retry_after` is in seconds."""

    def __init__(self, code: int, description: str, *, retry_after: int | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after

    def wire(self) -> dict[str, object]:
        """Return the JSON body of this answer."""
        body: dict[str, object] = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        if self.retry_after is not None:
            body["parameters"] = {"retry_after": self.retry_after}
        return body


def bad_request(reason: str) -> Refusal:
    """Make a 400 in the server's wording."""
    return Refusal(400, f"Bad Request: {reason}")


def forbidden(reason: str) -> Refusal:
    """Make a 403 in the server's wording."""
    return Refusal(403, f"Forbidden: {reason}")


def too_many_requests(retry_after: int) -> Refusal:
    """Make a 429 that asks to wait `retry_after` seconds."""
    description = f"Too Many Requests: retry after {retry_after}"
    return Refusal(429, description, retry_after=retry_after)


def conflict(reason: str) -> Refusal:
    """Make a 409 in the server's wording."""
    return Refusal(409, f"Conflict: {reason}")
