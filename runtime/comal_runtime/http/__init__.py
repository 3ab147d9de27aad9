"""HTTP out: one small protocol and its adapters."""

from .client import HttpClient, HttpError, HttpResponse

__all__ = ["HttpClient", "HttpError", "HttpResponse"]
