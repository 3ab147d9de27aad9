"""The demo shop's tools: what they change, what they refuse, and that a key counts once."""

from pathlib import Path

import pytest

from comal_bot.simulator import shop
from comal_bot.simulator.ledger import CUSTOMERS, ForeignFile, labels, ledger, refunds, start_over
from comal_runtime.context import ToolContext
from comal_runtime.errors import ToolError
from comal_runtime.progress import Progress
from comal_runtime.result import ErrorCode
from comal_runtime.scanner import tools_of


def ctx(key: str | None = None) -> ToolContext:
    return ToolContext(principal="telegram:1001", idempotency_key=key)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(shop.SHOP_FOLDER, str(tmp_path))
    return tmp_path


def order(number: int) -> dict[str, object]:
    return next(one for one in shop.list_orders() if one["id"] == number)


def test_the_shop_opens_with_three_notes_and_eight_orders():
    assert [note["id"] for note in shop.list_notes()] == [1, 2, 3]
    assert [one["id"] for one in shop.list_orders()] == list(range(1001, 1009))


def test_without_the_demos_folder_no_tool_runs(monkeypatch):
    monkeypatch.delenv(shop.SHOP_FOLDER)

    with pytest.raises(ToolError, match="COMAL_DEMO_DATA is not set"):
        shop.list_notes()


def test_a_database_of_somebody_else_is_left_alone(folder):
    other = folder / shop.SHOP_FILE
    with ledger(other) as db:
        db.execute("PRAGMA application_id = 7")
    before = other.read_bytes()

    with pytest.raises(ForeignFile, match="not the demo's"):
        shop.list_notes()
    assert other.read_bytes() == before


def test_a_deleted_note_is_gone_and_its_number_is_not_given_again():
    assert shop.delete_note(ctx(), 3) == {"id": 3, "text": "Blue corn tortillas sell out by noon"}

    assert shop.add_note(ctx(), " buy limes ") == {"id": 4, "text": "buy limes"}
    assert [note["id"] for note in shop.list_notes()] == [1, 2, 4]


def test_a_note_that_is_not_there_cannot_be_deleted():
    with pytest.raises(ToolError) as refused:
        shop.delete_note(ctx("k"), 99)

    assert refused.value.code == ErrorCode.NOT_FOUND
    assert "99" in str(refused.value)


def test_deleting_again_under_the_same_key_answers_the_same_and_deletes_nothing_more():
    first = shop.delete_note(ctx("k"), 1)

    assert shop.delete_note(ctx("k"), 1) == first
    assert len(shop.list_notes()) == 2


def test_a_refund_without_an_amount_pays_back_what_is_left():
    shop.refund_order(ctx(), 1007, 14.5)

    paid = shop.refund_order(ctx(), 1007)

    assert paid["paid_back"] == 50.0
    assert order(1007)["status"] == "refunded"


@pytest.mark.parametrize("amount", [0, -1, 64.51, 1e9, 1e300, -1e308, float("inf"), float("nan")])
def test_more_than_is_left_or_nothing_at_all_cannot_be_paid_back(amount):
    with pytest.raises(ToolError) as refused:
        shop.refund_order(ctx(), 1007, amount)

    assert refused.value.code == ErrorCode.VALIDATION_ERROR
    assert order(1007)["refunded"] == 0


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**40])
def test_a_number_that_no_row_can_have_is_not_found(number):
    for tool in (shop.delete_note, shop.refund_order):
        with pytest.raises(ToolError) as refused:
            tool(ctx("k"), number)
        assert refused.value.code == ErrorCode.NOT_FOUND


def test_labels_are_printed_once_under_a_key(monkeypatch, folder):
    monkeypatch.setattr(shop, "_BETWEEN_LABELS", 0)

    assert [shop.print_labels(ctx("k")) for _ in range(2)] == [{"printed": 12}] * 2
    with ledger(folder / shop.SHOP_FILE) as db:
        assert labels(db) == 12


def test_starting_over_brings_back_what_was_there_and_counts_notes_from_the_start(folder):
    shop.delete_note(ctx("k"), 1)
    shop.add_note(ctx(), "buy limes")
    shop.refund_order(ctx(), 1001)

    with ledger(folder / shop.SHOP_FILE) as db:
        start_over(db)

    assert [note["id"] for note in shop.list_notes()] == [1, 2, 3]
    assert order(1001)["status"] == "paid"
    assert shop.add_note(ctx(), "buy limes")["id"] == 4
    assert shop.delete_note(ctx("k"), 2)["id"] == 2


@pytest.mark.parametrize("number", [4711, -1, 0])
def test_an_order_that_is_not_there_cannot_be_refunded(number):
    with pytest.raises(ToolError) as refused:
        shop.refund_order(ctx(), number)

    assert refused.value.code == ErrorCode.NOT_FOUND


def test_a_refund_under_the_same_key_is_paid_once(folder):
    first = shop.refund_order(ctx("k"), 1001, 5)

    assert shop.refund_order(ctx("k"), 1001, 5) == first
    assert order(1001)["refunded"] == 5.0
    with ledger(folder / shop.SHOP_FILE) as db:
        assert refunds(db) == 1


async def test_a_broadcast_reports_each_customer_and_ends_with_its_result(monkeypatch):
    monkeypatch.setattr(shop, "_BETWEEN_LETTERS", 0)

    told = [part async for part in shop.broadcast(ctx("k"), "shop closes at six")]

    assert [part.done for part in told[:-1] if isinstance(part, Progress)] == list(
        range(1, len(CUSTOMERS) + 1)
    )
    assert told[-1] == {"sent": 12, "text": "shop closes at six"}


async def test_a_broadcast_that_is_repeated_under_its_key_reaches_nobody_twice(monkeypatch, folder):
    monkeypatch.setattr(shop, "_BETWEEN_LETTERS", 0)
    for _ in range(2):
        async for _ in shop.broadcast(ctx("k"), "hello"):
            pass

    with ledger(folder / shop.SHOP_FILE) as db:
        assert db.execute("SELECT COUNT(*) FROM letters").fetchone()[0] == 12


def test_what_changes_something_is_declared_as_mutating():
    tools = {tool.name: tool.options.mutating for tool in tools_of(shop)}

    assert tools == {
        "list_notes": False,
        "add_note": True,
        "delete_note": True,
        "list_orders": False,
        "refund_order": True,
        "broadcast": True,
        "print_labels": True,
    }
