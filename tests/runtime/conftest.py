"""Fixtures for the tests of the runtime."""

import sys
from typing import Any

import pytest

from comal_runtime.schema import CompiledSchema


@pytest.fixture(params=["fast", "plain"])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Compile schemas with the fast validator if it is installed, and without it."""
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    else:
        pytest.importorskip("jsonschema_rs")
    return CompiledSchema
