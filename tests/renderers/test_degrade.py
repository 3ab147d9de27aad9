"""Documents made to fit a channel."""

from comal_renderers import (
    CONSOLE,
    PLAIN,
    TELEGRAM,
    WEB,
    Action,
    Code,
    Document,
    Field,
    Fields,
    Item,
    List,
    Quote,
    Rich,
    Span,
    Table,
    Text,
    entries,
)
from comal_renderers.degrade import degrade

LINK = Rich(spans=(Span(text="site", link="https://x.example/"),))
TABLE = Table(header=("n", "wide"), rows=(("1", "日本"), ("two",)))


def test_a_table_becomes_aligned_code_where_there_are_none() -> None:
    shown = degrade(Document(blocks=(TABLE,)), TELEGRAM)

    assert shown.blocks == (Code(text="n   │ wide\n────┼─────\n1   │ 日本\ntwo │"),)


def test_a_table_stays_where_markup_has_tables() -> None:
    document = Document(blocks=(TABLE,))

    assert degrade(document, WEB) == document


def test_actions_become_numbered_lines_that_do_not_print_their_data() -> None:
    actions = (Action(label="Yes", data="secret-1"), Action(label="No", data="secret-2"))

    shown = degrade(Document(actions=actions), CONSOLE)

    assert shown == Document(blocks=(List(items=entries("Yes", "No"), ordered=True),))


def test_links_are_written_out_at_any_depth_where_there_are_none() -> None:
    document = Document(
        blocks=(
            Quote(blocks=(List(items=(Item(blocks=(Text(content=LINK),)),)),)),
            Fields(fields=(Field(label="at", value=LINK),)),
        )
    )

    shown = degrade(document, PLAIN)

    assert shown.blocks == (
        Quote(blocks=(List(items=entries("site (https://x.example/)")),)),
        Fields(fields=(Field(label="at", value="site (https://x.example/)"),)),
    )


def test_a_link_over_several_styles_is_written_out_once() -> None:
    spans = (
        Span(text="a", link="https://x.example/"),
        Span(text="b", styles=frozenset({"bold"}), link="https://x.example/"),
    )

    shown = degrade(Document(blocks=(Text(content=Rich(spans=spans)),)), PLAIN)

    assert shown.blocks == (Text(content="ab (https://x.example/)"),)


def test_fitting_twice_changes_nothing_more() -> None:
    actions = tuple(Action(label=str(n), data=str(n)) for n in range(120))
    document = Document(blocks=(TABLE, Text(content=LINK)), actions=actions)

    for descriptor in (TELEGRAM, PLAIN, WEB):
        once = degrade(document, descriptor)
        assert degrade(once, descriptor) == once
