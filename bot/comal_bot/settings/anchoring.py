"""Where relative paths lie: each source's own folder, for the record and the tools' files."""

from pathlib import Path

from .fields import SQLITE
from .sources import Table


def anchor(values: Table, folder: Path) -> None:
    """Make the relative paths among unchecked settings absolute, in place."""
    tools, data = values.get("tools"), values.get("data")
    modules = tools.get("modules") if isinstance(tools, dict) else None
    if isinstance(tools, dict) and isinstance(modules, list):
        tools["modules"] = [
            anchored(one, folder) if isinstance(one, str) else one for one in modules
        ]
    audit = values.get("audit")
    jsonl = audit.get("jsonl") if isinstance(audit, dict) else None
    if isinstance(audit, dict) and isinstance(jsonl, str) and jsonl:
        audit["jsonl"] = str(folder / Path(jsonl).expanduser())
    url = data.get("url") if isinstance(data, dict) else None
    if isinstance(data, dict) and isinstance(url, str) and _names_a_file(url):
        data["url"] = url_of(folder / Path(url.removeprefix(SQLITE)).expanduser())


def anchored(entry: str, folder: Path) -> str:
    """Return a tools file's absolute path; a module's name stays."""
    if entry.endswith(".py") or "/" in entry:
        return str(folder / Path(entry).expanduser())
    return entry


def url_of(file: Path) -> str:
    """Name a record's file as the setting does."""
    return f"{SQLITE}{file}"


def _names_a_file(url: str) -> bool:
    return url.startswith(SQLITE) and url.removeprefix(SQLITE) not in ("", ":memory:")
