"""Which lines and faults the tests name, read from their text."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent.parent


def marked(marker: str) -> frozenset[str]:
    """Return everything that `@pytest.mark.<marker>(...)` names anywhere in the tests."""
    found: set[str] = set()
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if marker in text:
            found.update(_named(ast.parse(text), marker))
    return frozenset(found)


def _named(module: ast.Module, marker: str) -> Iterator[str]:
    lists = dict(_lists(module))
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == marker:
            for given in node.args:
                if isinstance(given, ast.Starred) and isinstance(given.value, ast.Name):
                    yield from lists.get(given.value.id, ())
                yield from _constants(given)


def _lists(module: ast.Module) -> Iterator[tuple[str, list[str]]]:
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, list(_constants(node.value))


def _constants(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, int | str):
            yield str(inner.value)
