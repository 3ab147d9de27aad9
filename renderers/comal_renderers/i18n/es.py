"""Host texts in Spanish."""

from typing import Final

ES: Final[dict[str, str]] = {
    "card.confirm": "Confirmar",
    "card.cancel": "Cancelar",
    "card.approve": "Aprobar",
    "card.reject": "Rechazar",
    "card.show_all": "Mostrar todo",
    "card.changes": "Pedir cambios",
    "card.edit": "Editar",
    "card.withdraw": "Retirar",
    "card.again": "Pedir de nuevo",
    "card.it_was_done": "Sí se hizo",
    "card.do_it_again": "Hacerlo de nuevo",
    "card.leave_it": "Dejarlo así",
    "card.break_glass": "🔨 BREAK-GLASS en la máquina, sin los aprobadores. Motivo: {why}",
    "card.repeats": "⚠ Esto repite lo que quizá ya se hizo: su resultado es desconocido.",
    "card.may_still_run": (
        "⚠ Esto repite lo que quizá ya se hizo. El primer intento puede estar aún en marcha."
    ),
    "card.tool": "Herramienta",
    "card.asked_by": "Lo pide",
    "card.why": "Motivo",
    "card.by_route": "por la ruta {name}",
    "card.ends": "Termina",
    "card.waiting": "Espera a un aprobador",
    "card.approvals": "{yes} de {needed} aprobaciones",
    "card.group": "{name}: {yes} de {needed}",
    "card.then": "después: {names}",
    "card.approvers": "aprobadores",
    "card.edited": "✎ Editado por {name}: {changes}",
    "card.effect": "Qué cambiará",
    "card.effect_unknown": "⚠ No se puede decir qué cambiará",
    "card.changed": "Qué cambió",
    "card.changed_as_foretold": "Qué cambió, como estaba previsto",
    "card.changed_otherwise": "⚠ Qué cambió, distinto de lo previsto",
    "card.arguments_more": "{count} más",
    "card.incomplete": "Esto es solo una parte. Muestra todo antes de decidir.",
    "card.too_long": "Es demasiado largo para decidirlo en este canal.",
    "card.shortened": "Abreviado: aquí no se muestra todo.",
    "card.space": "1 espacio",
    "card.spaces": "{count} espacios",
    "card.newlines": "{count} saltos de línea",
    "card.mixed_scripts": "alfabetos mezclados",
    "card.look_alikes": "letras parecidas a otras",
    "card.two_way": "se lee de derecha a izquierda",
    "decided.approved": "Aprobado por {name}",
    "decided.confirmed": "Confirmado por {name}",
    "outcome.started": "⏳ {decided}, {time} · en curso",
    "outcome.running": "⏳ {decided}, {time} · en curso: {progress}",
    "outcome.approved": "✅ {decided}, {time}",
    "outcome.executed": "✅ {decided}, {time} · ejecutado",
    "outcome.failed": "❌ {decided}, {time} · falló",
    "outcome.unknown": "⚠ {decided}, {time} · resultado desconocido",
    "outcome.left": "⚠ {decided}, {time} · resultado desconocido; así lo dejó {left}",
    "outcome.settled_done_by_service": "✅ {decided}, {time} · hecho (lo confirma el servicio)",
    "outcome.settled_done_by_person": "✅ {decided}, {time} · hecho (según {settled})",
    "outcome.settled_not_done_by_service": "🚫 {decided}, {time} · no se hizo (según el servicio)",
    "outcome.settled_not_done_by_person": "🚫 {decided}, {time} · no se hizo (según {settled})",
    "outcome.done_late": "✅ {decided}, {time} · hecho con retraso",
    "outcome.void": "🚫 {decided}, {time} · no ejecutado",
    "outcome.rejected": "🚫 Rechazado por {name}, {time}",
    "outcome.cancelled": "🚫 Cancelado por {name}, {time}",
    "outcome.expired": "⌛ Caducado, {time} · no se hizo nada",
    "outcome.changes": "↩ {name} pide cambios, {time}",
    "outcome.edited": "↪ Editado por {name}, {time} · se pregunta de nuevo",
    "outcome.superseded": "🚫 Ya no es lo que se preguntó, {time} · no se hizo nada",
    "answer.not_yours": "No te corresponde responder a esta tarjeta.",
    "answer.already_decided": "Ya está decidido: {outcome}",
    "answer.expired": "Caducó: no se hizo nada. Pídelo de nuevo.",
    "answer.unknown_button": "Botón desconocido.",
    "answer.only_again": "Lo pediste tú: otros dicen si se hizo. Puedes hacerlo de nuevo.",
    "answer.settled_before": "Esto ya está resuelto.",
    "answer.recorded": "Registrado.",
    "answer.voted": "Registrado: {yes} de {needed} aprobaciones.",
    "answer.voted_no": "Registrado: tu no; {yes} de {needed} aprobaciones.",
    "answer.not_yet": "Antes deciden otros; después se te pregunta a ti.",
    "answer.needs_reason": "Hace falta un motivo: responde a esta tarjeta con él. Así se completa.",
    "answer.needs_guidance": "Responde a esta tarjeta con lo que debería pedirse en su lugar.",
    "answer.edit": "Responde a esta tarjeta con líneas como: {example}. Puedes cambiar: {names}",
    "answer.not_editable": "Nada de esto se puede editar.",
    "answer.under_way": "Esto tarda un momento; la tarjeta dirá el resultado.",
    "answer.cannot_edit": "Esto no se puede editar: {why}",
    "answer.edited": "Editado: {changes}. Se pregunta de nuevo y al final acepta {requester}.",
    "answer.noted": "Anotado; acompaña a tu respuesta. Solo deciden los botones.",
    "answer.remark_too_long": "Tiene {length} caracteres; guardo {limit}. No se anotó nada.",
    "answer.reply_not_yours": (
        "No te corresponde responder a esta tarjeta y lo que escribiste no se guardó. "
        "Si me hablabas a mí, escríbelo sin responder a la tarjeta."
    ),
    "answer.reply_late": "{said} Si me hablabas a mí, escríbelo sin responder a la tarjeta.",
    "answer.only_requester": "Eso solo puede hacerlo quien lo pidió.",
    "answer.asked_again": "Pedido de nuevo; hay una tarjeta nueva.",
    "answer.asked_before": "Esto ya se pidió de nuevo.",
    "answer.nobody_asked": "Ya no hay que preguntar a nadie por esto; escríbeme lo que necesitas.",
    "answer.not_asked_again": "No se pudo pedir de nuevo: {why}",
    "edit.no_line": "No es una línea como `amount = 50`: {about}. No cambió nada; prueba otra vez.",
    "edit.twice": "{about} aparece dos veces. No cambió nada; prueba otra vez.",
    "edit.fixed": "{about} no se puede cambiar; sí {names}. No cambió nada; prueba otra vez.",
    "edit.refused": "{about} no puede ser eso: {why}. No cambió nada; prueba otra vez.",
    "edit.same": "Eso es lo que ya dice. No cambió nada; prueba otra vez.",
    "answer.changed": "Ya no es lo que se preguntó: no se hizo nada. Pídelo de nuevo.",
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
        "/link dice que otra cuenta también eres tú\n"
        "/stop termina lo que está en curso entre dos pasos\n"
        "/help muestra esta lista"
    ),
    "host.whoami": "Eres {principal}. Roles: {roles}.",
    "host.whoami_linked": "Eres {principal}, igual que {others}. Roles: {roles}.",
    "host.whoami_resting": (
        "Eres {principal}, igual que {others}. Roles: {roles}. Lo que respondas aquí cuenta desde "
        "{time}."
    ),
    "host.no_roles": "ninguno",
    "host.audit_heads": (
        "🔏 Hasta dónde llegaba la auditoría el {day}. Con esto, `comal audit verify --head …` "
        "muestra lo que se cambie o se borre desde ahora:\n{heads}"
    ),
    "host.break_glass": (
        "🔨 BREAK-GLASS: {who} actuó en la máquina sin tener derecho a ello.\n"
        "Hecho: {did}\nMotivo: {why}"
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
    "host.unknown_act": (
        "⚠ No se sabe si {tool} se hizo. Compruébalo antes de pedirlo de nuevo; quien lleva este "
        "bot puede resolverlo con `comal acts`."
    ),
    "host.uncarded": (
        "Nadie puede decidir sobre {what}: no se llega al chat de los aprobadores. "
        "Quien lleva este bot debe mirar su registro."
    ),
    "host.too_few": (
        "Ya nadie puede aprobar {what}: quedan muy pocas personas que puedan hacerlo. "
        "Quien lleva este bot debe mirar sus rutas."
    ),
    "host.escalated": "⏫ Nadie ha decidido aún sobre {what}; se pregunta también a otros.",
    "host.reminder": "⏰ {what} sigue esperando respuesta. Termina en {left}.",
    "host.reminders": "⏰ {count} preguntas esperan respuesta:\n{lines}",
    "host.reminders_line": "• {what} (termina en {left})",
    "host.reminders_more": "… y {count} más",
    "card.too_few": "⚠ Quedan muy pocas personas que puedan aprobar esto.",
    "host.unshown": (
        "No se pudo mostrar la tarjeta que pregunta por {what}; nadie puede decidir sobre ello. "
        "Pídelo de nuevo más tarde."
    ),
    "host.unwhole": ("⚠ No se pudo mostrar todo {what}; aquí no se puede decidir nada sobre ello."),
    "host.no_answer": "Terminé sin respuesta ({reason}).",
    "host.not_a_command": "No conozco /{command}. /help muestra lo que sé.",
    "host.failed": "Algo falló dentro del servidor; indica la solicitud {request_id}",
    "people.private": "Escríbeme esto en un chat privado.",
    "owner.how": "Escribe /owner y el código que muestra la terminal de quien lleva este bot.",
    "owner.private": "Escríbeme esto en un chat privado y no enseñes el código a nadie.",
    "owner.overheard": (
        "Otros pueden haber leído este código, así que ya no vale nada. "
        "`comal people owner-code` imprime otro; escríbemelo en un chat privado."
    ),
    "owner.there_is": "Ya hay un dueño. Los dueños nombran a otros con `comal people roles`.",
    "owner.no_code": "Ningún código vale ahora. `comal people owner-code` imprime uno.",
    "owner.wrong": "Ese no es el código. Tras {left} fallos más no valdrá nada.",
    "owner.worthless": (
        "Ese no es el código, y ahora ya no vale nada. `comal people owner-code` imprime otro."
    ),
    "owner.welcome": "Ahora eres el dueño de este bot.",
    "link.how": "Escribe /link y la otra cuenta, como /link telegram:42; allí la dice /whoami.",
    "link.already": "Tú y {other} ya sois una sola persona.",
    "link.offered": (
        "Anotado. Antes de un día, escríbeme /link {mine} desde {other}: entonces seréis una sola "
        "persona."
    ),
    "link.done": (
        "🔗 {anchor} y {added} son ahora una sola persona, que cuenta una vez. Cada una conserva "
        "sus roles. Lo que responda {added} cuenta desde {time}. /unlink lo termina."
    ),
    "link.named": (
        "A quien una ruta nombra para decidir solo puede enlazarlo quien lleva este bot."
    ),
    "link.settings": (
        "Ambas están en la configuración, como dos personas. Puede cambiarlo quien lleva este bot."
    ),
    "link.both_decide": "Ambas deciden sobre lo que piden otros, y siguen siendo dos personas.",
    "link.too_many": "Una persona no puede tener tantas cuentas.",
    "unlink.how": "Escribe /unlink y la otra cuenta, como /unlink telegram:42.",
    "unlink.none": "Tú y {other} no estáis enlazados aquí.",
    "unlink.done": "🔗 {mine} y {other} ya no están enlazadas. Se recuerda que lo estuvieron.",
    "pair.how": "Aún no te conozco. Escribe /pair en un chat privado y se preguntará a un dueño.",
    "pair.known": "Aquí ya se te conoce; /whoami dice como quién.",
    "pair.no_owner": "Nadie puede admitirte ahora: no se puede llegar a ningún dueño.",
    "pair.pause": "No se te admitió. Puedes volver a pedirlo desde {time}.",
    "pair.crowded": "Demasiada gente espera a ser admitida. Pídelo más tarde.",
    "pair.waiting": "Ya se ha preguntado a un dueño.",
    "pair.asked": "Se pregunta a un dueño. Aquí sabrás lo que diga.",
    "pair.subject": "Admitir a {who}. Roles: {roles}. Se llama a sí mismo {name}",
    "pair.granted": "Un dueño te ha admitido. Roles: {roles}.",
    "pair.refused": "No se te admitió.",
    "pair.expired": "Nadie te ha admitido. Puedes volver a escribir /pair.",
}
