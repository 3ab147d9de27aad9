"""Shows a question as a card; every fact on it comes from the host."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from .descriptor import Descriptor
from .document import (
    Action,
    Block,
    Document,
    Field,
    Fields,
    Heading,
    Notice,
    Text,
)
from .effects import Effect, Hide, hidden, hiding
from .graphemes import last_boundary
from .i18n import text
from .inert import inert_name
from .literals import coded, literal, named, without
from .rendered import Rendered
from .spelling import spell
from .visible import Signs, visible

_ARGUMENTS_IN_PART: Final = 15
_NOTES_IN_PART: Final = 5
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
    effect_unknown: str
    changed: str
    changed_as_foretold: str
    changed_otherwise: str
    arguments_more: str
    incomplete: str
    too_long: str
    shortened: str
    space: str
    spaces: str
    newlines: str
    mixed_scripts: str
    look_alikes: str
    two_way: str
    confirm: str
    cancel: str
    approve: str
    reject: str
    show_all: str

    @property
    def signs(self) -> Signs:
        """Return the words that stand beside what a value hides."""
        return Signs(**{field.name: getattr(self, field.name) for field in fields(Signs)})


def labels(language: str | None = None) -> CardLabels:
    """Return the labels in a language; those that count keep their `{count}`."""
    words = {field.name: f"card.{field.name}" for field in fields(CardLabels)}
    return CardLabels(**{name: text(key, language, count="{count}") for name, key in words.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """What a card shows. `arguments` are JSON-shaped and shown in their order.

    `tool` is empty where no call is asked about. `masked` holds JSON pointers (RFC 6901) of the
    values that are not shown. `ends_at` is ready text, as are `why`, `status` (while open),
    `outcome`, and `notes`: lines of the host about this question, such as who edited it.
    `choices` beside an outcome belong to the outcome.
    Masked values are shown nowhere else in it, names of people aside.
    """

    title: str
    tool: str
    arguments: Mapping[str, Any]
    requester: str
    ends_at: str
    masked: frozenset[str] = frozenset()
    why: str | None = None
    status: str | None = None
    effect: Effect | None = None
    notes: tuple[str, ...] = ()
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
    decided. One with an outcome asks for no consent any more and keeps its choices.
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
    clipped = replace(view, arguments=shown, notes=view.notes[:_NOTES_IN_PART])
    document = _document(clipped, lambda value: _clip(value, letters))
    more: tuple[Block, ...] = ()
    if spare > 0:
        more = (Text(content=f"⟨… {view.labels.arguments_more.format(count=spare)}⟩"),)
    words = view.labels
    offered: tuple[Action, ...] = () if show_all is None else (show_all,)
    note = words.incomplete if offered else words.too_long
    if view.outcome is not None:
        offered, note = view.choices, words.shortened
    blocks = (*document.blocks, *more, Notice(content=note, tone="warning"))
    return Document(blocks=blocks, actions=offered)


def _clip(value: str, letters: int) -> str:
    if len(value) <= letters:
        return value
    end = last_boundary(value, 0, letters)
    return f"{value[:end]}⟨… +{len(value) - end}⟩"


def _document(view: CardView, clip: Show) -> Document:
    words, hide = view.labels, hiding(view.arguments, view.masked)

    def show(value: str) -> str:
        return clip(visible(value, words.signs))

    stated = {
        words.asked_by: coded(show(view.requester)),
        words.why: view.why and coded(show(hide(view.why))),
        words.ends: None if view.outcome else show(view.ends_at),
    }
    facts = [Field(label=label, value=value) for label, value in stated.items() if value]
    tool = [Field(label=words.tool, value=show(view.tool))] if view.tool else []
    blocks: list[Block] = [
        Heading(content=show(view.title)),
        Fields(fields=(*tool, *_arguments(view, clip))),
        Fields(fields=(*facts, *_changes(view, clip, hide))),
    ]
    if view.notes:
        notes = (inert_name(show(hide(note))) for note in view.notes)
        blocks.append(Text(content="\n".join(notes)))
    if view.outcome is not None:
        blocks.append(Text(content=inert_name(show(hide(view.outcome)))))
    elif view.status is not None:
        blocks.append(Text(content=show(view.status)))
    return Document(blocks=tuple(blocks), actions=view.choices)


def _arguments(view: CardView, clip: Show) -> Iterator[Field]:
    signs = view.labels.signs
    for key, value in without(view.arguments, view.masked).items():
        yield Field(label=clip(named(key, signs)), value=literal(value, signs, clip))


def _changes(view: CardView, clip: Show, hide: Hide) -> Iterator[Field]:
    """Tell what was foretold, and beside it what came, in one line where both are the same."""
    if view.effect is None:
        return
    words, effect = view.labels, hidden(view.effect, hide)

    def told(label: str, value: Any) -> Field:
        return Field(label=label, value=literal(value, words.signs, clip))

    if effect.unknown is not None:
        yield told(words.effect_unknown, effect.unknown)
    elif effect.foretold is not None:
        if view.effect.came_as_foretold:
            yield told(words.changed_as_foretold, effect.observed)
            return
        yield told(words.effect, effect.foretold)
    if effect.observed is not None:
        otherwise = effect.foretold is not None
        yield told(words.changed_otherwise if otherwise else words.changed, effect.observed)
