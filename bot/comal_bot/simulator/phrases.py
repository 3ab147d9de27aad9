"""What the scripted model says, in English and in Spanish."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """One language's sentences, Markdown; braces are filled in by `replies`."""

    help: str
    notes: str
    no_notes: str
    orders: str
    order: str
    refunded: str
    added: str
    deleted: str
    paid_back: str
    nothing_left: str
    sent: str
    printed: str
    failed: str
    waiting: str
    done: str
    rejected: str
    rejected_refund: str
    rejected_reason: str
    cancelled: str
    expired: str
    void: str
    unknown: str
    somebody: str


EN: Final = Phrases(
    help=(
        "I am the demo's **scripted** model, not a real one; I know a few requests by heart:\n\n"
        "- show my notes\n"
        "- add note: buy limes\n"
        "- delete note 2 (or: delete note 1 and note 2)\n"
        "- show orders\n"
        "- refund order 1007 (or: refund order 1007 of 10)\n"
        "- broadcast: shop closes at six\n"
        "- print labels\n\n"
        "Whatever changes something asks first."
    ),
    notes="The notes:",
    no_notes="There are no notes.",
    orders="The orders:",
    order="{id} · {customer} · {amount}",
    refunded="{status}, {refunded} paid back",
    added="Note {id} is written: {text}",
    deleted="Note {id} is gone. It said: {text}",
    paid_back="{paid} is paid back on order {id} ({customer}); the order is now {status}.",
    nothing_left="Order {id} is not there, or nothing is left of it to refund.",
    sent="Sent to {sent} customers: {text}",
    printed="{printed} labels are printed.",
    failed="That did not work: {error}",
    waiting="That waits for an answer first.",
    done="{what} is done.",
    rejected="{by} said no to {what}{reason}. Nothing was changed.",
    rejected_refund=(
        "Instead I could offer a store credit, or note down to ask the customer. Write for "
        "example: **add note: offer a store credit for order {id}**"
    ),
    rejected_reason=", because: {reason}",
    cancelled="Fine, {what} is cancelled. Nothing was changed.",
    expired="Nobody answered in time, so {what} was not done. Ask again if it still matters.",
    void="{what} was approved, but not carried out: {reason}. Nothing was changed.",
    unknown=(
        "Whether {what} went through is **not known**. Look at the shop before you ask for it "
        "again."
    ),
    somebody="Somebody",
)

ES: Final = Phrases(
    help=(
        "Soy el modelo **con guion** de la demo, no uno real; sé de memoria unas pocas cosas:\n\n"
        "- muestra mis notas\n"
        "- añade nota: comprar limones\n"
        "- borra la nota 2 (o: borra la nota 1 y la nota 2)\n"
        "- muestra los pedidos\n"
        "- reembolsa el pedido 1007 (o: reembolsa el pedido 1007 de 10)\n"
        "- difunde: hoy cerramos a las seis\n"
        "- imprime las etiquetas\n\n"
        "Todo lo que cambia algo pregunta antes."
    ),
    notes="Las notas:",
    no_notes="No hay notas.",
    orders="Los pedidos:",
    order="{id} · {customer} · {amount}",
    refunded="{status}, {refunded} devueltos",
    added="La nota {id} está escrita: {text}",
    deleted="La nota {id} ya no está. Decía: {text}",
    paid_back="Se devolvieron {paid} del pedido {id} ({customer}).",
    nothing_left="El pedido {id} no existe, o no queda nada por devolver.",
    sent="Enviado a {sent} clientes: {text}",
    printed="Hay {printed} etiquetas impresas.",
    failed="No fue posible: {error}",
    waiting="Eso espera antes una respuesta.",
    done="{what}: hecho.",
    rejected="{by} dijo que no a {what}{reason}. No se cambió nada.",
    rejected_refund=(
        "En su lugar podría ofrecer un vale, o apuntar que hay que preguntar al cliente. Escriba "
        "por ejemplo: **añade nota: ofrecer un vale por el pedido {id}**"
    ),
    rejected_reason=", porque: {reason}",
    cancelled="De acuerdo, {what} queda cancelado. No se cambió nada.",
    expired="Nadie contestó a tiempo, así que {what} no se hizo. Pídalo otra vez si hace falta.",
    void="{what} se aprobó, pero no se llevó a cabo: {reason}. No se cambió nada.",
    unknown=("**No se sabe** si {what} llegó a hacerse. Mire la tienda antes de pedirlo otra vez."),
    somebody="Alguien",
)
