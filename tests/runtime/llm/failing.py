"""Asks a model that must fail, and hands back how it did."""

import traceback

import pytest

from comal_runtime.llm import LlmError, LlmService
from tests.support.chat_server import API_KEY


async def failure(model: LlmService, max_tokens: int = 4096) -> LlmError:
    """Return the error of one question, after a look for the key in all it shows."""
    with pytest.raises(LlmError) as caught:
        await model.generate_response("Hi", max_tokens=max_tokens)
    shown = "".join(traceback.format_exception(caught.value))
    assert API_KEY not in shown + repr(vars(caught.value))
    return caught.value
