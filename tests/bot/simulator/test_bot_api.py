"""The emulated server's transports and addresses, over a real socket."""

import json

import httpx
import pytest


@pytest.mark.parametrize("way", ["json", "form", "multipart", "query"])
async def test_parameters_come_by_any_transport(url, bot, ada, way):
    chat = ada.chat_with(bot)
    markup = {"inline_keyboard": [[{"text": "Ja & né", "callback_data": "q:yes"}]]}
    text = "line one\r\nline two — ünï+%20 😀"
    plain = {"chat_id": str(chat.id), "text": text, "reply_markup": json.dumps(markup)}
    address = f"{url}/bot{bot.token}/sendmessage"

    async with httpx.AsyncClient() as client:
        match way:
            case "json":
                body = {"chat_id": chat.id, "text": text, "reply_markup": markup}
                response = await client.post(address, json=body)
            case "form":
                response = await client.post(address, data=plain)
            case "multipart":
                fields = {name: (None, value) for name, value in plain.items()}
                upload = {"document": ("a.txt", b"file content")}
                response = await client.post(address, files=fields | upload)
            case "query":
                response = await client.get(address, params=plain)

    assert response.status_code == 200, response.text
    (view,) = ada.transcript(chat)
    assert view.text == text
    assert view.labels == ("Ja & né",)
    assert response.json()["result"]["reply_markup"] == markup


async def test_an_unknown_method_is_404_and_an_unknown_token_401(url, api):
    async with httpx.AsyncClient() as client:
        stranger = await client.get(f"{url}/bot9:no/getMe")

    assert (await api("sendTelegraph")).refused == (404, "Not Found")
    assert stranger.status_code == 401
    assert stranger.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_a_body_over_20_mb_is_413(url, bot):
    async with httpx.AsyncClient() as client:
        response = await client.post(
            f"{url}/bot{bot.token}/sendMessage", content=b"x" * (20 * 1024 * 1024 + 1)
        )

    assert response.status_code == 413
    assert response.json()["description"] == "Request Entity Too Large"
