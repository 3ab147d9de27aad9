"""What is said about settings that cannot be used: all of it, with what mends it, no secrets."""

from pathlib import Path

import pytest

from comal_bot.settings import BadSettings, load_settings

TOKEN = "123456789:AAH4t-nobodys-token"
PEOPLE = '[[people]]\nname = "Bo"\nidentities = ["telegram:43"]\nroles = ["finance"]\n'
ROUTE = '[[routes]]\ntool = "refund"\napprovers = ["role:finance"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems(text: str = "", *, serving: bool = False) -> tuple[str, ...]:
    Path("comal.toml").write_text(text)
    with pytest.raises(BadSettings) as caught:
        load_settings(serving=serving)
    return caught.value.problems


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[modle]\n", "comal.toml: [modle] is unknown; did you mean 'model'?"),
        (
            '[channels.main]\ntokn = "1:x"\n',
            "comal.toml: [channels.main] tokn is unknown; did you mean 'token'?",
        ),
        (
            "[data]\nurls = 1\n",
            "comal.toml: [data] urls is unknown; did you mean 'url'?",
        ),
        (
            "[data]\nsize = 1\n",
            "comal.toml: [data] size is unknown; known here: url",
        ),
        (
            f"{PEOPLE}role = []\n",
            "comal.toml: [[people]] #1 role is unknown; did you mean 'roles'?",
        ),
    ],
)
def test_an_unknown_key_is_named_with_its_file_its_place_and_the_near_key(text: str, said: str):
    assert problems(text) == (said,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[host]\nlog = "xml"\n', "[host] log is 'xml'; it must be 'text' or 'json'"),
        ('[host]\nlanguage = "tlh"\n', "[host] language is 'tlh'; allowed: 'en', 'es'"),
        (
            '[host]\nlease = "soon"\n',
            "[host] lease is 'soon'; allowed: a number of seconds above 0, or a text such as "
            "'60s', '10m', '24h'",
        ),
        (
            "[model]\nmax_steps = 0\n",
            "[model] max_steps is 0; it must be greater than or equal to 1",
        ),
        (
            '[model]\nbase_url = "127.0.0.1:11434"\n',
            "[model] base_url is '127.0.0.1:11434'; allowed: a full address such as "
            "'https://host/v1', without user, password, query or fragment",
        ),
        ('model = "qwen3"\n', "[model] is 'qwen3'; it must be a table"),
        ('channels = "main"\n', "[channels] is 'main'; it must be a table"),
        ("[model]\nmax_steps = 1.5\n", "[model] max_steps is 1.5; it must be a whole number"),
        ("[model]\nname = 3\n", "[model] name is 3; it must be a text"),
        ("[tools]\nmodules = 3\n", "[tools] modules is 3; it must be a list"),
        ('[tools]\nmodules = [""]\n', "[tools] modules #1 is ''; it must not be empty"),
        (
            '[model]\nprovider = "anthropic"\n',
            "[model] provider is 'anthropic', which is not available yet; use 'openai-chat', "
            "'scripted', 'openai', 'ollama'",
        ),
        (
            '[channels.main]\ntype = "web"\n',
            "[channels.main] type is 'web', which is not available yet; use 'telegram'",
        ),
        (
            '[channels.main]\ntype = "pigeon"\n',
            "[channels.main] type is 'pigeon'; allowed: 'telegram'",
        ),
        (
            '[channels.main]\nlibrary = "aiogram"\n',
            "[channels.main] library is 'aiogram', which is not available yet; use 'native'",
        ),
        (
            '[data]\nurl = "postgresql://comal:pw@db/comal"\n',
            "[data] url names PostgreSQL, which is not available yet; use 'sqlite:///comal.db'",
        ),
        (
            '[data]\nurl = "comal.db"\n',
            "[data] url is 'comal.db'; allowed: 'sqlite:///' and a file, as in "
            "'sqlite:///comal.db'",
        ),
        (
            '[[people]]\nname = "Ana"\nidentities = ["telegram:@ana"]\n',
            "[[people]] #1 identities #1 is 'telegram:@ana'; allowed: 'telegram:' and the "
            "person's number, not a name",
        ),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(text: str, said: str):
    assert problems(text) == (f"comal.toml: {said}",)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            'approvers = ["role:finanse"]\n',
            "approvers #1 'role:finanse' is a role that nobody holds; known roles: finance",
        ),
        (
            'approvers = ["bo"]\n',
            "approvers #1 is 'bo'; allowed: 'role:<name>', 'person:<name>', 'telegram:<number>' or "
            "'os:<login>'",
        ),
        (
            "approvers = []\n",
            "approvers is empty, so nobody could ever decide; name people or roles",
        ),
        (
            'approvers = ["telegram:43"]\npolicy = "triple"\n',
            "policy is 'triple'; allowed: 'single', 'dual', 'quorum', 'auto'",
        ),
        (
            'approvers = ["telegram:43"]\npolicy = "quorum"\n',
            "k is not set; policy 'quorum' needs to know how many people must say yes",
        ),
        (
            'approvers = ["telegram:43"]\npolicy = "auto"\nrule = "small"\n',
            "approvers would never be asked: policy 'auto' leaves it to its rule; name none",
        ),
        (
            'policy = "auto"\n',
            "rule is not set; policy 'auto' needs the name of a registered rule",
        ),
        (
            'approvers = ["telegram:43"]\ncards = ["man:-100"]\n',
            "cards #1 'man:-100' hangs on no channel of yours; channels: main",
        ),
        (
            'approvers = ["telegram:43"]\nwhen = "amount >"\n',
            "when is 'amount >'; it cannot be read: invalid syntax",
        ),
    ],
)
def test_a_route_that_cannot_work_is_refused(more: str, said: str):
    text = f'{PEOPLE}[[routes]]\ntool = "refund"\n{more}'

    assert problems(text) == (f"comal.toml: [[routes]] #1 {said}",)


def test_a_role_that_is_only_listed_may_approve(folder: Path):
    (folder / "comal.toml").write_text(f'[roles.finance]\nscopes = ["x"]\n{ROUTE}')

    assert load_settings().routes[0].approvers == ("role:finance",)


def test_one_identity_is_not_two_peoples():
    said = "[[people]] #2 identities #1 'telegram:43' is Bo's already; one identity is one person's"

    assert problems(PEOPLE + PEOPLE.replace("Bo", "Eve")) == (f"comal.toml: {said}",)


def test_two_people_do_not_share_a_name():
    said = "[[people]] #2 name 'Bo' is another person's already; give one of them another name"

    assert problems(PEOPLE + PEOPLE.replace("43", "44")) == (f"comal.toml: {said}",)


def test_two_routes_do_not_share_a_name():
    (said,) = problems(PEOPLE + ROUTE + ROUTE)

    assert said.startswith("comal.toml: [[routes]] #2 name 'refund' is another route's already")


def test_everything_wrong_is_told_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMAL_HOST__LEASE", "never")
    monkeypatch.setenv("COMAL_MODEL__API_KEY_FILE", "/no/such/file")
    text = f'[modle]\nx = 1\n[host]\nlog = "xml"\n{PEOPLE}{ROUTE}cards = ["shop:1"]\n'

    said = problems(text, serving=True)

    starts = [
        "COMAL_MODEL__API_KEY_FILE names '/no/such/file', which cannot be read",
        "COMAL_HOST__LEASE is 'never'",
        "comal.toml: [host] log is 'xml'",
        "comal.toml: [modle] is unknown",
        "comal.toml: [[routes]] #1 cards #1 'shop:1' hangs on no channel",
        "COMAL_CHANNELS__MAIN__TOKEN is not set; @BotFather gives one",
        "COMAL_MODEL__NAME is not set",
    ]  # of the key nothing more is said, although no address is set either
    assert len(said) == len(starts)
    assert all(one.startswith(start) for one, start in zip(said, starts, strict=True)), said


@pytest.mark.parametrize("provider", ["openai-chat", "openai"])
def test_a_model_without_address_and_key_is_told_before_serving(provider: str):
    text = f'[model]\nname = "x"\nprovider = "{provider}"\n[channels.main]\ntoken = "{TOKEN}"\n'

    assert problems(text, serving=True) == (
        "COMAL_MODEL__BASE_URL is not set and neither is COMAL_MODEL__API_KEY: "
        "https://api.openai.com wants a key, and any other server its address, such as "
        "'http://127.0.0.1:11434/v1'",
    )


@pytest.mark.parametrize(
    "model", ['base_url = "http://127.0.0.1:9/v1"', 'api_key = "sk-x"', 'provider = "ollama"']
)
def test_a_model_with_an_address_or_a_key_or_a_place_of_its_own_is_served(model: str, folder: Path):
    text = f'[model]\nname = "x"\n{model}\n[channels.main]\ntoken = "{TOKEN}"\n'
    (folder / "comal.toml").write_text(text)

    assert load_settings(serving=True).model.name == "x"


def test_a_data_option_that_names_a_file_is_told(folder: Path):
    (folder / "kept.db").write_text("")

    with pytest.raises(BadSettings) as caught:
        load_settings(data=Path("kept.db"))

    said = "--data names 'kept.db', which is a file; name a folder to keep comal.db in"
    assert caught.value.problems == (said,)


def test_a_channel_that_is_wrong_does_not_hide_what_is_wrong_with_the_next():
    text = f'[channels.Shop]\ntype = "web"\n[channels.main]\nlibrary = "x"\ntoken = "{TOKEN}"\n'

    said = problems(text)

    assert [one.split(" is ")[0] for one in said] == [
        "comal.toml: [channels.Shop] 'Shop'",
        "comal.toml: [channels.Shop] type",
        "comal.toml: [channels.main] library",
    ]


def test_a_person_without_a_name_is_told_while_the_next_one_is_checked():
    said = problems('[[people]]\nidentities = ["telegram:1"]\n' + PEOPLE.replace("43", "@bo"))

    assert said[0] == "comal.toml: [[people]] #1 name is not set"
    assert said[1].startswith("comal.toml: [[people]] #2 identities #1 is 'telegram:@bo'")
    assert len(said) == 2


@pytest.mark.parametrize("token", ['"hunter2-is-no-token"', "271828182845"])
def test_a_wrong_token_is_not_repeated(token: str):
    (said,) = problems(f"[channels.main]\ntoken = {token}\n")

    assert said.startswith("comal.toml: [channels.main] token ")
    assert token.strip('"') not in said


def test_a_password_in_an_address_is_not_repeated():
    (said,) = problems('[data]\nurl = "mysql://comal:hunter2@db/comal"\n')

    assert "hunter2" not in said


def test_a_file_that_is_not_toml_is_told_with_the_line():
    (said,) = problems("[model]\nname qwen3\n", serving=True)

    assert said.startswith("comal.toml: cannot be read as TOML: ")
    assert "line 2" in said


def test_a_config_that_is_not_there_is_told():
    with pytest.raises(BadSettings) as caught:
        load_settings(Path("shop.toml"))

    said = "shop.toml: there is no such file; --config names the settings"
    assert caught.value.problems == (said,)


def test_nothing_but_serving_needs_a_token_or_a_model(folder: Path):
    (folder / "comal.toml").write_text("[channels.main]\n")

    assert load_settings().channels["main"].token.get_secret_value() == ""
