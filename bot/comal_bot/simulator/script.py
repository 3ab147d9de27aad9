"""The demo's stand-in for a model: it knows a shop's few requests, in English and in Spanish."""

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from comal_runtime.llm import (
    AssistantMessage,
    Message,
    ToolCallRequest,
    ToolSummary,
    UserMessage,
)
from comal_runtime.llm.service import LlmServiceInterface
from comal_runtime.testing import Reply, Rule, ScriptedModel

from .phrases import EN, ES, Phrases
from .pricing import LOOK, NothingLeft, Wish, lacks_amount, left_to_refund, priced
from .replies import Concluding, after_event

_EVENT: Final = r"(?s)\A\s*\[comal:event\]\s*(?P<fields>\{.*\})\s*\Z"
_AND: Final = r"\s*(?:,|&|\+|and|y|e)\s*"
_NOTE: Final = r"(?:the\s+|la\s+|las\s+)?(?:notes?|notas?)"
_ADD: Final = re.compile(
    r"\b(?:(?:add|write|save|new|make)\s+(?:me\s+)?(?:a\s+)?(?:new\s+)?note"
    r"|(?:añade|agrega|anota|apunta|crea|nueva)\s*(?:una\s+)?(?:nueva\s+)?nota)"
    r"\s*(?::|\bthat\b|\bque\b)?\s*(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_BROADCAST: Final = re.compile(
    r"\b(?:broadcast|announce|difunde|anuncia|avisa a (?:todos|los clientes)"
    r"|tell (?:all |every )?(?:the )?customers?)\s*(?::|\bthat\b|\bque\b)?\s*(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_DELETE: Final = re.compile(
    rf"\b(?:delete|remove|erase|borra|borrar|elimina|eliminar|quita)\s+{_NOTE}\s+"
    rf"(?P<numbers>#?\d+(?:{_AND}(?:{_NOTE}\s+)?#?\d+)*)",
    re.IGNORECASE,
)
_REFUND: Final = re.compile(
    r"\b(?:refund|reembols\w+|devuelve|devolver|devolución)\s+(?:for\s+|de\s+|del\s+)?"
    r"(?:the\s+|el\s+)?(?:order|pedido)?\s*#?(?P<order>\d+)"
    r"(?:\s+(?:of|for|with|by|de|por|con)\s+\D?(?P<amount>\d+(?:[.,]\d+)?))?",
    re.IGNORECASE,
)
_NOTES: Final = re.compile(
    r"\b(?:show|list|see|read|what|which|my|muestra\w*|lista|ver|lee|dime|mis|qué)\b"
    r"[^\d:]{0,24}\b(?:notes|notas)\b|\A\s*(?:@\w+\s+)?(?:notes|notas)\W*\Z",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    r"\b(?:show|list|see|read|what|which|my|muestra\w*|lista|ver|lee|dime|mis|los|qué)\b"
    r"[^\d:]{0,24}\b(?:orders|pedidos)\b|\A\s*(?:@\w+\s+)?(?:orders|pedidos)\W*\Z",
    re.IGNORECASE,
)
_LABELS: Final = re.compile(
    r"\b(?:print|imprime|imprimir)\b[^\d:]{0,24}\b(?:labels|etiquetas)\b", re.IGNORECASE
)
_MOST: Final = 10**15  # above this nobody means cents
_SPANISH: Final = re.compile(
    r"\b(?:nota|notas|pedido|pedidos|añade|agrega|apunta|borra|elimina|quita|reembols\w+|devuelve"
    r"|muestra\w*|difunde|anuncia|avisa|imprim\w+|etiquetas|hola|ayuda|gracias|qué|mis)\b",
    re.IGNORECASE,
)


def demo_model() -> LlmServiceInterface:
    """Return a scripted model, no real one; the same conversation always gets the same answer."""
    return _DemoModel()


def wishes(text: str) -> list[Wish]:
    """Return the calls a text asks for, in its order; free text at its end is one argument."""
    for pattern, name in ((_BROADCAST, "broadcast"), (_ADD, "add_note")):
        free = pattern.search(text)
        if free is not None:
            words = free["text"].strip()
            return [*wishes(text[: free.start()]), (name, {"text": words})]
    found: list[tuple[int, Wish]] = []
    for match in _DELETE.finditer(text):
        for number in re.finditer(r"\d+", match["numbers"]):
            at = match.start("numbers") + number.start()
            found.append((at, ("delete_note", {"note_id": int(number.group())})))
    for match in _REFUND.finditer(text):
        found.append((match.start(), ("refund_order", _refund(match))))
    for pattern, name in (
        (_NOTES, "list_notes"),
        (_ORDERS, "list_orders"),
        (_LABELS, "print_labels"),
    ):
        found += [(match.start(), (name, {})) for match in pattern.finditer(text)]
    return [wish for _, wish in sorted(found, key=lambda entry: entry[0])]


def _refund(match: re.Match[str]) -> dict[str, object]:
    arguments: dict[str, object] = {"order_id": int(match["order"])}
    if match["amount"]:
        number = Decimal(match["amount"].replace(",", "."))
        whole = number > _MOST or number == number.to_integral_value()
        arguments["amount"] = int(number) if whole else float(number)
    return arguments


class _DemoModel:
    """Answers in the language of the last person's words."""

    def __init__(self) -> None:
        self._english = _speaking(EN)
        self._spanish = _speaking(ES)

    async def generate_response(
        self,
        prompt: str,
        tools: Sequence[ToolSummary] = (),
        messages: Sequence[Message] = (),
        max_tokens: int = 4096,
    ) -> AssistantMessage:
        """Return the scripted next message."""
        said = [m.content for m in messages if isinstance(m, UserMessage)] or [prompt]
        people = [text for text in said if re.match(_EVENT, text) is None] or [""]
        spanish = _SPANISH.search(people[-1]) is not None
        left = left_to_refund(messages)
        if left is not None and any(map(lacks_amount, wishes(people[-1]))):
            return _refunding(people[-1], left, ES if spanish else EN, step=len(messages))
        model = self._spanish if spanish else self._english
        return await model.generate_response(prompt, tools, messages, max_tokens)


def _refunding(
    text: str, left: Mapping[object, float], phrases: Phrases, *, step: int
) -> AssistantMessage:
    try:
        wanted = [priced(wish, left) for wish in wishes(text)]
    except NothingLeft as error:
        return AssistantMessage(content=phrases.nothing_left.format(id=error.order))
    calls = tuple(
        ToolCallRequest(id=f"call_{step}_{index}", name=name, arguments=json.dumps(arguments))
        for index, (name, arguments) in enumerate(wanted)
    )
    return AssistantMessage(tool_calls=calls)


def _speaking(phrases: Phrases) -> ScriptedModel:
    def decided(
        match: re.Match[str], tools: Sequence[ToolSummary], messages: Sequence[Message]
    ) -> Reply:
        fields: object = json.loads(match["fields"])
        return after_event(fields if isinstance(fields, dict) else {}, phrases)

    def asked(
        match: re.Match[str], tools: Sequence[ToolSummary], messages: Sequence[Message]
    ) -> Reply:
        wanted = wishes(match.string)
        if any(map(lacks_amount, wanted)):
            return [LOOK]
        return wanted or phrases.help

    rules = [Rule(pattern=_EVENT, reply=decided), Rule(pattern=r"(?s)\A", reply=asked)]
    return ScriptedModel(rules, default=phrases.help, conclude=Concluding(phrases))
