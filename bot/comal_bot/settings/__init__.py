"""What the host is told: one value, read from comal.toml, `.env` and the environment."""

from .audit import AuditSettings
from .limits import LimitsSettings
from .loading import DATABASE, load_settings
from .pairing import PairingSettings
from .policies import CHAT_CHANNELS, ChannelPolicySettings, PolicySettings, RuleSettings
from .problems import BadSettings
from .receipts import ReceiptsSettings
from .routes import RouteSettings
from .values import (
    ChannelSettings,
    DataSettings,
    HostSettings,
    ModelSettings,
    PersonSettings,
    RoleSettings,
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
    "PairingSettings",
    "PersonSettings",
    "PolicySettings",
    "ReceiptsSettings",
    "RoleSettings",
    "RouteSettings",
    "RuleSettings",
    "Settings",
    "ToolsSettings",
    "load_settings",
]
