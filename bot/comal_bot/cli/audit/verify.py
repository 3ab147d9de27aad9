"""`comal audit verify` and `heads`: whether the records are those that were written."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import typer

from comal_bot.auditing import audit_key
from comal_bot.settings import Settings, load_settings
from comal_runtime.audit import BadAuditKey, Head, Problem, Report, Verifier, key_from_file
from comal_runtime.record import Sought
from comal_runtime.record.audit import Audit
from comal_runtime.record.sqlite import SqliteSql

from ..complaints import CommandFailed, complain
from ..opening import opened
from ..printing import print_json, print_text
from .export import counting
from .seeking import pages

_TOLD = 20  # problems that are printed


def verify_record(
    config: Path | None,
    data: Path | None,
    key_files: Sequence[Path],
    heads: Sequence[str],
    *,
    as_json: bool,
) -> bool:
    """Check every record and print what was found; tell whether all of it holds.

    Raises:
        CommandFailed: There is no record to read, or no key to verify it with.
    """
    settings = load_settings(config, data=data)
    noted = [_head(text) for text in heads]
    report = asyncio.run(_verify(settings, key_files, noted))
    if as_json:
        print_json(_as_dict(report))
    else:
        _print(report)
    return report.whole


def show_heads(config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print the heads that no later chain holds.

    Raises:
        CommandFailed: There is no record to read.
    """
    path = load_settings(config, data=data).data.path
    heads = asyncio.run(_heads(path))
    if as_json:
        print_json([str(head) for head in heads])
    elif heads:
        for head in heads:
            typer.echo(str(head))
    else:
        complain("no chain has begun; the first call begins it")


async def _heads(path: Path) -> list[Head]:
    with opened(path) as connection:
        chains = await Audit(SqliteSql(connection)).unfollowed()
    return [Head(chain.id, chain.last, chain.mac) for chain in chains]


async def _verify(settings: Settings, files: Sequence[Path], heads: Sequence[Head]) -> Report:
    everything = Sought()
    with opened(settings.data.path) as connection:
        keys = _keys(settings, files)
        connection.execute("BEGIN")  # all of one moment, while the host goes on
        audit = Audit(SqliteSql(connection))
        verifier = Verifier(keys, await audit.chains(), heads)
        with counting("verifying", await audit.count(everything)) as advance:
            async for page in pages(audit, everything):
                for filed in page:
                    verifier.take(filed)
                advance(len(page))
    return verifier.finish()


def _keys(settings: Settings, files: Sequence[Path]) -> list[bytes]:
    try:
        if files:
            return [key_from_file(file) for file in files]
        return [audit_key(settings)]
    except BadAuditKey as error:
        raise CommandFailed(f"{error}; --key-file names another") from error


def _head(text: str) -> Head:
    try:
        return Head.read(text)
    except ValueError as error:
        raise typer.BadParameter(
            f"--head is {text!r}; it reads CHAIN:PLACE:MAC, as `comal audit heads` prints it"
        ) from error


def _print(report: Report) -> None:
    counted = f"{_several(report.records, 'record')} on {_several(report.chains, 'chain')}"
    if report.before:
        counted += f", {report.before} of them older than the chains"
    if report.args_removed:
        counted += f"; the arguments of {report.args_removed} were taken out later"
    if report.whole:
        print_text(f"whole: {counted}")
        return
    first, *rest = report.problems
    print_text(f"broken: {_told(first)}")
    for problem in rest[: _TOLD - 1]:
        print_text(f"also: {_told(problem)}")
    more = len(rest) - (_TOLD - 1) + report.more
    if more > 0:
        print_text(f"and {more} more")
    print_text(f"read: {counted}")


def _several(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _told(problem: Problem) -> str:
    where = []
    if problem.chain is not None:
        where.append(f"chain {problem.chain}")
    if problem.place is not None:
        where.append(f"place {problem.place}")
    about = "the record" if problem.seq is None else f"record {problem.seq}"
    if problem.seq is None and problem.chain is not None:
        about = where.pop(0)
    placed = f" ({', '.join(where)})" if where else ""
    return f"{about}{placed} {problem.text} [{problem.breach}]"


def _as_dict(report: Report) -> dict[str, object]:
    told = [
        {
            "breach": str(problem.breach),
            "text": problem.text,
            "seq": problem.seq,
            "chain": problem.chain,
            "place": problem.place,
        }
        for problem in report.problems
    ]
    return {
        "whole": report.whole,
        "records": report.records,
        "chains": report.chains,
        "olderThanChains": report.before,
        "argumentsRemoved": report.args_removed,
        "firstBroken": told[0] if told else None,
        "problems": told,
        "moreProblems": report.more,
        "heads": [str(head) for head in report.heads],
    }
