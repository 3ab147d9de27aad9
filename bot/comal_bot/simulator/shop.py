"""The demo's tools: a small shop with notes, orders, refunds and letters to customers."""

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Final

from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.progress import Progress
from comal_runtime.result import ErrorCode
from comal_runtime.tools import Param, tool

from .ledger import CUSTOMERS, ledger, notes, once, order_view, orders, storable

SHOP_FOLDER: Final = "COMAL_DEMO_DATA"
SHOP_FILE: Final = "shop.db"
READ: Final = ("shop:read",)
WRITE: Final = ("shop:write",)
_BETWEEN_LETTERS = 0.5  # seconds; twelve letters make a tool worth watching
_BETWEEN_LABELS = 0.25  # seconds; twelve labels take three
_MOST_PAID = 1e9  # far above any order, so that cents stay exact


def shop_file() -> Path:
    """Return where the shop keeps its data.

    Raises:
        ToolError: Not under `comal demo`, so there is no shop.
    """
    folder = os.environ.get(SHOP_FOLDER)
    if not folder:
        raise ToolError(f"{SHOP_FOLDER} is not set; these tools belong to `comal demo`")
    return Path(folder) / SHOP_FILE


@tool(scopes=READ)
def list_notes() -> list[dict[str, object]]:
    """List the shop's notes."""
    with ledger(shop_file()) as db:
        return notes(db)


@tool(scopes=WRITE, mutating=True)
def add_note(
    ctx: ToolContext, text: Annotated[str, Param("What to remember.")]
) -> dict[str, object]:
    """Add a note."""
    words = text.strip()
    if not words:
        raise ToolError("a note needs a text", ErrorCode.VALIDATION_ERROR)
    with ledger(shop_file()) as db:

        def write() -> dict[str, object]:
            added = db.execute("INSERT INTO notes (text) VALUES (?)", (words,))
            return {"id": added.lastrowid, "text": words}

        return once(db, ctx.idempotency_key, write)


@tool(scopes=WRITE, mutating=True)
def delete_note(
    ctx: ToolContext, note_id: Annotated[int, Param("The note's number.")]
) -> dict[str, object]:
    """Delete a note."""
    if not storable(note_id):
        raise ToolError(f"there is no note {note_id}", ErrorCode.NOT_FOUND)
    with ledger(shop_file()) as db:

        def erase() -> dict[str, object]:
            row = db.execute("DELETE FROM notes WHERE id = ? RETURNING text", (note_id,)).fetchone()
            if row is None:
                raise ToolError(f"there is no note {note_id}", ErrorCode.NOT_FOUND)
            return {"id": note_id, "text": row["text"]}

        return once(db, ctx.idempotency_key, erase)


@tool(scopes=READ)
def list_orders() -> list[dict[str, object]]:
    """List the shop's orders."""
    with ledger(shop_file()) as db:
        return orders(db)


@tool(scopes=WRITE, mutating=True)
def refund_order(
    ctx: ToolContext,
    order_id: Annotated[int, Param("The order's number.")],
    amount: Annotated[float | None, Param("How much; all that is left if not given.")] = None,
) -> dict[str, object]:
    """Pay an order back, in whole or in part."""
    if not storable(order_id):
        raise ToolError(f"there is no order {order_id}", ErrorCode.NOT_FOUND)
    if amount is not None and not -_MOST_PAID <= amount <= _MOST_PAID:
        raise ToolError("no order is that large, so nothing was paid", ErrorCode.VALIDATION_ERROR)
    with ledger(shop_file()) as db:
        return once(db, ctx.idempotency_key, lambda: _refund(db, ctx, order_id, amount))


def _refund(
    db: sqlite3.Connection, ctx: ToolContext, order_id: int, amount: float | None
) -> dict[str, object]:
    row = db.execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    if row is None:
        raise ToolError(f"there is no order {order_id}", ErrorCode.NOT_FOUND)
    left = int(row["cents"]) - int(row["refunded"])
    cents = left if amount is None else round(amount * 100)
    if not 0 < cents <= left:
        raise ToolError(
            f"order {order_id} has {left / 100:.2f} left to refund, so "
            f"{cents / 100:.2f} cannot be paid back",
            ErrorCode.VALIDATION_ERROR,
        )
    db.execute("UPDATE orders SET refunded = refunded + ? WHERE id = ?", (cents, order_id))
    db.execute(
        "INSERT INTO refunds (order_id, cents, key) VALUES (?, ?, ?)",
        (order_id, cents, ctx.idempotency_key),
    )
    newer = db.execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    return {"paid_back": cents / 100, "order": order_view(newer)}


@tool(scopes=WRITE, mutating=True, timeout=12.0)
async def broadcast(
    ctx: ToolContext, text: Annotated[str, Param("What the customers read.")]
) -> AsyncIterator[Progress | dict[str, object]]:
    """Write to every customer of the shop; takes some seconds."""
    words = text.strip()
    if not words:
        raise ToolError("a broadcast needs a text", ErrorCode.VALIDATION_ERROR)
    path, total = shop_file(), len(CUSTOMERS)
    for done, customer in enumerate(CUSTOMERS, start=1):
        await asyncio.sleep(_BETWEEN_LETTERS)
        await asyncio.to_thread(_post, path, ctx.idempotency_key, customer, words)
        yield Progress(done, total, customer)
    yield {"sent": total, "text": words}


@tool(scopes=WRITE, mutating=True, timeout=4.0)
def print_labels(ctx: ToolContext) -> dict[str, object]:
    """Print an address label for every customer; takes about three seconds."""
    path = shop_file()
    for customer in CUSTOMERS:
        time.sleep(_BETWEEN_LABELS)
        with ledger(path) as db:
            db.execute(
                "INSERT INTO labels (customer, key) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (customer, ctx.idempotency_key),
            )
    return {"printed": len(CUSTOMERS)}


def _post(path: Path, key: str | None, customer: str, text: str) -> None:
    with ledger(path) as db:
        db.execute(
            "INSERT INTO letters (customer, text, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (customer, text, key),
        )
