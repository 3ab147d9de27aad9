"""`comal acts list` and `show`: acts, read from the record without changing it."""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from comal_bot.hiding import hidden_in
from comal_bot.people import PeopleDirectory
from comal_bot.settings import load_settings
from comal_bot.tooling import directory
from comal_renderers.concealing import masked
from comal_renderers.visible import visible
from comal_runtime.consent.masking import with_masks
from comal_runtime.consent.settling import SERVICE
from comal_runtime.record import Act, ActState, Question, Repositories
from comal_runtime.record.sqlite import SqliteSql
from comal_runtime.redact import redact, redact_text
from comal_runtime.stations.lost import stored_result

from ..beginning import one_act
from ..complaints import complain
from ..opening import opened
from ..printing import print_cut, print_json, print_text

_MOST: Final = 500
_INDENT: Final = 10


def show_acts(
    config: Path | None, data: Path | None, *, state: ActState | None, as_json: bool
) -> None:
    """Print acts, a few lines each. Whoever may read the record's file may do so.

    Raises:
        CommandFailed: There is no record to read.
    """
    settings = load_settings(config, data=data)
    people, found = directory(settings), asyncio.run(_read(settings.data.path, state))
    if as_json:
        print_json([as_dict(act, question) for act, question in found])
    elif found:
        for act, question in found:
            print_text(f"{act.key[:8]}  {_stands(act, people)}")
            print_cut(_call(act, question), indent=_INDENT)
    else:
        complain("there are no acts" if state is None else f"no act is {state}")
    if len(found) == _MOST:
        complain(f"only the newest {_MOST} acts were read")


def show_one(key: str, config: Path | None, data: Path | None, *, as_json: bool) -> None:
    """Print one act whole, secrets masked. Whoever may read the record's file may do so.

    Raises:
        CommandFailed: There is no record to read, or no such act.
    """
    settings = load_settings(config, data=data)
    people, (act, question) = directory(settings), asyncio.run(_one(settings.data.path, key))
    if as_json:
        print_json(as_dict(act, question))
        return
    for line in _lines(act, question, people):
        print_text(line)


def as_dict(act: Act, question: Question | None) -> dict[str, object]:
    """Return an act as JSON-shaped data, secrets masked; times are epoch seconds."""
    return {
        "key": act.key,
        "question": act.question,
        "tool": act.tool,
        "args": _arguments(act, question),
        "requester": act.principal,
        "state": act.state,
        "attempt": act.attempt,
        "idempotencyKey": act.idempotency_key,
        "result": None if act.result is None else _told(act, question),
        "reason": act.reason,
        "createdAt": act.created_at,
        "startedAt": act.started_at,
        "endedAt": act.ended_at,
        "askedAgainAt": act.ask_at,
        "settledBy": act.settled_by,
        "settledAt": act.settled_at,
        "leftBy": act.left_by,
        "leftAt": act.left_at,
        "repeats": None if question is None else question.repeats,
    }


async def _read(path: Path, state: ActState | None) -> list[tuple[Act, Question | None]]:
    with opened(path) as connection:
        stored = Repositories(SqliteSql(connection), lambda: None)
        acts = await stored.acts.recent(state=state, limit=_MOST)
        return [(act, await stored.questions.get(act.key)) for act in acts]


async def _one(path: Path, key: str) -> tuple[Act, Question | None]:
    with opened(path) as connection:
        stored = Repositories(SqliteSql(connection), lambda: None)
        act = await one_act(stored, key)
        return act, await stored.questions.get(act.key)


def _arguments(act: Act, question: Question | None) -> Mapping[str, object]:
    hidden = () if question is None else json.loads(question.masked)
    shown = redact(with_masks(json.loads(act.args), hidden))
    assert isinstance(shown, dict)
    return shown


def _call(act: Act, question: Question | None) -> str:
    pairs = _arguments(act, question).items()
    shown = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in pairs)
    return visible(f"{act.tool}({shown})")


def _told(act: Act, question: Question | None) -> str:
    """Say what came of an act, without what its cards hide and what looks like a secret."""
    result = stored_result(act)
    said = result.error or result.message or json.dumps(result.data, ensure_ascii=False)
    return redact_text(masked(said, hidden_in(question)))


def _stands(act: Act, people: PeopleDirectory) -> str:
    """Say how an act stands, and who says so where somebody does."""

    def named(principal: str) -> str:
        known = "the service" if principal == SERVICE else people.name(principal)
        return known or principal

    said = act.state.replace("_", " ")
    if act.settled_by is not None:
        said += f", says {named(act.settled_by)}"
    if act.left_by is not None:
        said += f", left so by {named(act.left_by)}"
    return f"{said}; asked for by {'nobody' if act.principal is None else named(act.principal)}"


def _lines(act: Act, question: Question | None, people: PeopleDirectory) -> Iterator[str]:
    yield f"{act.key}  {_stands(act, people)}"
    yield _call(act, question)
    if act.result is not None:
        yield f"result: {visible(_told(act, question))}"
    if act.reason is not None:
        yield f"reason: {act.reason}"
    times = (("created", act.created_at), ("started", act.started_at), ("ended", act.ended_at))
    for name, at in (*times, ("settled", act.settled_at), ("left", act.left_at)):
        if at is not None:
            yield f"{name}: {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(at))}"
    yield f"attempt {act.attempt}, idempotency key {act.idempotency_key}"
    if question is not None and question.repeats is not None:
        yield f"does again act {question.repeats}"
