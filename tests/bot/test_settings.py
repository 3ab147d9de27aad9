"""What the settings say, and which source is believed."""

from pathlib import Path

import pytest

from comal_bot.settings import ModelSettings, Settings, load_settings
from comal_runtime.consent import Route

TOKEN = "123456789:AAH4t-nobodys-token"

WHOLE = """
[host]
confirmation_ttl = "2m"
[data]
url = "sqlite:////var/lib/comal/record.db"
[model]
provider = "openai"
base_url = "http://127.0.0.1:11434/v1/"
name = "qwen3"
system = "You are the shop's assistant."
[tools]
modules = ["my_tools.py", "package.module"]
[channels.main]
token = "123456789:AAH4t-nobodys-token"
poll_timeout = 5
[[people]]
name = "Ana"
identities = ["telegram:42"]
roles = ["owner"]
[[people]]
name = "Bo"
identities = ["telegram:43"]
roles = ["finance"]
[roles.finance]
scopes = ["orders:read", "verification:resolve"]
[[routes]]
tool = "refund_*"
when = "amount > 100"
approvers = ["role:finance", "role:owner", "telegram:44"]
cards = ["main:-1001000000001", "main:-1001000000001:7"]
policy = "single"
expires = "24h"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_whole_file_is_read_as_written(folder: Path):
    (folder / "comal.toml").write_text(WHOLE)

    settings = load_settings(serving=True)

    assert settings.host.confirmation_ttl == 120
    assert settings.data.path == Path("/var/lib/comal/record.db")
    assert settings.model == ModelSettings(
        provider="openai-chat",
        base_url="http://127.0.0.1:11434/v1",
        name="qwen3",
        system="You are the shop's assistant.",
    )
    assert settings.tools.modules == (str(folder / "my_tools.py"), "package.module")
    assert settings.channels["main"].token.get_secret_value() == TOKEN
    assert settings.channels["main"].poll_timeout == 5
    assert [person.roles for person in settings.people] == [("owner",), ("finance",)]
    assert settings.roles["finance"].scopes == ("orders:read", "verification:resolve")


def test_routes_become_those_of_the_registry(folder: Path):
    (folder / "comal.toml").write_text(WHOLE)

    routing = load_settings().routing()

    assert routing.for_call("refund_order", {"amount": 100}) is None
    assert routing.for_call("refund_order", {"amount": 101}) == Route(
        name="refund_* when amount > 100",
        tool="refund_*",
        when="amount > 100",
        approvers=("role:finance", "role:owner", "telegram:44"),
        cards=("main:-1001000000001", "main:-1001000000001:7"),
        policy="single",
        ttl=86400,
    )


def test_without_any_source_the_defaults_hold():
    settings = load_settings()

    assert settings == Settings()
    assert settings.data.path == Path("comal.db")
    assert (settings.host.lease, settings.host.grace, settings.host.log) == (15, 5, "text")


def test_the_environment_is_believed_before_dotenv_and_dotenv_before_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (folder / "comal.toml").write_text(
        '[model]\nname = "file"\nsystem = "file"\nprovider = "scripted"\n'
    )
    (folder / ".env").write_text("COMAL_MODEL__NAME=dotenv\nCOMAL_MODEL__SYSTEM=dotenv\n")
    monkeypatch.setenv("COMAL_MODEL__NAME", "environment")

    model = load_settings().model

    assert (model.name, model.system, model.provider) == ("environment", "dotenv", "scripted")


def test_an_empty_variable_says_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "comal.toml").write_text('[model]\nname = "file"\n')
    monkeypatch.setenv("COMAL_MODEL__NAME", "")

    assert load_settings().model.name == "file"


def test_a_variable_adds_a_key_to_a_channel_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (folder / "comal.toml").write_text('[channels.shop]\napi_base = "http://127.0.0.1:9"\n')
    monkeypatch.setenv("COMAL_CHANNELS__SHOP__TOKEN", TOKEN)

    shop = load_settings().channels["shop"]

    assert (shop.api_base, shop.token.get_secret_value()) == ("http://127.0.0.1:9", TOKEN)


@pytest.mark.parametrize("text", ['["a.one", "b.two"]', "a.one, b.two"])
def test_a_variable_holds_a_list_as_json_or_with_commas(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_TOOLS__MODULES", text)

    assert load_settings().tools.modules == ("a.one", "b.two")


def test_people_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_PEOPLE", '[{"name": "Ana", "identities": ["telegram:42"]}]')

    assert load_settings().people[0].identities == ("telegram:42",)


@pytest.mark.parametrize("where", ["environment", "dotenv"])
def test_a_secret_is_read_from_the_file_a_variable_names(
    where: str, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (folder / "token").write_text(f"{TOKEN}\n")
    if where == "environment":
        monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN_FILE", str(folder / "token"))
    else:
        (folder / ".env").write_text(f"COMAL_CHANNELS__MAIN__TOKEN_FILE={folder / 'token'}\n")

    assert load_settings().channels["main"].token.get_secret_value() == TOKEN


def test_secrets_are_not_in_the_text_of_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN", TOKEN)
    monkeypatch.setenv("COMAL_MODEL__API_KEY", "sk-very-private")

    shown = repr(load_settings())

    assert TOKEN not in shown
    assert "very-private" not in shown


@pytest.mark.parametrize(
    ("written", "seconds"),
    [('"24h"', 86400), ('"10m"', 600), ('"60s"', 60), ('"1.5h"', 5400), ("90", 90), ("0.5", 0.5)],
)
def test_a_duration_is_seconds(written: str, seconds: float, folder: Path):
    (folder / "comal.toml").write_text(f"[host]\nconfirmation_ttl = {written}\n")

    assert load_settings().host.confirmation_ttl == seconds


def test_tools_of_a_config_elsewhere_lie_beside_it_and_added_ones_here(folder: Path):
    (folder / "etc").mkdir()
    (folder / "etc" / "shop.toml").write_text('[tools]\nmodules = ["one.py"]\n')

    settings = load_settings(Path("etc/shop.toml"), tools=["two.py", "three", "two.py"])

    assert settings.tools.modules == (
        str(folder / "etc" / "one.py"),
        str(folder / "two.py"),
        "three",
    )


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ('[data]\nurl = "sqlite:///kept/record.db"\n', "etc/kept/record.db"),
        ('[data]\nurl = "sqlite:////var/record.db"\n', "/var/record.db"),
        ("", "etc/comal.db"),
    ],
)
def test_the_record_of_a_config_elsewhere_lies_beside_it(folder: Path, data: str, kept: str):
    (folder / "etc").mkdir()
    (folder / "etc" / "shop.toml").write_text(data)

    assert load_settings(Path("etc/shop.toml")).data.path == folder / kept


@pytest.mark.parametrize("where", ["environment", "dotenv"])
def test_files_that_variables_name_lie_in_the_working_directory(
    where: str, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (folder / "etc").mkdir()
    (folder / "etc" / "shop.toml").write_text('[data]\nurl = "sqlite:///other.db"\n')
    named = {"COMAL_DATA__URL": "sqlite:///own.db", "COMAL_TOOLS__MODULES": "one.py,package.two"}
    if where == "environment":
        for name, value in named.items():
            monkeypatch.setenv(name, value)
    else:
        (folder / ".env").write_text("".join(f"{key}={value}\n" for key, value in named.items()))

    settings = load_settings(Path("etc/shop.toml"))

    assert settings.data.path == folder / "own.db"
    assert settings.tools.modules == (str(folder / "one.py"), "package.two")


@pytest.mark.parametrize(
    ("model", "address"),
    [
        (ModelSettings(), "https://api.openai.com"),
        (ModelSettings(provider="ollama"), "http://127.0.0.1:11434"),
        (ModelSettings(base_url="https://host/v1/"), "https://host/v1"),
        (ModelSettings(provider="scripted"), ""),
    ],
)
def test_a_model_has_the_address_of_the_settings_or_of_its_provider(
    model: ModelSettings, address: str
):
    assert model.address == address


def test_a_data_folder_is_believed_before_everything(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_DATA__URL", "sqlite:///elsewhere.db")

    assert load_settings(data=Path("kept")).data.path == folder / "kept" / "comal.db"


def test_serving_without_a_channel_means_telegram(monkeypatch: pytest.MonkeyPatch, folder: Path):
    (folder / "comal.toml").write_text('[model]\nprovider = "scripted"\n')
    (folder / "token").write_text(TOKEN)
    monkeypatch.setenv("COMAL_CHANNELS__MAIN__TOKEN_FILE", "token")

    assert load_settings(serving=True).channels["main"].type == "telegram"


def test_a_service_address_that_kubernetes_sets_is_no_setting(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_PORT", "tcp://10.0.0.1:80")
    monkeypatch.setenv("COMAL_SERVICE_HOST", "10.0.0.1")

    assert load_settings() == Settings()
