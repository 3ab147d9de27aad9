"""Host texts in the reader's language."""

from .catalogue import LANGUAGES, text

__all__ = ["LANGUAGES", "text"]
