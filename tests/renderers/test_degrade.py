"""Documents made to fit a channel."""

from comal_renderers import (
    CONSOLE,
    PLAIN,
    TELEGRAM,
    WEB,
    Action,
    ButtonLimits,
    Code,
    Descriptor,
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


def test_an_action_without_a_button_names_the_link_or_the_code_that_chooses_it() -> None:
    actions = (
        Action(label="Confirmar", data="a", link="https://c.example/q"),
        Action(label="Cancelar", data="b", code="K7Q2"),
    )

    shown = degrade(Document(actions=actions, language="es"), PLAIN)

    lines = entries("Confirmar (https://c.example/q)", "Cancelar: escribe K7Q2")
    assert shown.blocks == (List(items=lines, ordered=True),)


def test_a_channel_of_ones_own_gets_as_many_buttons_as_it_takes() -> None:
    limits = ButtonLimits(data_bytes=3, per_row=1, total=2)
    channel = Descriptor(name="own", label="Own", markup="plain", buttons=limits)
    actions = tuple(Action(label=data, data=data) for data in ("a", "long", "b", "c"))

    shown = degrade(Document(actions=actions), channel)

    assert [action.data for action in shown.actions] == ["a", "b"]
    assert shown.blocks == (List(items=entries("long", "c"), ordered=True, start=3),)


def test_a_channel_of_few_entities_has_its_links_written_out() -> None:
    channel = Descriptor(name="own", label="Own", markup="entities", entity_limit=3)

    shown = degrade(Document(blocks=(Text(content=LINK),)), channel)

    assert shown.blocks == (Text(content="site (https://x.example/)"),)


def test_markdown_holds_no_link_to_anything_but_the_web() -> None:
    script = Rich(spans=(Span(text="site", link="javascript:alert(1)"),))

    (block,) = degrade(Document(blocks=(Text(content=script),)), WEB).blocks

    assert isinstance(block, Text)
    assert block.content == Rich(spans=(Span(text="site"), Span(text=" (javascript:alert(1))")))


def test_a_link_without_a_letter_to_press_is_its_address() -> None:
    blank = Rich(spans=(Span(text=" ", link="https://x.example/"),))

    (block,) = degrade(Document(blocks=(Text(content=blank),)), WEB).blocks

    assert block == Text(content=Rich(spans=(Span(text=" "), Span(text="https://x.example/"))))
