"""Who may speak to the demo: every route, seen from another host, another origin, without token."""

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.requests import Request
from starlette.routing import Mount, Route

from comal_bot.simulator.board import Board
from comal_bot.simulator.cast import assemble
from comal_bot.simulator.child import Launch
from comal_bot.simulator.faults import Faults
from comal_bot.simulator.folder import held
from comal_bot.simulator.serving import serve
from comal_bot.simulator.web import Misasked, _fields, demo_app, demo_routes
from comal_bot.simulator.world import TelegramWorld

TOKEN = "a-token-of-this-run"
GOOD = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def board(tmp_path: Path, clock) -> Iterator[Board]:
    with held(tmp_path) as folder:
        launch = Launch(
            command=(sys.executable, "-c", ""),
            folder=folder.path,
            environment={},
            log_file=folder.log,
        )
        yield Board(assemble(TelegramWorld(clock)), folder, launch)


@pytest.fixture
async def client(board: Board) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        serve(demo_app(board, Faults(board.cast.world), TOKEN)) as url,
        httpx.AsyncClient(base_url=url) as client,
    ):
        yield client


def every_route(board: Board) -> list[tuple[str, str]]:
    """List (method, path) of all there is, so that a new route cannot be forgotten."""
    found = []
    for route in demo_routes(board, Faults(board.cast.world)):
        if isinstance(route, Mount):
            found.append(("GET", f"{route.path}/main.js"))
            continue
        assert isinstance(route, Route)
        path = route.path.replace("{token}", board.cast.bot.token).replace("{method}", "getMe")
        found += [(method, path) for method in sorted(route.methods or {"GET", "POST"})]
    return found


def private(board: Board) -> list[tuple[str, str]]:
    return [(method, path) for method, path in every_route(board) if path.startswith("/api/")]


async def test_the_shell_and_its_files_are_open_and_hold_no_token(client, board):
    for path in ("/", "/healthz", "/static/main.js", "/static/base.css", "/favicon.ico"):
        answer = await client.get(path)
        assert answer.status_code == 200
        assert TOKEN not in answer.text
        assert board.cast.bot.token not in answer.text
        assert "set-cookie" not in answer.headers
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert (await client.get("/healthz")).text == "ok"


async def test_the_page_has_nothing_inline_that_its_own_policy_would_refuse(client):
    page = (await client.get("/")).text

    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == page.count('<script type="module" src=')


async def test_every_route_is_refused_at_another_host(client, board):
    port = urlsplit(str(client.base_url)).port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", "127.0.0.1", ""):
        for method, path in every_route(board):
            answer = await client.request(method, path, headers={**GOOD, "Host": host})
            assert answer.status_code == 403, (host, path)


async def test_a_refusal_says_why_in_a_sentence(client):
    other = await client.get("/", headers={"Host": "evil.example"})
    foreign = await client.get("/", headers={"Origin": "http://evil.example"})
    nobody = await client.get("/api/state")

    assert "answers at http://127.0.0.1:" in other.text
    assert "another origin" in foreign.text
    assert "link the terminal printed" in nobody.text


async def test_every_route_is_refused_to_another_origin(client, board):
    port = urlsplit(str(client.base_url)).port
    for origin in (
        "http://evil.example",
        "null",
        "http://127.0.0.1:1",
        f"https://127.0.0.1:{port}",
    ):
        for method, path in every_route(board):
            answer = await client.request(method, path, headers={**GOOD, "Origin": origin})
            assert answer.status_code == 403, (origin, path)


@pytest.mark.parametrize(
    "given",
    [None, "", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"],
)
async def test_no_private_route_answers_without_the_token(client, board, given):
    assert private(board)
    for method, path in private(board):
        headers = {} if given is None else {"Authorization": given}
        answer = await client.request(method, path, headers=headers)
        assert answer.status_code == 401, path
        assert TOKEN not in answer.text


async def test_the_token_counts_in_the_header_alone(client):
    in_query = await client.get("/api/state", params={"token": TOKEN})
    twice = await client.get("/api/state", headers=[("Authorization", f"Bearer {TOKEN}")] * 2)
    strange = await client.get("/api/state", headers={"Authorization": b"Bearer \xff\xfe"})

    assert [one.status_code for one in (in_query, twice, strange)] == [401, 401, 401]


async def test_a_path_that_nobody_serves_is_not_found_with_the_token_and_without(client):
    for path in ("/api", "/api/nothing", "/openapi.json", "//api/state", "/API/state"):
        for headers in ({}, GOOD):
            assert (await client.get(path, headers=headers)).status_code == 404, path


async def test_a_route_asked_in_the_wrong_way_needs_the_token_too(client):
    assert (await client.post("/api/state")).status_code == 401
    assert (await client.get("/api/send")).status_code == 401


async def test_no_way_leads_out_of_the_pages_folder(client):
    for path in ("/static/../demo.py", "/static/%2e%2e/demo.py", "/static/..%2fdemo.py"):
        assert (await client.get(path, headers=GOOD)).status_code == 404


async def test_the_bot_api_is_guarded_by_its_own_token(client, board):
    wrong = await client.get("/bot1:wrong/getMe")
    right = await client.get(f"/bot{board.cast.bot.token}/getMe")

    assert wrong.status_code == 401
    assert right.json()["result"]["username"] == "comal_bot"


async def test_with_the_token_localhost_is_as_good_as_its_number(client):
    port = urlsplit(str(client.base_url)).port
    host = f"localhost:{port}"

    answer = await client.get(
        "/api/state", headers={**GOOD, "Host": host, "Origin": f"http://{host}"}
    )

    assert [one["name"] for one in answer.json()["people"]] == ["Rosa", "Bruno", "Ana", "Andrés"]


async def test_nobody_writes_where_they_are_not_or_presses_what_is_not_there(client, board):
    approvers = board.cast.approvers.key
    wrong = [
        ("/api/send", {"person": 1002, "chat": approvers, "text": "let me in"}),
        ("/api/send", {"person": 9, "chat": approvers, "text": "hello"}),
        ("/api/send", {"person": 1001, "chat": "-1", "text": "hello"}),
        ("/api/press", {"person": 1003, "chat": approvers, "message": 1, "data": "q1:x:y"}),
        ("/api/cheat", {"name": "nothing"}),
    ]
    for path, fields in wrong:
        answer = await client.post(path, json=fields, headers=GOOD)
        assert answer.status_code == 400, path
        assert answer.json()["error"]

    assert (await client.post("/api/send", content=b"{", headers=GOOD)).status_code == 400
    assert board.cast.world.transcript(board.cast.approvers) == []


@pytest.mark.parametrize("route", ["send", "press", "cheat"])
async def test_json_nested_beyond_reading_is_refused_with_a_sentence(client, route: str) -> None:
    answer = await client.post(f"/api/{route}", content=b"[" * 30_000, headers=GOOD)

    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]


async def test_a_body_beyond_the_limit_is_refused_before_the_rest_of_it_is_read() -> None:
    read = 0

    async def receive() -> dict[str, object]:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": b" " * 40_000, "more_body": True}

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    with pytest.raises(Misasked, match="at most"):
        await _fields(request)

    assert read == 2
