"""The settings as values. A value that exists is one the host can use."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from comal_runtime.consent import Route, Routes
from comal_runtime.llm.service import DEFAULT_BASES

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
from .wording import Duration


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class HostSettings(_Section):
    """How the host itself behaves; times in seconds."""

    language: Language = "en"
    confirmation_ttl: Duration = 600.0
    lease: Duration = 15.0
    grace: Duration = 5.0
    log: Literal["text", "json"] = "text"


class DataSettings(_Section):
    """Where the record is kept."""

    url: DatabaseUrl = "sqlite:///comal.db"

    @property
    def path(self) -> Path:
        """The database's file; one that nothing names lies in the working directory."""
        return Path(self.url.removeprefix(SQLITE))


class ModelSettings(_Section):
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


class ToolsSettings(_Section):
    """Where the tools are: files such as `my_tools.py`, or modules such as `package.module`."""

    modules: tuple[Text, ...] = ()


class ChannelSettings(_Section):
    """One channel. `poll_timeout` is in seconds."""

    type: ChannelType = "telegram"
    token: BotToken = SecretStr("")
    api_base: WebAddress = "https://api.telegram.org"
    library: Library = "native"
    poll_timeout: Duration = 25.0


class PersonSettings(_Section):
    """A person: every principal that is theirs, and the roles they hold."""

    name: Text
    identities: tuple[Identity, ...] = ()
    roles: tuple[Text, ...] = ()


class RoleSettings(_Section):
    """What the people of a role may do."""

    scopes: tuple[Text, ...] = ()


class RouteSettings(_Section):
    """Which calls other people approve; `expires` is in seconds."""

    name: str = ""
    tool: Text
    when: Predicate | None = None
    approvers: tuple[Approver, ...] = ()
    cards: tuple[Card, ...] = ()
    policy: Policy = "single"
    expires: Duration = 24 * 3600.0

    @property
    def title(self) -> str:
        """The route's name; a route without one is named by what it is about."""
        return self.name or (self.tool if self.when is None else f"{self.tool} when {self.when}")


class Settings(_Section):
    """Everything the host is told. Reads nothing by itself; `load_settings` does."""

    host: HostSettings = HostSettings()
    data: DataSettings = DataSettings()
    model: ModelSettings = ModelSettings()
    tools: ToolsSettings = ToolsSettings()
    channels: Mapping[Name, ChannelSettings] = Field(default_factory=dict)
    people: tuple[PersonSettings, ...] = ()
    roles: Mapping[Name, RoleSettings] = Field(default_factory=dict)
    routes: tuple[RouteSettings, ...] = ()

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
        ttl=route.expires,
    )
