"""Whether tools that sound as if they change something are declared so."""

import re
from collections.abc import Iterator
from typing import Final

from comal_runtime.tools import Tool

from .finding import Finding, Severity

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = _words(
    "add append apply approve archive assign ban block book buy cancel charge clear close "
    "commit create delete deploy disable discard drop edit empty enable enroll erase execute "
    "forward grant hide import insert install invite issue kick kill launch lock mark merge "
    "modify move mute order overwrite pause pay pin post publish purchase purge push put reboot "
    "redeem refund reject release remove rename replace reply reserve reset restart restore "
    "resume revoke rotate run save schedule sell send set share shutdown start stop submit "
    "subscribe suspend terminate transfer trash truncate unban unblock uninstall unlock "
    "unsubscribe update upload upsert void wipe withdraw write"
)
_SPANISH: Final = _words(
    "abona abonar actualiza actualizar agenda agendar agrega agregar anula anular aprobar "
    "aprueba archiva archivar asigna asignar bloquea bloquear borra borrar cambia cambiar "
    "cancela cancelar carga cargar cerrar cierra cobra cobrar compra comprar crea crear "
    "desactiva desactivar detener detiene devolver devuelve edita editar ejecuta ejecutar "
    "elimina eliminar envia enviar envía escribe escribir guarda guardar inicia iniciar inserta "
    "insertar instala instalar manda mandar modifica modificar mover mueve paga pagar publica "
    "publicar quita quitar rechaza rechazar reembolsa reembolsar registra registrar reinicia "
    "reiniciar renombra renombrar reserva reservar retira retirar revoca revocar sube subir "
    "suscribe suscribir transferir transfiere vacia vaciar vacía vende vender"
)
_CHANGING: Final = _ENGLISH | _SPANISH
_CLEARLY: Final = _words(
    "actualizar anular borrar cancel cancelar cobrar crear create delete deploy eliminar enviar "
    "erase insert modificar modify overwrite pagar pay purge reembolsar refund remove rename "
    "revoke send submit transferir truncate uninstall upload upsert wipe"
)
"""Words that mean it wherever they stand, as in `order_cancel`."""

_READING: Final = _words(
    "busca buscar calcula calcular calculate can check compare comprobar compute consulta "
    "consultar contar count cuenta describe describir download estimate explain fetch find "
    "forecast get has inspect is lee leer list lista listar look lookup mostrar muestra obten "
    "obtener peek plan preview previsualizar query read resumir retrieve search show simulate "
    "status summarize validar validate ver verificar verify view which who"
)
_READ: Final = _words(
    "balance count detail details detalle detalles estado historial history info informe list "
    "lista log logs precio precios price prices report resumen saldo stats status summary total"
)
"""What is read about a thing, as in `order_status`: the word before it is a noun."""


def sounds_changing(name: str) -> str | None:
    """Return the word of a tool's name that says it changes something."""
    words: list[str] = [word.lower() for word in _WORD.findall(name)]
    if not words or words[0] in _READING or words[-1] in _READ:
        return None
    if words[0] in _CHANGING:
        return words[0]
    return next((word for word in words[1:] if word in _CLEARLY), None)


def undeclared(tool: Tool) -> Iterator[Finding]:
    """Find a tool that sounds as if it changes something and is not declared so."""
    word = None if tool.options.mutating else sounds_changing(tool.name)
    if word is not None:
        yield Finding(
            severity=Severity.WARNING,
            rule="mutating-undeclared",
            tool=tool.name,
            pointer="/annotations/readOnlyHint",
            what=f"its name says {word!r}, yet it is not declared mutating: it runs without asking",
            mend="@tool(mutating=True), or a name that says what it reads",
        )
