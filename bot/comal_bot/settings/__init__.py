"""What the host is told: one value, read from comal.toml, `.env` and the environment."""

from .loading import DATABASE, load_settings
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
    "DATABASE",
    "BadSettings",
    "ChannelSettings",
    "DataSettings",
    "HostSettings",
    "ModelSettings",
    "PersonSettings",
    "RoleSettings",
    "RouteSettings",
    "Settings",
    "ToolsSettings",
    "load_settings",
]
