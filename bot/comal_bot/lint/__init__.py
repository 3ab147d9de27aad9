"""Judges tools: whether models understand them, providers take them, people can use them."""

from .finding import Finding, Severity
from .judging import findings
from .yardstick import Provider, Yardstick, provider_at

__all__ = ["Finding", "Provider", "Severity", "Yardstick", "findings", "provider_at"]
