"""What the host is told: one value, read from comal.toml, `.env` and the environment."""

from .audit import AuditSettings
from .limits import LimitsSettings
from .loading import DATABASE, load_settings
from .policies import CHAT_CHANNELS, ChannelPolicySettings, PolicySettings, RuleSettings
from .problems import BadSettings
from .values import (
    ChannelSettings,
    DataSettings,
    HostSettings,
    ModelSettings,
    PersonSettings,
    RoleSettings,
    RouteSettings,
    Settings,
    ToolsSettings,
)

__all__ = [
    "CHAT_CHANNELS",
    "DATABASE",
    "AuditSettings",
    "BadSettings",
    "ChannelPolicySettings",
    "ChannelSettings",
    "DataSettings",
    "HostSettings",
    "LimitsSettings",
    "ModelSettings",
    "PersonSettings",
    "PolicySettings",
    "RoleSettings",
    "RouteSettings",
    "RuleSettings",
    "Settings",
    "ToolsSettings",
    "load_settings",
]
