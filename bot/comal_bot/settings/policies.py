"""`[policy.<channel>]` and `[[rules]]`: who may use which tool where."""

from typing import Final, Literal

from comal_runtime.policy import PolicyGate, PolicyRuleProvider

from .fields import Caller, Text
from .section import Section
from .wording import Duration

CHAT_CHANNELS: Final = ("telegram", "web", "console", "mcp")
"""Channels of people: on them everything that changes something asks first."""

ACCEPTED: Final = "i_accept_unconfirmed_changes"


class ChannelPolicySettings(Section):
    """What a channel allows; what is not said stays as it is. `confirmation_ttl` is in seconds.

    On a channel of people `require_confirmation_for_mutating = false` counts only beside
    `i_accept_unconfirmed_changes = true`.
    """

    allow_all: bool | None = None
    require_auth: bool | None = None
    block_mutating: bool | None = None
    require_confirmation_for_mutating: bool | None = None
    confirmation_ttl: Duration | None = None
    i_accept_unconfirmed_changes: bool = False


class PolicySettings(Section):
    """The policy of each channel."""

    telegram: ChannelPolicySettings = ChannelPolicySettings()
    web: ChannelPolicySettings = ChannelPolicySettings()
    console: ChannelPolicySettings = ChannelPolicySettings()
    mcp: ChannelPolicySettings = ChannelPolicySettings()
    cli: ChannelPolicySettings = ChannelPolicySettings()
    tui: ChannelPolicySettings = ChannelPolicySettings()

    def gate(
        self, rules: PolicyRuleProvider | None = None, *, confirmation_ttl: float = 600.0
    ) -> PolicyGate:
        """Return the gate as the registry uses it; `confirmation_ttl` is for channels of people."""
        gate = PolicyGate(rules)
        for channel in CHAT_CHANNELS:
            gate.set_channel_policy(
                channel, require_confirmation_for_mutating=True, confirmation_ttl=confirmation_ttl
            )
        for channel, policy in self:
            said = policy.model_dump(exclude_none=True, exclude={ACCEPTED})
            gate.set_channel_policy(channel, **said)
        return gate


class RuleSettings(Section):
    """A rule about uses of tools; the first that fits decides. See `TableRule`."""

    id: Text
    effect: Literal["allow", "deny"]
    tools: tuple[Text, ...] = ("*",)
    channels: tuple[Text, ...] = ("*",)
    principals: tuple[Caller, ...] = ()
    scopes: tuple[Text, ...] = ()
    mutating_only: bool = False
    description: str = ""
