"""Results: pages are counted, and a call that asks is told from one that did."""

import pytest

from comal_runtime import ErrorCode, ToolResult
from comal_runtime.result import asks_for_confirmation


@pytest.mark.runtime_line(55)
@pytest.mark.parametrize(
    ("page", "total", "pages", "has_prev", "has_next"),
    [
        (1, 0, 0, False, False),
        (1, 10, 1, False, False),
        (1, 11, 2, False, True),
        (2, 11, 2, True, False),
        (1, 10**30 + 1, 10**29 + 1, False, True),
    ],
)
def test_pages_are_counted_up_to_the_last_item(page, total, pages, has_prev, has_next):
    pagination = ToolResult.paginated([], page=page, total=total, limit=10).meta["pagination"]

    assert pagination == {
        "page": page,
        "total_pages": pages,
        "total_items": total,
        "limit": 10,
        "has_prev": has_prev,
        "has_next": has_next,
    }


@pytest.mark.runtime_line(55)
@pytest.mark.original_fault("TR:paginated-limit-0")
@pytest.mark.parametrize("limit", [0, -1])
def test_a_page_of_less_than_one_item_raises_and_says_so(limit):
    with pytest.raises(ValueError, match=f"at least 1, not {limit}"):
        ToolResult.paginated([], page=1, total=5, limit=limit)


@pytest.mark.runtime_line(53)
@pytest.mark.parametrize("asks", [True, False])
def test_the_result_its_dict_and_its_json_agree_whether_it_asks(asks):
    result = ToolResult.confirmation("Sure?") if asks else ToolResult.success({"plan": "confirm"})

    told = [asks_for_confirmation(form) for form in (result, result.to_dict(), result.to_json())]

    assert told == [asks] * 3


@pytest.mark.original_fault("TR:confirm-token-nonstring")
def test_what_is_no_text_is_no_confirm_token():
    assert ToolResult.success({"confirm_token": 5}).confirm_token is None


@pytest.mark.runtime_line(52)
@pytest.mark.parametrize(
    ("result", "ok", "type_", "code"),
    [
        (ToolResult.success(1), True, "generic", None),
        (ToolResult.error("no", code=ErrorCode.CANCELLED), False, "error", "CANCELLED"),
        (ToolResult.paginated([1], page=1, total=1, limit=1), True, "list", None),
        (ToolResult.detail({"id": 1}), True, "detail", None),
        (ToolResult.confirmation("Sure?"), True, "confirmation", None),
        (ToolResult.pending("Waiting"), True, "pending", None),
        (ToolResult.blocked("no", "ask"), False, "blocked", None),
    ],
)
def test_each_factory_makes_its_kind_of_result(result, ok, type_, code):
    assert (result.success, result.type, result.code) == (ok, type_, code)
    assert set(result.to_dict()) == {"success", "data", "message", "error", "meta"}


@pytest.mark.runtime_line(52)
def test_there_are_twelve_codes_and_each_is_its_own_name():
    assert [str(code) for code in ErrorCode] == [code.name for code in ErrorCode]
    assert len(ErrorCode) == 12


class NoText:
    """What cannot be turned into text."""

    def __repr__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    "data",
    [NoText(), {"a": NoText()}, {(1, 2): 3}, 10**5000],
    ids=["no text", "no text inside", "a key", "a large number"],
)
def test_what_json_lacks_is_named_and_never_raised(data):
    told = ToolResult(True, data, "done").to_json()

    assert '"message": "done"' in told


def test_data_that_holds_itself_is_named_and_never_raised():
    data: dict[str, object] = {}
    data["self"] = data

    assert "that JSON cannot hold" in ToolResult.success(data).to_json()
