"""Questions as they are stored: what names them."""

import subprocess
import sys

import pytest

_TWO = "from comal_runtime.consent.question import new_id; print(new_id(), new_id())"


@pytest.mark.failure_mode(2)
def test_a_process_that_begins_anew_gives_no_id_that_another_gave() -> None:
    processes = [
        subprocess.run([sys.executable, "-c", _TWO], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]

    given = [one for process in processes for one in process.stdout.split()]
    assert len(set(given)) == 4
    assert {len(one) for one in given} == {22}
