"""The Telegram channel: a thin client, long polling, pure parsing and delivery."""

from .client import BotApi, BotApiError
from .polling import Polling
from .transport import TelegramChannel

__all__ = ["BotApi", "BotApiError", "Polling", "TelegramChannel"]
