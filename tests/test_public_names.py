"""A package's public names are its `__all__`, and no name hides a module."""

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

ROOTS = ("comal_runtime", "comal_renderers", "comal_bot")


def packages() -> list[str]:
    roots = [importlib.import_module(name) for name in ROOTS]
    below = [
        module.name
        for root in roots
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")
        if module.ispkg
    ]
    return sorted([*ROOTS, *below])


def submodules(package: ModuleType) -> set[str]:
    return {module.name for module in pkgutil.iter_modules(package.__path__)}


def bound_names(package: ModuleType) -> set[str]:
    return {name for name in vars(package) if not name.startswith("_")} - submodules(package)


@pytest.mark.parametrize("name", packages())
def test_a_package_exports_every_name_it_binds_and_has_every_name_it_exports(name: str):
    package = importlib.import_module(name)

    exported = list(getattr(package, "__all__", ()))

    assert bound_names(package) <= set(exported)
    assert [name for name in exported if not hasattr(package, name)] == []
    assert len(exported) == len(set(exported))


@pytest.mark.parametrize("name", packages())
def test_no_exported_name_equals_a_module_of_its_package(name: str):
    package = importlib.import_module(name)

    assert not set(getattr(package, "__all__", ())) & submodules(package)


@pytest.mark.parametrize("root", ROOTS)
def test_each_package_carries_its_types(root: str):
    folder = Path(importlib.import_module(root).__path__[0])

    assert (folder / "py.typed").is_file()
