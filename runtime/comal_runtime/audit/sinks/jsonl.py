"""A file of JSON lines beside the record, turned over when it is full."""

import errno
import json
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ...record import AuditRecord, Filed

_MOST_WAITING: Final = 16 * 1024 * 1024  # bytes of lines that wait for room on the disk
_NAMES: Final = tuple(AuditRecord.__slots__)

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=str).encode


def fields_of(filed: Filed) -> dict[str, Any]:
    """Return a stored record as JSON-shaped data."""
    record, link = filed.record, filed.link
    fields: dict[str, Any] = {name: getattr(record, name) for name in _NAMES}
    if filed.seq is not None:
        fields = {"seq": filed.seq, **fields}
    if link is not None:
        fields |= {
            "chain": link.chain, "place": link.place, "previous": link.previous, "mac": link.mac
        }  # fmt: skip
    return fields


def line_of(filed: Filed) -> str:
    """Return a stored record as one line of JSON, without its end."""
    return _encode(fields_of(filed))


class JsonlSink:
    """Appends one JSON line a record to a file that its owner alone may read.

    At `max_bytes` the file becomes `<name>.1`, that one `<name>.2`, and so on; `keep` of them are
    kept. What a full disk refuses waits, within 16 MB, for the next write. One process a file.
    """

    def __init__(self, path: Path, *, max_bytes: int = 64 * 1024 * 1024, keep: int = 5) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._keep = keep
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._file: int | None = None

    def write(self, records: Sequence[Filed]) -> None:
        """Append records.

        Raises:
            OSError: The file cannot be written; the lines wait for the next time.
        """
        for filed in records:
            line = f"{line_of(filed)}\n".encode("utf-8", "backslashreplace")
            self._waiting.append(line)
            self._waiting_bytes += len(line)
        try:
            while self._waiting:
                self._append_some()
        finally:
            self._drop_what_is_too_much()

    def close(self) -> None:
        """Write what waits, once more, and close the file.

        Raises:
            OSError: It cannot be written.
        """
        try:
            self.write(())
        finally:
            self._let_go()

    def _append_some(self) -> None:
        """Write as many whole lines as have room in the file."""
        file, size = self._opened()
        lines = [self._waiting[0]]
        total = len(lines[0])
        if size and size + total > self._max_bytes:
            self._turn_over()
            return
        for line in list(self._waiting)[1:]:
            if size + total + len(line) > self._max_bytes:
                break
            lines.append(line)
            total += len(line)
        _write_whole(file, b"".join(lines), size)
        for line in lines:
            self._waiting.popleft()
            self._waiting_bytes -= len(line)

    def _opened(self) -> tuple[int, int]:
        """Return the open file and its size; one that was moved away is begun anew."""
        if self._file is not None and not self._is_in_place(self._file):
            self._let_go()
        if self._file is None:
            self._file = _open(self._path)
        return self._file, os.fstat(self._file).st_size

    def _is_in_place(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._path.stat())
        except FileNotFoundError:
            return False

    def _turn_over(self) -> None:
        self._let_go()
        for number in range(self._keep, 0, -1):
            older = self._numbered(number)
            newer = self._path if number == 1 else self._numbered(number - 1)
            if newer.exists():
                newer.replace(older)
        if self._keep == 0:
            self._path.unlink(missing_ok=True)

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")

    def _let_go(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _drop_what_is_too_much(self) -> None:
        while self._waiting_bytes > _MOST_WAITING:
            self._waiting_bytes -= len(self._waiting.popleft())


def _open(path: Path) -> int:
    """Open a file for appending; a line that a killed process left unfinished is ended."""
    file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_RDWR, 0o600)
    try:
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            os.write(file, b"\n")
    except OSError:
        os.close(file)
        raise
    return file


def _write_whole(file: int, data: bytes, size: int) -> None:
    """Append all of it, or leave the file as it was."""
    try:
        written = os.write(file, data)
        while written < len(data):
            more = os.write(file, data[written:])
            if more == 0:
                raise OSError(errno.ENOSPC, "no room for a whole record")
            written += more
    except OSError:
        os.ftruncate(file, size)
        raise
