"""The client says what the server said, and never the token."""

import logging

import pytest

from comal_bot.channels.telegram import BotApi, BotApiError
from comal_runtime.http.client import HttpError

from .scripted_http import TOKEN, ScriptedHttp, answer, refusal


def api(http: ScriptedHttp, base: str = "https://bot.example") -> BotApi:
    return BotApi(TOKEN, http, base)


async def test_a_call_posts_json_to_the_method_and_gives_its_result():
    http = ScriptedHttp(getChat=[{"id": 5}])

    result = await api(http, "https://bot.example/").call("getChat", {"chat_id": 5}, timeout=7)

    assert result == {"id": 5}
    assert http.calls == [("getChat", {"chat_id": 5})]
    assert http.urls == [f"https://bot.example/bot{TOKEN}/getChat"]
    assert http.timeouts == [7]


async def test_a_refusal_carries_code_description_pause_and_new_chat():
    http = ScriptedHttp(
        sendMessage=[
            refusal(429, "Too Many Requests: retry after 33", retry_after=33),
            refusal(400, "Bad Request: upgraded", migrate_to_chat_id=-1002000000077),
        ]
    )
    client = api(http)

    with pytest.raises(BotApiError) as flooded:
        await client.call("sendMessage", {})
    with pytest.raises(BotApiError) as moved:
        await client.call("sendMessage", {})

    assert (flooded.value.code, flooded.value.retry_after) == (429, 33.0)
    assert flooded.value.description == "Too Many Requests: retry after 33"
    assert (moved.value.retry_after, moved.value.migrate_to) == (None, "-1002000000077")


@pytest.mark.parametrize("parameters", [{"retry_after": "soon"}, {"retry_after": -1}, None, []])
async def test_a_pause_that_is_no_number_falls_back_to_the_header(parameters: object):
    body = {"ok": False, "error_code": 429, "description": "slow", "parameters": parameters}
    http = ScriptedHttp(getMe=[answer(body, status=429, headers={"retry-after": "9"})])

    with pytest.raises(BotApiError) as refused:
        await api(http).call("getMe", {})

    assert refused.value.retry_after == 9.0


async def test_a_proxy_page_is_a_refusal_with_its_status():
    http = ScriptedHttp(sendMessage=[answer(b"<html>bad gateway", status=502)])

    with pytest.raises(BotApiError) as refused:
        await api(http).call("sendMessage", {})

    assert refused.value.code == 502


@pytest.mark.parametrize("body", [b"<html>hello", b"[]", b'{"result": 1}', b"", b"[" * 100_000])
async def test_a_success_that_is_no_bot_api_answer_may_have_been_acted_upon(body: bytes):
    http = ScriptedHttp(sendMessage=[answer(body)])

    with pytest.raises(HttpError) as lost:
        await api(http).call("sendMessage", {})

    assert lost.value.sent is True


async def test_bytes_that_are_not_utf8_do_not_spoil_the_answer():
    http = ScriptedHttp(getUpdates=[answer(b'{"ok":true,"result":[{"name":"\xff\xfeX"}]}')])

    result = await api(http).call("getUpdates", {})

    assert result == [{"name": "��X"}]


async def test_the_token_shows_in_no_repr_error_or_log(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    url = f"https://bot.example/bot{TOKEN}/getMe"
    http = ScriptedHttp(
        getMe=[HttpError(f"cannot reach {url}", sent=False), refusal(404, f"no {TOKEN} here")]
    )
    client = api(http)

    with pytest.raises(HttpError) as unsent:
        await client.call("getMe", {})
    with pytest.raises(BotApiError) as refused:
        await client.call("getMe", {})

    assert unsent.value.sent is False
    assert unsent.value.__cause__ is None
    shown = [repr(client), str(unsent.value), repr(refused.value), refused.value.description]
    assert not [text for text in [*shown, caplog.text] if "secret" in text]


@pytest.mark.parametrize("token", ["", "1:a b", "1:a\n", "1:a/../x", "1:a?x", "1:a#x"])
def test_a_token_that_cannot_stand_in_a_url_is_refused_at_once(token: str):
    with pytest.raises(ValueError, match="BotFather") as refused:
        BotApi(token, ScriptedHttp())

    assert not token or token not in str(refused.value)
