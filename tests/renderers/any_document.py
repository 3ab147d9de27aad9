"""Documents, results and channels of every shape."""

from typing import Any

from hypothesis import strategies as st

from comal_renderers import (
    Action,
    Block,
    ButtonLimits,
    Code,
    Descriptor,
    Divider,
    Document,
    Field,
    Fields,
    Heading,
    Item,
    List,
    Notice,
    Quote,
    Rich,
    Span,
    Table,
    Text,
)
from comal_renderers.measuring import size
from comal_runtime.result import ToolResult

LETTERS = "ab1 .\n\t\r*_~`[]()<>!#|-+=>:/\\&;@x\x00\x1b\x9b\ud800日👩\u200d👧\u0301🇲\u202e\u00a0"
WORDS = st.text(alphabet=LETTERS, max_size=40) | st.text(st.characters(), max_size=20)
LINKS = st.sampled_from(
    [None, "https://a.example/", "https://a.example/(b)|<c> d", "javascript:alert(1)", "http://["]
)
STYLES = st.frozensets(
    st.sampled_from(["bold", "italic", "underline", "strike", "code", "spoiler"]), max_size=2
)
SPANS = st.builds(Span, text=WORDS, styles=STYLES, link=LINKS)
INLINE = WORDS | st.builds(Rich, spans=st.lists(SPANS, max_size=4).map(tuple))
CELLS = st.lists(INLINE, max_size=3).map(tuple)
LEAVES: st.SearchStrategy[Block] = st.one_of(
    st.builds(Text, content=INLINE),
    st.builds(Heading, content=INLINE, level=st.integers(0, 7)),
    st.builds(Code, text=WORDS, language=st.none() | WORDS),
    st.builds(Divider),
    st.builds(Notice, content=INLINE, tone=st.sampled_from(["info", "error"])),
    st.builds(Table, header=CELLS, rows=st.lists(CELLS, max_size=3).map(tuple)),
    st.builds(
        Fields,
        fields=st.lists(
            st.builds(Field, label=WORDS, value=INLINE | st.builds(Code, text=WORDS)), max_size=3
        ).map(tuple),
    ),
)


def _nested(inner: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    blocks = st.lists(inner, max_size=3).map(tuple)
    items = st.builds(Item, blocks=blocks, checked=st.none() | st.booleans())
    return st.builds(Quote, blocks=blocks) | st.builds(
        List,
        items=st.lists(items, max_size=3).map(tuple),
        ordered=st.booleans(),
        start=st.integers(-2, 10**12),
    )


BLOCKS = st.recursive(LEAVES, _nested, max_leaves=6)
ACTIONS = st.builds(
    Action,
    label=WORDS,
    data=st.text(max_size=80),
    link=LINKS,
    code=st.none() | st.just("K7Q2"),
)
DOCUMENTS = st.builds(
    Document,
    blocks=st.lists(BLOCKS, max_size=5).map(tuple),
    actions=st.lists(ACTIONS, max_size=4).map(tuple),
    language=st.sampled_from([None, "es"]),
)
DESCRIPTORS = st.builds(
    Descriptor,
    name=st.just("own"),
    label=st.just("Own"),
    markup=st.sampled_from(["entities", "markdown", "plain", "json"]),
    text_limit=st.none() | st.integers(1, 60) | st.integers(60, 600),
    text_unit=st.sampled_from([None, "utf16", "chars", "bytes"]),
    entity_limit=st.none() | st.integers(0, 12),
    message_limit=st.none() | st.integers(1, 3),
    buttons=st.none()
    | st.builds(
        ButtonLimits,
        data_bytes=st.integers(0, 64),
        per_row=st.integers(0, 3),
        total=st.integers(0, 3),
    ),
)


class Unprintable:
    """An object that has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(11_000, 20_000).map(lambda bits: 1 << bits),
    st.sampled_from([float("nan"), float("-inf")]),
    st.builds(Unprintable),
    st.floats(),
    st.text(st.characters()),
    st.binary(),
    st.dates(),
    st.decimals(),
)
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=8) | st.integers() | st.binary(), inner, max_size=4)
        | st.sets(st.text(max_size=5), max_size=3)
    ),
    max_leaves=15,
)
META = st.dictionaries(
    st.sampled_from(["type", "pagination", "clamped", "code", "suggestion", "x", "cache_served"]),
    DATA | st.sampled_from(["confirmation", "pending", "list", "error"]),
    max_size=4,
)
RESULTS = st.builds(
    ToolResult,
    st.booleans(),
    DATA | DATA.map(lambda args: {"plan": _plan(args)}),
    st.none() | st.text(),
    st.none() | st.text(),
    META,
)


def _plan(args: Any) -> dict[str, Any]:
    return {"tool": args, "mutating": args, "requires_confirmation": args, "args": args}


def check_limits(parts: Any, descriptor: Descriptor) -> None:
    """Assert that a channel would take these bodies."""
    if descriptor.message_limit is not None:
        assert len(parts) <= descriptor.message_limit
    for body in parts:
        body["text"].encode()
        if descriptor.text_limit is not None:
            assert size(body["text"], descriptor.text_unit) <= descriptor.text_limit
        if descriptor.entity_limit is not None:
            assert len(body.get("entities", ())) <= descriptor.entity_limit
    check_buttons(parts, descriptor)


def check_buttons(parts: Any, descriptor: Descriptor) -> None:
    for body in parts:
        keyboard = body.get("reply_markup", {}).get("inline_keyboard", [])
        rows = [*keyboard, *body.get("buttons", [])]
        assert not rows or body is parts[-1]
        buttons = [button for row in rows for button in row]
        if not buttons:
            continue
        limits = descriptor.buttons
        assert limits is not None
        assert len(buttons) <= limits.total
        assert all(len(row) <= max(1, limits.per_row) for row in rows)
        for button in buttons:
            data = button.get("callback_data", button.get("data"))
            assert 1 <= len(data.encode("utf-8", "surrogatepass")) <= limits.data_bytes
            assert button.get("text", button.get("label")).strip()
