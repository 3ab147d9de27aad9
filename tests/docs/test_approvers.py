"""The rules of docs/how-to/approvers.md, as they stand there."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from comal_runtime.registry import ToolRegistry
from comal_runtime.result import ErrorCode

from ..runtime.stations.arranging import Ran, by_ana, made

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "approvers.md"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The page's module of tools, where it can be imported; the text of its other block."""
    module, program = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "shop.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    yield program
    sys.modules.pop("shop", None)


def shown(program: str) -> ToolRegistry:
    """Run the page's program and return the registry it makes."""
    names: dict[str, Any] = {}
    exec(compile(program, str(PAGE), "exec"), names)
    registry: ToolRegistry = names["registry"]
    return registry


@pytest.mark.parametrize(("amount", "granted"), [(499, True), (500, False)])
async def test_an_outside_service_decides_about_the_calls_of_its_route(
    amount: int, granted: bool, shop: str
) -> None:
    registry, ran = shown(shop), Ran()
    registry.add(made(ran, "refund_order", mutating=True))

    result = await registry.call("refund_order", {"amount": amount}, by_ana())

    assert result.success is granted
    assert (result.code == ErrorCode.FORBIDDEN) is not granted
    assert len(ran.calls) == int(granted)
