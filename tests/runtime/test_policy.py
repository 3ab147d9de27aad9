"""The policy gate: its checks, their order and what a denial says."""

import logging
from dataclasses import replace

import pytest

from comal_runtime.context import ToolContext
from comal_runtime.errors import BadDeclaration
from comal_runtime.policy import ChannelPolicy, PolicyGate, PolicyRule, Verdict
from comal_runtime.tools import Tool

from .uses import caller, wipe


class OneRule:
    """Answers every use with the same rule and remembers who was asked about."""

    def __init__(self, rule: PolicyRule | None) -> None:
        self.rule = rule
        self.asked: list[tuple[str, str]] = []

    def find(self, ctx: ToolContext, tool: Tool) -> PolicyRule | None:
        self.asked.append((ctx.channel, tool.name))
        return self.rule


def gate(rule: PolicyRule | None = None) -> PolicyGate:
    return PolicyGate(OneRule(rule))


@pytest.mark.runtime_line(16, 17, 18)
@pytest.mark.original_fault(
    "PG:scope-space-principal", "PG:base-telegram-null", "PG:confirm-telegram-mut-anonymous"
)
@pytest.mark.parametrize("principal", [None, "", "  \t"])
@pytest.mark.parametrize("channel", ["mcp", "web", "telegram", "sms"])
def test_nobody_is_let_in_where_a_principal_is_required(
    channel: str, principal: str | None
) -> None:
    verdict = PolicyGate().authorize(caller(channel, principal), wipe())

    assert verdict == Verdict(
        allowed=False,
        reason=f"channel '{channel}' requires an authenticated principal "
        "(require_auth) — none provided.",
        check="require_auth",
    )


@pytest.mark.parametrize("channel", ["cli", "tui", "console"])
def test_the_terminal_channels_let_nobody_in_particular_change_things(channel: str) -> None:
    assert PolicyGate().authorize(caller(channel, None), wipe(mutating=True)).allowed


def test_zero_is_a_principal() -> None:
    assert PolicyGate().authorize(caller("web", "0"), wipe()).allowed


@pytest.mark.runtime_line(16)
@pytest.mark.original_fault("PG:scope-mcp-any-of", "PG:scope-prefix-wildcard")
@pytest.mark.parametrize(
    ("held", "needed", "allowed"),
    [
        (("b",), ("a", "b"), True),
        (("*",), ("a",), True),
        (("notes:*",), ("notes:read",), False),
        (("Notes:Read",), ("notes:read",), False),
        (("a",), ("*",), False),
    ],
)
def test_one_of_the_tools_scopes_must_be_held_exactly(
    held: tuple[str, ...], needed: tuple[str, ...], allowed: bool
) -> None:
    assert PolicyGate().authorize(caller(scopes=held), wipe(needed)).allowed is allowed


@pytest.mark.runtime_line(17)
def test_a_missing_scope_is_told_with_what_was_needed_and_held() -> None:
    some = PolicyGate().authorize(caller(scopes=("x", "y")), wipe(("a", "b")))
    none = PolicyGate().authorize(caller(), wipe(("a",)))

    assert some.reason == (
        "Missing required scope for tool 'wipe'. Need one of: a, b — context has: x, y."
    )
    assert none.reason.endswith("Need one of: a — context has: (none).")
    assert some.check == "scopes"


@pytest.mark.original_fault("PG:custom-allow_all-scope-miss")
def test_allow_all_does_not_replace_a_scope() -> None:
    assert PolicyGate().authorize(caller("cli", None), wipe(("a",))).check == "scopes"


@pytest.mark.runtime_line(16)
def test_the_principal_is_checked_before_scopes_and_scopes_before_rules() -> None:
    rules = OneRule(PolicyRule(id=7, effect="deny"))
    subject = PolicyGate(rules)

    nobody = subject.authorize(caller(principal=None), wipe(("a",)))
    unscoped = subject.authorize(caller(), wipe(("a",)))
    denied = subject.authorize(caller(scopes=("a",)), wipe(("a",)))

    assert [nobody.check, unscoped.check, denied.check] == ["require_auth", "scopes", "rule"]
    assert rules.asked == [("web", "wipe")]


@pytest.mark.runtime_line(17)
def test_a_rules_denial_names_rule_tool_channel_and_principal() -> None:
    plain = gate(PolicyRule(id=7, effect="deny")).authorize(caller(), wipe())
    described = gate(PolicyRule(id=7, effect="deny", description="Maintenance")).authorize(
        caller(), wipe()
    )

    told = "Denied by policy rule #7 for tool 'wipe' on channel 'web' (principal: 42)"
    assert plain.reason == f"{told}."
    assert described.reason == f"{told}: Maintenance"


@pytest.mark.original_fault(
    "PG:rule-deny-beats-allow_all", "PG:rule-deny-scopes-web", "PG:rule-deny-scopes-held"
)
def test_a_deny_rule_beats_allow_all_and_every_scope() -> None:
    rule = PolicyRule(id=7, effect="deny", requires_scopes=("admin",))

    assert not gate(rule).authorize(caller("cli", scopes=("*",)), wipe()).allowed


@pytest.mark.runtime_line(16)
@pytest.mark.original_fault("PG:rule-allow-beats-block_mutating")
def test_an_allow_rule_overrides_block_mutating_and_nothing_else() -> None:
    subject = gate(PolicyRule(id=8, effect="allow"))
    subject.set_channel_policy("web", block_mutating=True)

    assert subject.authorize(caller(), wipe(mutating=True)).allowed
    assert not subject.authorize(caller(principal=None), wipe(mutating=True)).allowed
    assert not subject.authorize(caller(), wipe(("a",), mutating=True)).allowed


@pytest.mark.runtime_line(16)
def test_a_rule_may_ask_for_further_scopes() -> None:
    subject = gate(PolicyRule(id=8, effect="allow", requires_scopes=("admin",)))

    denied = subject.authorize(caller(scopes=("a",)), wipe())

    assert denied.reason == (
        "Policy rule #8 for tool 'wipe' on channel 'web' requires one of these scopes: "
        "admin — context has: a."
    )
    assert subject.authorize(caller(scopes=("admin",)), wipe()).allowed


@pytest.mark.original_fault("PG:rule-unknown-effect-web")
def test_a_rule_whose_effect_is_neither_allow_nor_deny_cannot_be_made() -> None:
    with pytest.raises(BadDeclaration, match="'ALLOW'"):
        PolicyRule(id=1, effect="ALLOW")


@pytest.mark.runtime_line(17)
def test_block_mutating_names_tool_and_channel_and_lets_reading_through() -> None:
    subject = PolicyGate()
    subject.set_channel_policy("web", block_mutating=True)

    verdict = subject.authorize(caller(), wipe(mutating=True))

    assert verdict.reason == (
        "Mutating tool 'wipe' is blocked on channel 'web' (block_mutating policy)."
    )
    assert verdict.check == "block_mutating"
    assert subject.authorize(caller(), wipe()).allowed


@pytest.mark.runtime_line(18)
@pytest.mark.original_fault("PG:unknown-channel-mutating")
def test_an_unknown_channel_is_closed_and_warned_about_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    subject = PolicyGate()

    with caplog.at_level(logging.WARNING):
        first = subject.authorize(caller("sms"), wipe(mutating=True))
        second = subject.authorize(caller("sms"), wipe())
        subject.authorize(caller("fax"), wipe())

    assert not first.allowed
    assert second.allowed
    assert subject.requires_confirmation(caller("sms"), wipe(mutating=True))
    assert [record.__dict__["channel"] for record in caplog.records] == ["sms", "fax"]


@pytest.mark.runtime_line(19)
@pytest.mark.original_fault("PG:override-mcp-merge")
def test_changing_a_policy_keeps_the_fields_that_were_not_named() -> None:
    subject = PolicyGate()

    subject.set_channel_policy("mcp", block_mutating=True)
    subject.set_channel_policy("mcp", confirmation_ttl=600.0)

    assert subject.channel_policy("mcp") == ChannelPolicy(
        require_auth=True, block_mutating=True, confirmation_ttl=600.0
    )


@pytest.mark.original_fault("PG:custom-empty-anon-mut")
def test_changing_an_unknown_channel_starts_from_the_closed_policy() -> None:
    subject = PolicyGate()

    subject.set_channel_policy("sms", block_mutating=False)

    policy = subject.channel_policy("sms")
    assert policy.require_auth
    assert policy.require_confirmation_for_mutating


@pytest.mark.runtime_line(19)
@pytest.mark.original_fault("PG:custom-unknown-key")
def test_a_misspelt_field_raises_and_changes_nothing() -> None:
    subject = PolicyGate()

    with pytest.raises(TypeError, match="requires_auth"):
        subject.set_channel_policy("cli", requires_auth=True)  # type: ignore[call-arg]

    assert subject.channel_policy("cli") == ChannelPolicy(allow_all=True)


def test_a_text_is_no_switch() -> None:
    with pytest.raises(BadDeclaration, match="'no'"):
        PolicyGate().set_channel_policy("cli", require_auth="no")


@pytest.mark.runtime_line(18, 22)
@pytest.mark.parametrize(
    ("channel", "expected"),
    [("cli", False), ("web", False), ("mcp", False), ("telegram", True), ("console", True)],
)
def test_confirmation_follows_the_channel_for_mutating_tools(channel: str, expected: bool) -> None:
    assert PolicyGate().requires_confirmation(caller(channel), wipe(mutating=True)) is expected


@pytest.mark.runtime_line(22)
@pytest.mark.original_fault("PG:confirm-cli-read-rc", "RC:cli-confirm-tool")
def test_a_tool_declared_confirm_asks_everywhere_and_a_reading_one_nowhere() -> None:
    assert PolicyGate().requires_confirmation(caller("cli"), wipe(confirm=True))
    assert not PolicyGate().requires_confirmation(caller("telegram"), wipe())


def test_a_denial_stays_on_one_line_whatever_the_caller_is_called() -> None:
    verdict = gate(PolicyRule(id=1, effect="deny")).authorize(
        caller("web", "eve\nallowed: yes"), wipe()
    )

    assert verdict.reason.splitlines() == [verdict.reason]


def test_the_gate_tells_whether_rules_are_asked() -> None:
    assert gate().has_rule_provider()
    assert not PolicyGate().has_rule_provider()


def test_a_verdict_names_the_rule_that_decided() -> None:
    allowed = gate(PolicyRule(id="open", effect="allow")).authorize(caller(), wipe())
    denied = gate(PolicyRule(id="shut", effect="deny")).authorize(caller(), wipe())

    assert (allowed.rule, denied.rule) == ("open", "shut")


@pytest.mark.runtime_line(18)
@pytest.mark.parametrize(
    ("channel", "policy"),
    [
        ("cli", ChannelPolicy(allow_all=True)),
        ("tui", ChannelPolicy(allow_all=True)),
        ("mcp", ChannelPolicy(require_auth=True)),
        ("web", ChannelPolicy(require_auth=True)),
        ("telegram", ChannelPolicy(require_auth=True, require_confirmation_for_mutating=True)),
        ("console", ChannelPolicy(allow_all=True, require_confirmation_for_mutating=True)),
        (
            "sms",
            ChannelPolicy(
                require_auth=True, block_mutating=True, require_confirmation_for_mutating=True
            ),
        ),
    ],
)
def test_the_channels_come_with_these_policies(channel: str, policy: ChannelPolicy) -> None:
    assert PolicyGate().channel_policy(channel) == policy


@pytest.mark.original_fault("PG:sig-fingerprint-telegram", "PG:session-granted-list")
@pytest.mark.parametrize("extra", [{"signer.fingerprint": "AB"}, {"session.granted": ["wipe"]}])
def test_nothing_in_extra_stands_for_a_consent(extra: dict[str, object]) -> None:
    ctx = replace(caller("telegram"), extra=extra)

    assert PolicyGate().requires_confirmation(ctx, wipe(mutating=True))
