"""Rows with defaults, for the contracts."""

from typing import Any

from comal_runtime.record import (
    Act,
    ActState,
    AuditRecord,
    Card,
    Claim,
    Entry,
    Job,
    Outgoing,
    Question,
    QuestionKind,
    QuestionState,
    Record,
    Turn,
    Vote,
)

NOW = 1_796_040_000.0


def question(key: str = "q1", **changes: Any) -> Question:
    fields: dict[str, Any] = {
        "id": key,
        "kind": QuestionKind.CONFIRMATION,
        "state": QuestionState.OPEN,
        "tool": "wipe",
        "definition_digest": "d",
        "args": '{"disk":"a"}',
        "args_digest": "a",
        "subject": None,
        "summary": 'wipe(disk="a")',
        "principal": "telegram:1",
        "channel": "telegram",
        "conversation": "c1",
        "origin": "human",
        "request_id": "r1",
        "call_key": None,
        "secret_hash": f"hash of {key}",
        "route": None,
        "idempotency_key": key,
        "created_at": NOW,
        "expires_at": NOW + 60,
        **changes,
    }
    return Question(**fields)


def act(key: str = "q1", **changes: Any) -> Act:
    fields: dict[str, Any] = {
        "key": key,
        "question": None,
        "tool": "wipe",
        "args": "{}",
        "args_digest": "a",
        "principal": "telegram:1",
        "channel": "telegram",
        "conversation": "c1",
        "state": ActState.APPROVED,
        "execute_by": NOW + 3600,
        "idempotency_key": key,
        "created_at": NOW,
        **changes,
    }
    return Act(**fields)


def claim(**changes: Any) -> Claim:
    fields: dict[str, Any] = {
        "instance": "worker",
        "boot_id": "boot-1",
        "boot": 1000.0,
        "deadline_boot": 1035.0,
        "deadline_at": NOW + 35,
        "now": NOW,
        **changes,
    }
    return Claim(**fields)


def vote(person: str = "Ana", **changes: Any) -> Vote:
    fields: dict[str, Any] = {
        "question": "q1",
        "person": person,
        "identity": f"telegram:{person}",
        "choice": "yes",
        "reason": None,
        "at": NOW,
        **changes,
    }
    return Vote(**fields)


def job(key: str = "k1", lane: str = "lane", kind: str = "tell") -> Job:
    return Job(kind=kind, lane=lane, key=key)


def turn(key: str = "t1", **changes: Any) -> Turn:
    fields: dict[str, Any] = {
        "id": key,
        "conversation": "c1",
        "principal": "telegram:1",
        "channel": "telegram",
        "origin_event": f"event of {key}",
        "state": "running",
        "reason": None,
        "step": 0,
        "epoch": 0,
        "stop": False,
        "started_at": NOW,
        **changes,
    }
    return Turn(**fields)


def entry(step: int = 0, place: int = 0, body: str = "{}", turn: str = "t1") -> Entry:
    return Entry(turn=turn, step=step, place=place, role="user", body=body)


def outgoing(idempotency: str = "m1", **changes: Any) -> Outgoing:
    fields: dict[str, Any] = {
        "idempotency": idempotency,
        "channel": "main",
        "chat": "5",
        "body": "{}",
        **changes,
    }
    return Outgoing(**fields)


def card(key: str = "card1", **changes: Any) -> Card:
    fields: dict[str, Any] = {
        "id": key,
        "question": "q1",
        "role": "requester",
        "channel": "main",
        "chat": "5",
        "created_at": NOW,
        **changes,
    }
    return Card(**fields)


def audited(request_id: str = "r1", **changes: Any) -> AuditRecord:
    fields: dict[str, Any] = {
        "at": NOW,
        "request_id": request_id,
        "ip": None,
        "channel": "cli",
        "principal": None,
        "conversation": None,
        "origin": "human",
        "tool": "wipe",
        "decision": "executed",
        "code": None,
        "took_ms": 1.5,
        "output_bytes": 10,
        "args": "{}",
        "args_digest": "a",
        "question": None,
        **changes,
    }
    return AuditRecord(**fields)


async def stored_question(record: Record, key: str = "q1", **changes: Any) -> Question:
    """Store a question and return it."""
    row = question(key, **changes)
    async with record.transaction() as tx:
        assert await tx.questions.open(row)
    return row


async def stored_act(record: Record, key: str = "q1", **changes: Any) -> Act:
    """Store an act and return it."""
    row = act(key, **changes)
    async with record.transaction() as tx:
        assert await tx.acts.open(row)
    return row
