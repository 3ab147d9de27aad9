"""The command: `python -m tests.vectors [-k ID-PART] [--verbose] [--json] PATH...`."""

import argparse
import asyncio
import json
import logging
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.vectors.decisions import load_decisions
from tests.vectors.rows import BadRows, Row, load
from tests.vectors.running import Outcome, Verdict, run_rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named files; return 0 if every row passed or was skipped, 1 otherwise."""
    asked = _parser().parse_args(arguments)
    logging.getLogger().addHandler(logging.NullHandler())  # what tools log is not the answer here
    rows, complaints = _read(asked.paths)
    chosen = [row for row in rows if asked.k in row.id]
    outcomes = asyncio.run(run_rows(chosen, load_decisions()))
    if asked.json:
        sys.stdout.write(_as_json(outcomes, complaints))
    else:
        sys.stdout.write(_as_text(outcomes, complaints, asked.verbose))
    return int(bool(complaints) or any(o.verdict is Verdict.FAILED for o in outcomes))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file or a folder")
    parser.add_argument("-k", default="", metavar="ID-PART", help="run only ids that contain this")
    parser.add_argument("--verbose", action="store_true", help="print every row and its decision")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _read(paths: Sequence[Path]) -> tuple[list[Row], list[str]]:
    rows: list[Row] = []
    complaints: list[str] = []
    for path in paths:
        for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
            try:
                rows += load(file)
            except BadRows as error:
                complaints.append(str(error))
    return rows, complaints


def _as_text(outcomes: Sequence[Outcome], complaints: Sequence[str], verbose: bool) -> str:
    lines = [f"FAIL {complaint}" for complaint in complaints]
    for outcome in outcomes:
        if outcome.verdict is Verdict.FAILED:
            lines.append(f"FAIL {outcome.row.id}: {outcome.why}")
        elif outcome.verdict is Verdict.SKIPPED:
            lines += [f"SKIP {outcome.row.id}: {outcome.why}"] if verbose else []
        elif verbose:
            lines.append(f"PASS {outcome.row.id}{_by(outcome)}")
    count = _counts(outcomes, complaints)
    closing = ", ".join(f"{count[verdict]} {verdict.value}" for verdict in Verdict)
    return "\n".join([*lines, closing]) + "\n"


def _as_json(outcomes: Sequence[Outcome], complaints: Sequence[str]) -> str:
    count = _counts(outcomes, complaints)
    rows = [
        {
            "file": outcome.row.file,
            "id": outcome.row.id,
            "verdict": outcome.verdict.value,
            "why": outcome.why or None,
            "decision": outcome.decision.line if outcome.decision else None,
        }
        for outcome in outcomes
    ]
    counted = {verdict.value: count[verdict] for verdict in Verdict}
    return json.dumps({**counted, "errors": list(complaints), "rows": rows}, indent=1) + "\n"


def _counts(outcomes: Sequence[Outcome], complaints: Sequence[str]) -> Counter[Verdict]:
    counted = Counter(outcome.verdict for outcome in outcomes)
    counted[Verdict.FAILED] += len(complaints)
    return counted


def _by(outcome: Outcome) -> str:
    if outcome.decision is None:
        return ""
    return f" (decided by {outcome.decision.line}: {outcome.decision.why})"


if __name__ == "__main__":
    sys.exit(main())
