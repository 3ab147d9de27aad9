"""How `comal demo` begins and ends: signals, folders, ports, and nothing left behind."""

import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from .running import bot_pid, command, gone


@pytest.mark.parametrize(("which", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_everything_within_five_seconds(demo, which, code):
    pid = bot_pid(demo)
    began = time.monotonic()
    demo.process.send_signal(which)

    assert demo.process.wait(5) == code
    assert time.monotonic() - began < 5
    assert gone(pid, 0.5)
    with pytest.raises(httpx.ConnectError):
        httpx.get(demo.url, trust_env=False)


def test_ctrl_c_pressed_twice_ends_quietly(demo):
    bot_pid(demo)
    for _ in range(2):
        demo.process.send_signal(signal.SIGINT)
        time.sleep(0.05)

    assert demo.process.wait(5) == 130
    assert demo.process.stderr is not None
    assert demo.process.stderr.read() == ""


def test_an_attempt_at_work_does_not_keep_the_demo_from_ending(demo):
    bot_pid(demo)
    with ThreadPoolExecutor() as pool:
        attempt = pool.submit(demo.client.post, "/api/cheat", json={"name": "freeze"})
        demo.until(lambda: demo.state()["bot"]["state"] == "frozen")
        began = time.monotonic()
        demo.process.terminate()

        assert demo.process.wait(5) == 0
        assert time.monotonic() - began < 5
        assert attempt.result().json() == {"error": "the demo ends"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent")
def test_a_killed_demo_leaves_no_bot_behind(demo):
    pid = bot_pid(demo)

    demo.process.kill()

    assert gone(pid, 5)


def test_the_folder_of_a_run_that_was_killed_can_be_used_again(demo):
    bot_pid(demo)
    demo.process.kill()
    demo.process.wait()

    with subprocess.Popen(command(demo.folder), stdout=subprocess.PIPE, text=True) as again:
        assert again.stdout is not None
        line = again.stdout.readline()
        again.terminate()

    assert "http://127.0.0.1:" in line
    assert again.returncode == 0


def test_a_port_in_use_is_said_with_the_option_that_names_another(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            command(tmp_path / "demo", port), capture_output=True, text=True, check=False
        )

    assert ended.returncode == 1
    assert ended.stderr.startswith(f"comal: port {port}")
    assert "--port" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_folder_with_somebodys_settings_is_refused_before_anything_runs(tmp_path):
    own = tmp_path / "comal.toml"
    own.write_text('[channels.main]\ntoken = "1:mine"\n')

    ended = subprocess.run(command(tmp_path), capture_output=True, text=True, check=False)

    assert ended.returncode == 1
    assert ended.stderr.startswith(f"comal: {own}")
    assert "--data" in ended.stderr
    assert own.read_text() == '[channels.main]\ntoken = "1:mine"\n'
    assert list(tmp_path.iterdir()) == [own]


def test_a_folder_that_cannot_be_made_is_said_with_the_option_that_names_another(tmp_path):
    (tmp_path / "file").write_text("")

    ended = subprocess.run(
        command(tmp_path / "file" / "demo"), capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith("comal: ")
    assert "--data" in ended.stderr


def test_every_file_of_the_demo_is_its_owners_alone(demo):
    bot_pid(demo)
    demo.until((demo.folder / "comal.db").exists)

    modes = {path.name: path.stat().st_mode & 0o077 for path in demo.folder.iterdir()}
    assert {"shop.db", "bot.log", "comal.toml", "comal.db"} <= set(modes)
    assert set(modes.values()) == {0}
