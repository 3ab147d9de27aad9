"""The settings as values. A value that exists is one the host can use."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from comal_runtime.consent import Directory, Routes
from comal_runtime.llm.service import DEFAULT_BASES
from comal_runtime.policy import PolicyGate
from comal_runtime.rules import TableRule, TableRules

from .audit import AuditSettings
from .fields import (
    SQLITE,
    ApiKey,
    BotToken,
    ChannelName,
    ChannelType,
    DatabaseUrl,
    Identity,
    Language,
    Library,
    Name,
    Provider,
    Text,
    WebAddress,
)
from .limits import LimitsSettings
from .pairing import PairingSettings
from .policies import PolicySettings, RuleSettings
from .receipts import ReceiptsSettings
from .routes import Named, RouteSettings
from .section import Section
from .wording import Duration


class HostSettings(Section):
    """How the host itself behaves; times in seconds."""

    language: Language = "en"
    confirmation_ttl: Duration = 600.0
    lease: Duration = 15.0
    grace: Duration = 5.0
    log: Literal["text", "json"] = "text"


class DataSettings(Section):
    """Where the record is kept."""

    url: DatabaseUrl = "sqlite:///comal.db"

    @property
    def path(self) -> Path:
        """The database's file; one that nothing names lies in the working directory."""
        return Path(self.url.removeprefix(SQLITE))


class ModelSettings(Section):
    """Which model answers. `base_url` is empty for the provider's own address."""

    provider: Provider = "openai-chat"
    base_url: WebAddress = ""
    name: str = ""
    api_key: ApiKey = SecretStr("")
    system: str = ""
    max_tokens: Annotated[int, Field(ge=1)] = 4096
    max_steps: Annotated[int, Field(ge=1)] = 20

    @property
    def address(self) -> str:
        """Where the model is asked; empty for one that answers inside the host."""
        return self.base_url or DEFAULT_BASES.get(self.provider, "")


class ToolsSettings(Section):
    """Where the tools are: files such as `my_tools.py`, or modules such as `package.module`.

    `entry_points` are patterns of the names under which installed packages bring tools.
    """

    modules: tuple[Text, ...] = ()
    entry_points: tuple[Text, ...] = ("*",)


class ChannelSettings(Section):
    """One channel. `poll_timeout` is in seconds."""

    type: ChannelType = "telegram"
    token: BotToken = SecretStr("")
    api_base: WebAddress = "https://api.telegram.org"
    library: Library = "native"
    poll_timeout: Duration = 25.0


class PersonSettings(Section):
    """A person: every principal that is theirs, and the roles they hold."""

    name: Text
    identities: tuple[Identity, ...] = ()
    roles: tuple[Text, ...] = ()


class RoleSettings(Section):
    """What the people of a role may do."""

    scopes: tuple[Text, ...] = ()


class Settings(Section):
    """Everything the host is told. Reads nothing by itself; `load_settings` does."""

    host: HostSettings = HostSettings()
    data: DataSettings = DataSettings()
    model: ModelSettings = ModelSettings()
    tools: ToolsSettings = ToolsSettings()
    channels: Mapping[ChannelName, ChannelSettings] = Field(default_factory=dict)
    people: tuple[PersonSettings, ...] = ()
    roles: Mapping[Name, RoleSettings] = Field(default_factory=dict)
    routes: tuple[RouteSettings, ...] = ()
    policy: PolicySettings = PolicySettings()
    rules: tuple[RuleSettings, ...] = ()
    limits: LimitsSettings = LimitsSettings()
    pairing: PairingSettings = PairingSettings()
    audit: AuditSettings = AuditSettings()
    receipts: ReceiptsSettings = ReceiptsSettings()

    def gate(self, directory: Directory) -> PolicyGate:
        """Return the policies and rules as the registry uses them."""
        rules = self.ruling(directory) if self.rules else None
        return self.policy.gate(rules, confirmation_ttl=self.host.confirmation_ttl)

    def ruling(self, directory: Directory) -> TableRules:
        """Return the rules as the gate asks them."""
        return TableRules([TableRule(**rule.model_dump()) for rule in self.rules], directory)

    def routing(self) -> Routes:
        """Return the routes as the registry uses them.

        Raises:
            BadRoute: A route cannot be used; its text says why.
        """
        return Routes([self.named.made(route) for route in self.routes])

    @property
    def named(self) -> Named:
        """What the names in the routes stand for."""
        return Named({one.name: one.identities for one in self.people}, self.routes)
