"""Shows a question as a card; every fact on it comes from the host."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from .concealing import MASK
from .descriptor import Descriptor
from .document import (
    Action,
    Block,
    Document,
    Field,
    Fields,
    Heading,
    Inline,
    Notice,
    Rich,
    Span,
    Text,
)
from .graphemes import last_boundary
from .i18n import text
from .inert import inert_name
from .rendered import Rendered
from .spelling import spell
from .visible import visible

_NAME: Final = re.compile(r"[\w.-]{1,64}", re.ASCII)
_LIKE_JSON: Final = re.compile(r'-?\d.*|true|false|null|[\[{"•].*|', re.DOTALL)
_ARGUMENTS_IN_PART: Final = 15
_LETTERS_IN_PART: Final = (400, 120, 40)  # Tried in turn; the last fits a message whatever comes.

Show = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLabels:
    """The words of the host on a card, in one language."""

    tool: str
    asked_by: str
    why: str
    ends: str
    effect: str
    arguments_more: str
    incomplete: str
    too_long: str
    shortened: str
    mixed_scripts: str
    confirm: str
    cancel: str
    approve: str
    reject: str
    show_all: str


def labels(language: str | None = None) -> CardLabels:
    """Return the labels in a language; `arguments_more` keeps its `{count}`."""
    words = {field.name: f"card.{field.name}" for field in fields(CardLabels)}
    return CardLabels(**{name: text(key, language, count="{count}") for name, key in words.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """What a card shows. `arguments` are JSON-shaped and shown in their order.

    `masked` holds JSON pointers (RFC 6901) of the values that are not shown. `ends_at` is ready
    text, as are `why`, `effect`, `status` (while open) and `outcome`, which leaves no buttons.
    """

    title: str
    tool: str
    arguments: Mapping[str, Any]
    requester: str
    ends_at: str
    masked: frozenset[str] = frozenset()
    why: str | None = None
    status: str | None = None
    effect: str | None = None
    choices: tuple[Action, ...] = ()
    outcome: str | None = None
    labels: CardLabels = labels()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRendering:
    """A card in one message; only a `whole` one, which shows everything, offers the choices."""

    rendered: Rendered
    whole: bool


def card_document(view: CardView) -> Document:
    """Return the whole card. Values are literal text; nothing hidden in them stays hidden."""
    return _document(view, lambda value: value)


def card_parts(view: CardView, descriptor: Descriptor, *, show_all: Action | None) -> CardRendering:
    """Spell the card as one message: with its choices if it is whole, else with `show_all` alone.

    A card that is not whole says so; without `show_all` it says that it is too long to be
    decided. One with an outcome has no button at all.
    """
    rendered = spell(card_document(view), descriptor)
    if fits(rendered):
        return CardRendering(rendered=rendered, whole=True)
    for letters in _LETTERS_IN_PART:
        rendered = spell(_part(view, letters, show_all), descriptor)
        if fits(rendered):
            break
    return CardRendering(rendered=rendered, whole=False)


def full_rendered(view: CardView, descriptor: Descriptor) -> Rendered:
    """Spell the whole card in as many numbered messages as it takes, the choices on the last.

    Where the channel does not take as many there are no choices.
    """
    document = card_document(view)
    rendered = spell(document, descriptor, numbered=True)
    return (
        spell(replace(document, actions=()), descriptor, numbered=True)
        if rendered.cut
        else rendered
    )


def fits(rendered: Rendered) -> bool:
    """Tell whether everything stands in one message."""
    return rendered.whole


def _part(view: CardView, letters: int, show_all: Action | None) -> Document:
    spare = len(view.arguments) - _ARGUMENTS_IN_PART
    shown = dict(list(view.arguments.items())[:_ARGUMENTS_IN_PART])
    document = _document(replace(view, arguments=shown), lambda value: _clip(value, letters))
    more: tuple[Block, ...] = ()
    if spare > 0:
        more = (Text(content=f"⟨… {view.labels.arguments_more.format(count=spare)}⟩"),)
    words = view.labels
    offered = () if show_all is None or view.outcome is not None else (show_all,)
    note = words.incomplete if offered else words.too_long
    if view.outcome is not None:
        note = words.shortened
    blocks = (*document.blocks, *more, Notice(content=note, tone="warning"))
    return Document(blocks=blocks, actions=offered)


def _clip(value: str, letters: int) -> str:
    if len(value) <= letters:
        return value
    end = last_boundary(value, 0, letters)
    return f"{value[:end]}⟨… +{len(value) - end}⟩"


def _document(view: CardView, clip: Show) -> Document:
    words = view.labels

    def show(value: str) -> str:
        return clip(visible(value, mixed=words.mixed_scripts))

    arguments = tuple(
        Field(label=clip(_label(key, words)), value=_literal(clip(_value(key, value, view))))
        for key, value in view.arguments.items()
    )
    facts = {
        words.asked_by: _literal(show(view.requester)),
        words.why: view.why and _literal(show(view.why)),
        words.ends: None if view.outcome else show(view.ends_at),
        words.effect: view.effect and _literal(show(view.effect)),
    }
    stated = tuple(Field(label=k, value=v) for k, v in facts.items() if v)
    blocks: list[Block] = [
        Heading(content=show(view.title)),
        Fields(fields=(Field(label=words.tool, value=show(view.tool)), *arguments)),
        Fields(fields=stated),
    ]
    if view.outcome is not None:
        return Document(blocks=(*blocks, Text(content=inert_name(show(view.outcome)))))
    if view.status is not None:
        blocks.append(Text(content=show(view.status)))
    return Document(blocks=tuple(blocks), actions=view.choices)


def _literal(value: str) -> Inline:
    """Return text in which a channel finds no link, mention or command."""
    return Rich(spans=(Span(text=value, styles=frozenset({"code"})),)) if value else value


def _label(key: str, words: CardLabels) -> str:
    name = key if _NAME.fullmatch(key) else _json(key)
    return visible(name, mixed=words.mixed_scripts)


def _value(key: str, value: Any, view: CardView) -> str:
    """Word a value exactly: text as it is, unless it could be taken for another value."""
    pointer = _below("", key)
    if pointer in view.masked:
        return MASK
    if isinstance(value, str):
        literal = _json(value) if _LIKE_JSON.fullmatch(value) else value
        return visible(literal, mixed=view.labels.mixed_scripts)
    return "\n".join(_lines(_json(_masked(value, view.masked, pointer), indent=2), view.labels))


def _lines(pretty: str, words: CardLabels) -> Iterator[str]:
    for line in pretty.split("\n"):
        content = line.lstrip(" ")
        yield " " * (len(line) - len(content)) + visible(content, mixed=words.mixed_scripts)


def _masked(value: Any, masked: frozenset[str], here: str) -> Any:
    if here in masked:
        return MASK
    if isinstance(value, Mapping):
        return {key: _masked(inner, masked, _below(here, key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(inner, masked, _below(here, str(at))) for at, inner in enumerate(value)]
    return value


def _below(pointer: str, key: str) -> str:
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, default=str)
