"""Runs a command that dies with its parent: `python leash.py PARENT_PID COMMAND...`.

A script of its own that imports only the standard library: it becomes the command.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # Source: Linux, prctl(2); the setting outlives execve.


def main(parent: int, command: list[str]) -> None:
    """Ask the kernel for the parent's death to be ours, then become `command`."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # it died before the kernel was asked
        return
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
