"""The clock of the record's tests."""

import pytest

from comal_runtime.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
