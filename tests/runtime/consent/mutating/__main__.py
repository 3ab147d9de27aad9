"""`python -m tests.runtime.consent.mutating [COUNT] [SEED]`: the whole of it, told in one line."""

import asyncio
import logging
import secrets
import sys

from .trying import tried


def main(count: str = "100000", seed: str = "") -> int:
    """Try the changes and say what came of it; return the exit status."""
    logging.disable(logging.CRITICAL)
    chosen = int(seed) if seed else secrets.randbelow(2**32)
    print(f"seed {chosen}", flush=True)  # noqa: T201  a command's own output
    found = asyncio.run(tried(int(count), chosen))
    for one in [*found.ran, *found.stopped_as_shown][:20]:
        print(one)  # noqa: T201
    print(f"{found.executed_as_shown} calls that nobody changed ran as shown")  # noqa: T201
    print(found.line)  # noqa: T201
    return 1 if found.ran or found.stopped_as_shown else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
