"""Policies, rules and limits as the settings say them, and what is said about wrong ones."""

from pathlib import Path

import pytest

from comal_bot.people import PeopleDirectory
from comal_bot.settings import BadSettings, Settings, load_settings
from comal_runtime.policy import ChannelPolicy
from comal_runtime.rate_limit import DEFAULT_LIMIT, PROBING_LIMIT, UNLIMITED, Limit, Limits
from comal_runtime.rules import TableRule

PEOPLE = '[[people]]\nname = "Bo"\nidentities = ["telegram:43"]\nroles = ["finance"]\n'
NOBODY = PeopleDirectory([], {})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(text: str = "") -> Settings:
    Path("comal.toml").write_text(text)
    return load_settings()


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(BadSettings) as caught:
        loaded(text)
    return caught.value.problems


def test_limits_are_read_as_written() -> None:
    limits = loaded(
        '[limits]\ndefault = "50/1m"\nprincipal = "200/1h"\nprobing = "10 / 60s"\n'
        '[limits.channels]\ntelegram = "20/60s"\nmcp = "off"\n'
        '[limits.tools]\n"refund_*" = "5/1h"\nwipe = "off"\n'
    ).limits

    assert limits.probing == Limit(amount=10, per=60)
    assert limits.budgets() == Limits(
        default=Limit(amount=50, per=60),
        principal=Limit(amount=200, per=3600),
        channels={"telegram": Limit(amount=20, per=60), "mcp": UNLIMITED},
        tools={"refund_*": Limit(amount=5, per=3600), "wipe": UNLIMITED},
    )


def test_without_settings_every_callers_use_of_every_tool_is_limited() -> None:
    limits = loaded().limits

    assert limits.budgets() == Limits(default=DEFAULT_LIMIT)
    assert limits.probing == PROBING_LIMIT


def test_limits_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMAL_LIMITS__PRINCIPAL", "7/1s")
    monkeypatch.setenv("COMAL_LIMITS__CHANNELS__WEB", "8/1s")
    monkeypatch.setenv("COMAL_LIMITS__TOOLS", '{"wipe": "9/1s"}')

    limits = loaded().limits.budgets()

    assert limits.principal.amount == 7
    assert limits.for_use("web", "notes").amount == 8
    assert limits.for_use("web", "wipe").amount == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[limits]\ndefault = "many"\n',
            "[limits] default is 'many'; allowed: an amount and a time such as '100/60s' or "
            "'20/1h', or 'off'",
        ),
        ("[limits]\nprincipal = 5\n", "[limits] principal is 5; allowed: an amount and a time"),
        ('[limits]\ndefault = "5/0s"\n', "[limits] default is '0s'; allowed: a number of seconds"),
        (
            '[limits]\nprobing = "off"\n',
            "[limits] probing is 'off', so that names and tokens could be guessed for ever; "
            "allowed: an amount and a time such as '100/60s' or '20/1h'",
        ),
        ('[limits]\ndefalt = "5/1s"\n', "[limits] defalt is unknown; did you mean 'default'?"),
        (
            '[limits.channels]\ntelegarm = "5/1s"\n',
            "[limits.channels] telegarm is unknown; did you mean 'telegram'?",
        ),
        ('[limits.tools]\n"a*" = "x"\n', "[limits.tools] a* is 'x'; allowed: an amount"),
    ],
)
def test_a_limit_that_cannot_be_read_is_told_with_its_place(text: str, said: str) -> None:
    [problem] = problems(text)

    assert problem.startswith(f"comal.toml: {said}")


@pytest.mark.runtime_line(19)
def test_a_channels_policy_changes_the_named_fields_only() -> None:
    gate = loaded(
        "[policy.telegram]\nblock_mutating = true\n"
        '[policy.web]\nconfirmation_ttl = "1h"\n'
        "[policy.cli]\nallow_all = false\nrequire_auth = true\n"
    ).gate(NOBODY)

    assert gate.channel_policy("telegram") == ChannelPolicy(
        require_auth=True,
        block_mutating=True,
        require_confirmation_for_mutating=True,
        confirmation_ttl=600,
    )
    assert gate.channel_policy("web") == ChannelPolicy(
        require_auth=True, require_confirmation_for_mutating=True, confirmation_ttl=3600
    )
    assert gate.channel_policy("cli") == ChannelPolicy(require_auth=True)


@pytest.mark.runtime_line(18)
def test_every_channel_of_people_asks_before_changes_unless_both_switches_say_otherwise() -> None:
    text = "[policy.web]\nrequire_confirmation_for_mutating = false\n"
    [problem] = problems(text)
    meant = loaded(f"{text}i_accept_unconfirmed_changes = true\n").gate(NOBODY)
    untouched = loaded("[policy.web]\ni_accept_unconfirmed_changes = true\n").gate(NOBODY)

    assert problem == (
        "comal.toml: [policy.web] require_confirmation_for_mutating is false, so that whatever a "
        "model calls there would change things without anybody's yes; "
        "i_accept_unconfirmed_changes = true beside it says that this is meant"
    )
    assert not meant.channel_policy("web").require_confirmation_for_mutating
    assert untouched.channel_policy("web").require_confirmation_for_mutating


@pytest.mark.original_fault("PG:custom-unknown-key", "PG:custom-empty-anon-mut")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[policy.telegram]\nrequires_auth = true\n",
            "[policy.telegram] requires_auth is unknown; did you mean 'require_auth'?",
        ),
        ("[policy.telegarm]\n", "[policy.telegarm] is unknown; did you mean 'telegram'?"),
        (
            '[policy.web]\nrequire_auth = "perhaps"\n',
            "[policy.web] require_auth is 'perhaps'; it must be true or false",
        ),
        (
            "[policy.cli]\nblock_mutating = true\n",
            "[policy.cli] block_mutating is true beside allow_all, which lets everything through; "
            "set allow_all = false",
        ),
    ],
)
def test_a_policy_that_would_not_do_what_it_says_is_refused(text: str, said: str) -> None:
    assert problems(text) == (f"comal.toml: {said}",)


def test_rules_are_read_as_written_and_in_order() -> None:
    settings = loaded(
        f"{PEOPLE}"
        '[[rules]]\nid = "friday"\neffect = "deny"\ntools = ["wipe", "refund_*"]\n'
        'channels = ["telegram"]\nprincipals = ["role:finance", "web:ana"]\n'
        'mutating_only = true\ndescription = "Not on Fridays."\n'
        '[[rules]]\nid = "rest"\neffect = "allow"\nscopes = ["a"]\n'
    )

    assert settings.ruling(NOBODY)._rules == (
        TableRule(
            id="friday",
            effect="deny",
            tools=("wipe", "refund_*"),
            channels=("telegram",),
            principals=("role:finance", "web:ana"),
            mutating_only=True,
            description="Not on Fridays.",
        ),
        TableRule(id="rest", effect="allow", scopes=("a",)),
    )
    assert settings.gate(NOBODY).has_rule_provider()
    assert not loaded().gate(NOBODY).has_rule_provider()


RULE = '[[rules]]\nid = "a"\neffect = "deny"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[rules]]\nid = "a"\n', "[[rules]] #1 effect is not set"),
        (
            '[[rules]]\nid = "a"\neffect = "Deny"\n',
            "[[rules]] #1 effect is 'Deny'; it must be 'allow' or 'deny'",
        ),
        (f'{RULE}tool = ["x"]\n', "[[rules]] #1 tool is unknown; did you mean 'tools'?"),
        (f"{RULE}tools = []\n", "[[rules]] #1 tools is empty, so that the rule would be about"),
        (f'{RULE}scopes = ["x"]\n', "[[rules]] #1 scopes say nothing: a rule denies everybody"),
        (
            f'{RULE}channels = ["telegarm"]\n',
            "[[rules]] #1 channels #1 'telegarm' is no kind of channel; did you mean 'telegram'?",
        ),
        (
            f'{PEOPLE}{RULE}principals = ["role:finanse"]\n',
            "[[rules]] #1 principals #1 'role:finanse' is a role that nobody holds; known roles: "
            "finance",
        ),
        (
            f'{RULE}principals = ["telegram:@ana"]\n',
            "[[rules]] #1 principals #1 is 'telegram:@ana'; allowed: 'telegram:' and the person's",
        ),
        (f"{RULE}{RULE}", "[[rules]] #2 id 'a' is another rule's already; give one of them"),
    ],
)
def test_a_rule_that_cannot_work_is_refused(text: str, said: str) -> None:
    [problem] = problems(text)

    assert problem.startswith(f"comal.toml: {said}"), problem
