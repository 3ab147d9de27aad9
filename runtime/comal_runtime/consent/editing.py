"""Editing: an approver changes what its route lets them change, and everybody is asked again."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from ..call import Registered
from ..record import Question, QuestionKind, Transaction
from ..schema import CompiledSchema
from .directory import Directory
from .masking import holds_masked, masked_pointers
from .question import show, tell
from .seal import sealed
from .terms import Terms
from .votes import Answer, Changed, Verdict, admit

Change = tuple[str, Any, Any]
"""An argument's name, what it was and what it became."""

_SHARED: Final = ("$defs", "definitions", "$schema")
_ABSENT: Final = object()


class Flaw(StrEnum):
    """What is wrong with an edit that somebody wrote."""

    NO_LINE = "no_line"
    TWICE = "twice"
    FIXED = "fixed"
    REFUSED = "refused"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Flawed:
    """Why an edit cannot be used; `about` is the line or the name, `why` what was wrong with it."""

    flaw: Flaw
    about: str = ""
    why: str = ""


def editable_in(asked: Question) -> Mapping[str, Mapping[str, Any]]:
    """Return what of a question's call may be changed, and how.

    Nothing where nobody could agree to it at the end; nothing of a repetition, whose idempotency
    key stands for the very call that may have been done. No argument that holds a secret: an
    edit tells everybody what it was and what it became.
    """
    if asked.tool is None or asked.principal is None or asked.repeats is not None:
        return {}
    masked = json.loads(asked.masked)
    editable = Terms.read(asked.route).editable
    return {name: how for name, how in editable.items() if not holds_masked(name, masked)}


def read_edit(text: str, asked: Question, registered: Registered) -> Mapping[str, Any] | Flawed:
    """Read lines such as `amount = 50` as new values of arguments.

    A value is JSON or, where only that fits, bare text; it must fit what the question's route
    allows of its argument, and the tool's own schema of it.
    """
    editable = editable_in(asked)
    given: dict[str, Any] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not name:
            return Flawed(Flaw.NO_LINE, line)
        if name in given:
            return Flawed(Flaw.TWICE, name)
        if name not in editable:
            return Flawed(Flaw.FIXED, name)
        found = _value(name, value, editable[name], registered)
        if isinstance(found, Flawed):
            return found
        given[name] = found[0]
    return given if _differs(given, asked) else Flawed(Flaw.SAME)


def succeed(asked: Question, fresh: Question) -> Question:
    """Return `fresh`, a question about a changed call, as the one that takes `asked`'s place.

    It stands for the same call of the same turn, and its requester must agree at the end.
    """
    terms = replace(Terms.read(fresh.route), requester_agrees=True)
    return sealed(
        replace(
            fresh,
            kind=QuestionKind.VERIFICATION,
            origin=asked.origin,
            request_id=asked.request_id,
            call_key=asked.call_key,
            idempotency_key=asked.idempotency_key,
            route=terms.to_json(),
            secret_hash=None,
            supersedes=asked.id,
            repeats=asked.repeats,
        )
    )


async def supersede(
    tx: Transaction, fresh: Question, given: Answer, directory: Directory, changed: Changed
) -> Verdict | None:
    """Ask `fresh`, as `given.voter` edited it, instead of what it supersedes; None when it is done.

    Whoever may say yes now may edit. The votes that were given were about another call and are
    left with it.
    """
    old = fresh.supersedes or ""
    refusal, _ = await admit(tx, old, given, directory, changed)
    if refusal is not None:
        return refusal
    if not await tx.questions.replace(old, by=fresh.id, editor=given.voter, now=given.at):
        return Verdict.DECIDED_BEFORE
    if not await tx.questions.open(sealed(replace(fresh, edited_by=given.voter))):
        raise RuntimeError("the question of an edited call can be neither stored nor found")
    tx.defer(show(fresh.id))
    tx.defer(tell(old))
    return None


def changes_between(old: Question, new: Question) -> tuple[Change, ...]:
    """Return what an edit changed, argument by argument."""
    before, after = json.loads(old.args), json.loads(new.args)
    names = [*before, *(name for name in after if name not in before)]
    return tuple(
        (name, before.get(name), after.get(name))
        for name in names
        if not _is_one(before.get(name, _ABSENT), after.get(name, _ABSENT))
    )


def _differs(given: Mapping[str, Any], asked: Question) -> bool:
    args = json.loads(asked.args)
    return any(not _is_one(args.get(name, _ABSENT), value) for name, value in given.items())


def _is_one(old: object, new: object) -> bool:
    """Tell whether two values are the same as JSON, where 1, 1.0 and true are three."""
    if old is _ABSENT or new is _ABSENT:
        return old is new
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _value(
    name: str, written: str, bounds: Mapping[str, Any], registered: Registered
) -> tuple[Any] | Flawed:
    """Return the value that was written, alone in a tuple; the first way to read it that fits."""
    allowed = CompiledSchema(_about(name, bounds, bounds))
    schema = registered.tool.input_schema
    own = CompiledSchema(_about(name, schema.get("properties", {}).get(name, {}), schema))
    first: Flawed | None = None
    for value in _readings(written):
        faults = allowed.faults({name: value}) or own.faults({name: value})
        if not faults and masked_pointers(schema, {name: value}):
            return Flawed(Flaw.REFUSED, name, "it would hold a secret")
        if not faults:
            return (value,)
        first = first or Flawed(Flaw.REFUSED, name, faults[0].message)
    return first or Flawed(Flaw.REFUSED, name)


def _about(name: str, inner: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object in which only one property is looked at."""
    shared = {word: root[word] for word in _SHARED if word in root}
    return {**shared, "type": "object", "properties": {name: inner}}


def _readings(written: str) -> Iterator[Any]:
    with suppress(ValueError, RecursionError):
        yield json.loads(written)
    yield written
