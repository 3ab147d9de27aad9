"""Whether what sounds like a change is declared one."""

import pytest

from comal_bot.lint import Severity

from .arranging import found, made


@pytest.mark.parametrize(
    "name",
    [
        "delete_order",
        "deleteOrder",
        "send-mail",
        "pay",
        "order_cancel",
        "borrar_nota",
        "envía_aviso",
    ],
)
def test_a_name_that_sounds_like_a_change_must_be_declared_one(name: str) -> None:
    [one] = found(made(name), rule="mutating-undeclared")

    assert one.severity == Severity.WARNING
    assert found(made(name, mutating=True), rule="mutating-undeclared") == []


@pytest.mark.parametrize(
    "name",
    [
        *("get_deleted", "list_send_jobs", "order_status", "charge_history", "weather"),
        *("ver_pagos", "address_of", "settings", "preview_delete", "estado_pagar_historial"),
    ],
)
def test_a_name_that_sounds_like_reading_may_stay_undeclared(name: str) -> None:
    assert found(made(name), rule="mutating-undeclared") == []
