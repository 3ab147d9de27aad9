"""Host texts in Spanish."""

from typing import Final

ES: Final[dict[str, str]] = {
    "card.confirm": "Confirmar",
    "card.cancel": "Cancelar",
    "card.approve": "Aprobar",
    "card.reject": "Rechazar",
    "card.show_all": "Mostrar todo",
    "card.tool": "Herramienta",
    "card.asked_by": "Lo pide",
    "card.why": "Motivo",
    "card.ends": "Termina",
    "card.waiting": "Espera a un aprobador",
    "card.approvals": "{yes} de {needed} aprobaciones",
    "card.effect": "Qué cambiará",
    "card.arguments_more": "{count} más",
    "card.incomplete": "Esto es solo una parte. Muestra todo antes de decidir.",
    "card.too_long": "Es demasiado largo para decidirlo en este canal.",
    "card.shortened": "Abreviado: aquí no se muestra todo.",
    "card.mixed_scripts": "alfabetos mezclados",
    "decided.approved": "Aprobado por {name}",
    "decided.confirmed": "Confirmado por {name}",
    "outcome.started": "⏳ {decided}, {time} · en curso",
    "outcome.running": "⏳ {decided}, {time} · en curso: {progress}",
    "outcome.approved": "✅ {decided}, {time}",
    "outcome.executed": "✅ {decided}, {time} · ejecutado",
    "outcome.failed": "❌ {decided}, {time} · falló",
    "outcome.unknown": "⚠ {decided}, {time} · resultado desconocido",
    "outcome.done_late": "✅ {decided}, {time} · hecho con retraso",
    "outcome.void": "🚫 {decided}, {time} · no ejecutado",
    "outcome.rejected": "🚫 Rechazado por {name}, {time}",
    "outcome.cancelled": "🚫 Cancelado por {name}, {time}",
    "outcome.expired": "⌛ Caducado, {time} · no se hizo nada",
    "outcome.superseded": "↪ Sustituido por una pregunta más reciente, {time}",
    "answer.not_yours": "No te corresponde responder a esta tarjeta.",
    "answer.already_decided": "Ya está decidido.",
    "answer.expired": "Caducó: no se hizo nada. Pídelo de nuevo.",
    "answer.unknown_button": "Botón desconocido.",
    "answer.recorded": "Registrado.",
    "answer.voted": "Registrado: {yes} de {needed} aprobaciones.",
    "answer.voted_no": "Registrado: tu no; {yes} de {needed} aprobaciones.",
    "answer.voted_before": "Ya has respondido.",
    "action.code": "{label}: escribe",
    "result.cut": "{count} caracteres más",
    "result.done": "Hecho.",
    "result.failed": "Falló, y nada dice por qué.",
    "result.code": "Código: {code}",
    "result.retry": "Inténtalo de nuevo en {seconds} s.",
    "result.clamped": "Ajustado a los límites: {changes}",
    "result.cached": "Respondido con lo que ya se sabía; la herramienta no se ejecutó.",
    "plan.nothing_run": "Esto es un plan; no se ejecutó nada.",
    "plan.asks_approval": "Esperaría una aprobación.",
    "plan.asks_confirmation": "Te pediría que confirmaras.",
    "plan.asks_nobody": "Se ejecutaría sin preguntar a nadie.",
    "plan.changes": "Cambia algo",
    "plan.scopes": "Alguno de estos permisos",
    "plan.timeout": "Tiempo límite",
    "word.yes": "sí",
    "word.no": "no",
    "result.page": "Página {page} de {pages} · {total} en total",
    "answer.self": "Lo has pedido tú; debe decidir otra persona.",
    "answer.nobody": "No puedo saber quién eres aquí.",
    "answer.moved": "Este botón se copió de otro mensaje.",
    "host.start": (
        "Hola. Escribe lo que necesitas. Antes de cambiar nada, una tarjeta pregunta.\n"
        "/help muestra los comandos."
    ),
    "host.help": (
        "/start empieza una conversación\n"
        "/whoami dice quién eres aquí\n"
        "/stop termina lo que está en curso entre dos pasos\n"
        "/help muestra esta lista"
    ),
    "host.whoami": "Eres {principal}. Roles: {roles}.",
    "host.no_roles": "ninguno",
    "host.audit_heads": (
        "🔏 Hasta dónde llegaba la auditoría el {day}. Con esto, `comal audit verify --head …` "
        "muestra lo que se cambie o se borre desde ahora:\n{heads}"
    ),
    "host.stopped": "Detenido. Lo que ya había empezado puede terminar.",
    "host.nothing_to_stop": "No hay nada en curso.",
    "host.too_long": "Ese mensaje tiene {length} caracteres; leo {limit}. Envíalo por partes.",
    "host.model_unreachable": (
        "Ahora no se llega al modelo de lenguaje. No se ha perdido nada; prueba dentro de un rato."
    ),
    "host.model_refused": (
        "El modelo de lenguaje se niega: quien lleva este bot debe mirar su registro."
    ),
    "host.model_garbled": (
        "El modelo de lenguaje no dio nada utilizable. No se ha perdido nada; prueba de nuevo."
    ),
    "host.no_words": "El modelo de lenguaje no tuvo nada que decir.",
    "host.uncarded": (
        "Nadie puede decidir sobre {what}: no se llega al chat de los aprobadores. "
        "Quien lleva este bot debe mirar su registro."
    ),
    "host.unwhole": ("⚠ No se pudo mostrar todo {what}; aquí no se puede decidir nada sobre ello."),
    "host.no_answer": "Terminé sin respuesta ({reason}).",
    "host.not_a_command": "No conozco /{command}. /help muestra lo que sé.",
    "host.failed": "Algo falló dentro del servidor; indica la solicitud {request_id}",
}
