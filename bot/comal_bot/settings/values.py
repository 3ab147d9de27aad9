"""The settings as values. A value that exists is one the host can use."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from comal_runtime.consent import Directory, Route, Routes
from comal_runtime.consent.policies import Policy as Policies
from comal_runtime.llm.service import DEFAULT_BASES
from comal_runtime.policy import PolicyGate
from comal_runtime.rules import TableRule, TableRules

from .audit import AuditSettings
from .fields import (
    SQLITE,
    ApiKey,
    Approver,
    BotToken,
    Card,
    ChannelType,
    DatabaseUrl,
    Identity,
    Language,
    Library,
    Name,
    Policy,
    Predicate,
    Provider,
    Text,
    WebAddress,
)
from .limits import LimitsSettings
from .policies import PolicySettings, RuleSettings
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


class RouteSettings(Section):
    """Which calls other people approve; `expires` is in seconds.

    `k` people must say yes under policy `quorum`; `rule` decides under policy `auto`.
    """

    name: str = ""
    tool: Text
    when: Predicate | None = None
    approvers: tuple[Approver, ...] = ()
    cards: tuple[Card, ...] = ()
    policy: Policy = "single"
    k: int | None = None
    rule: str | None = None
    reject_threshold: int = 1
    expires: Duration = 24 * 3600.0

    @property
    def needed(self) -> int:
        """How many people must say yes; none where a rule decides."""
        return Policies(self.policy).people(self.k)

    @property
    def title(self) -> str:
        """The route's name; a route without one is named by what it is about."""
        return self.name or (self.tool if self.when is None else f"{self.tool} when {self.when}")


class Settings(Section):
    """Everything the host is told. Reads nothing by itself; `load_settings` does."""

    host: HostSettings = HostSettings()
    data: DataSettings = DataSettings()
    model: ModelSettings = ModelSettings()
    tools: ToolsSettings = ToolsSettings()
    channels: Mapping[Name, ChannelSettings] = Field(default_factory=dict)
    people: tuple[PersonSettings, ...] = ()
    roles: Mapping[Name, RoleSettings] = Field(default_factory=dict)
    routes: tuple[RouteSettings, ...] = ()
    policy: PolicySettings = PolicySettings()
    rules: tuple[RuleSettings, ...] = ()
    limits: LimitsSettings = LimitsSettings()
    audit: AuditSettings = AuditSettings()

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
            BadRoute: A route names no approvers.
        """
        return Routes([_route(route) for route in self.routes])


def _route(route: RouteSettings) -> Route:
    return Route(
        name=route.title,
        tool=route.tool,
        approvers=route.approvers,
        when=route.when,
        cards=route.cards,
        policy=route.policy,
        k=route.k,
        rule=route.rule,
        reject_threshold=route.reject_threshold,
        ttl=route.expires,
    )
