"""Hears people, remembers, asks the agent, shows cards and answers."""

__all__ = ["BadSettings", "Comal", "Settings", "load_settings"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that the command line starts at once."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(".app" if name == "Comal" else ".settings", __name__), name)
