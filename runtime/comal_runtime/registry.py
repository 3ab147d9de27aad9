"""The registry: the one object users hold. It keeps the tools and runs every call under the law."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .audit import ToolAuditLogger
from .budget import ToolBudget
from .call import Arguments, Registered, Request, Unreadable
from .catalogue import Catalogue
from .consent.editing import Flawed, read_edit
from .consent.grounds import Grounds
from .consent.sweep import Swept, sweep
from .context import ToolContext
from .errors import BadToolSchema, ToolAlreadyRegisteredError, check_kind
from .events import EventDispatcher
from .inspection import InvocationPlan, InvocationPlanBuilder
from .json_values import plain
from .pipeline import carry
from .policy import PolicyGate
from .rate_limit import (
    OneByOne,
)
from .record import Question, Record
from .result import ToolResult
from .schema import CompiledSchema
from .stations.redrafting import redraft
from .stations.resolve import caller, named
from .stations.station import RegistryWiring
from .tools import Callback, Schema, Tool, ToolOptions
from .wiring import Wiring

_TOKEN: Final = "confirm_token"  # noqa: S105 - the name of a key


class ToolRegistry:
    """Tools under one law.

    `ToolRegistry()` works alone: the record lives in memory and the audit is on.
    """

    def __init__(self, wiring: Wiring | None = None) -> None:
        given = Wiring() if wiring is None else wiring
        check_kind("the wiring of a ToolRegistry", given, Wiring)
        given.routes.check_rules(given.verifiers)
        self._tools: dict[str, Registered] = {}
        self._catalogue = Catalogue(self._tools)
        self._deps = given.deps(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    @property
    def policy_gate(self) -> PolicyGate:
        """The gate every call passes."""
        return self._deps.policy

    @property
    def record(self) -> Record:
        """Where questions, acts and the audit are kept."""
        return self._deps.record

    @property
    def audit(self) -> ToolAuditLogger:
        """The audit; `await registry.audit.flush()` stores what was handed over."""
        return self._deps.audit

    def has_rate_limiter(self) -> bool:
        """Tell whether calls are limited."""
        return self._deps.limiter is not None

    @property
    def dispatcher(self) -> EventDispatcher | None:
        """Who tells listeners of calls: `registry.dispatcher.on("tool.*")`."""
        return self._deps.dispatcher

    def has_dispatcher(self) -> bool:
        """Tell whether listeners hear of calls."""
        return self._deps.dispatcher is not None

    def register(
        self,
        name: str,
        description: str,
        input_schema: Schema,
        callback: Callback,
        options: ToolOptions | None = None,
    ) -> None:
        """Add a tool by hand; raises as `add` does.

        Args:
            input_schema: JSON Schema, draft 2020-12, of an object.
            callback: Called with the arguments as keywords; sync or async.
        """
        self.add(
            Tool(
                name=name,
                description=description,
                input_schema=input_schema,
                callback=callback,
                options=options or ToolOptions(),
            )
        )

    def add(self, tool: Tool) -> None:
        """Register one tool.

        Raises:
            ToolAlreadyRegisteredError: Its name is taken.
            BadToolSchema: Its schema cannot be used.
        """
        self.add_all([tool])

    def add_all(self, tools: list[Tool]) -> None:
        """Register all of them or, raising as `add` does, none."""
        fresh: dict[str, Registered] = {}
        for tool in tools:
            if tool.name in self._tools or tool.name in fresh:
                raise ToolAlreadyRegisteredError(tool.name)
            schema = CompiledSchema(plain(tool.input_schema), tool=tool.name)
            _check_output(tool)
            fresh[tool.name] = Registered(tool, schema, defaults_of(tool))
        self._tools.update(fresh)

    async def call(
        self,
        name: str,
        args: Arguments,
        ctx: ToolContext | None = None,
        *,
        confirm_token: object = None,
    ) -> ToolResult:
        """Run a tool under the law. Raises nothing but cancellation.

        Args:
            ctx: Who calls; None means code itself (`ToolContext.cli()`).
            confirm_token: Redeems a question; the arguments it stored replace `args`. The reserved
                key `confirm_token` in `args` does the same.
        """
        given, token = _taken_apart(args)
        redeemed = confirm_token if confirm_token is not None else token
        known = name if type(name) is str and name in self._tools else named(name)
        by = ctx if type(ctx) is ToolContext else caller(ctx)
        return await carry(Request(known, given, by, redeemed), self._deps)

    @property
    def grounds(self) -> Grounds:
        """What stored questions stand on: the tools and routes in force."""
        return self._deps.grounds

    async def redraft(
        self, asked: Question, changes: Mapping[str, Any], ctx: ToolContext
    ) -> Question | ToolResult:
        """Return the question about a call changed by an approver, or why it cannot be asked.

        Args:
            changes: The new values of those arguments that change, JSON-shaped.
            ctx: Its requester, with the rights they have now.
        """
        return await redraft(asked, changes, ctx, self._deps)

    def read_edit(self, text: str, asked: Question) -> Mapping[str, Any] | Flawed | None:
        """Read what an approver wants changed; None where the tool of the question is gone."""
        registered = self._tools.get(asked.tool or "")
        return None if registered is None else read_edit(text, asked, registered)

    async def sweep(self) -> Swept:
        """End what nobody ended: expired questions, overdue acts, lost acts."""
        return await sweep(self._deps.record, self._deps.clock, self._deps.dispatcher)

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name."""
        registered = self._tools.get(name)
        return None if registered is None else registered.tool

    def get_tool_summaries(self) -> list[dict[str, Any]]:
        """Return what a model is told of every tool: name, description, inputSchema, ...

        The list is the caller's own; what is in it is shared and refuses changes.
        """
        return self._catalogue.summaries()

    def get_tool_definitions(self) -> list[Tool]:
        """Return every tool, in the order of registration."""
        return self._catalogue.definitions()

    def get_tools_by_scopes(self, scopes: Sequence[str]) -> list[Tool]:
        """Return the tools that need none of their scopes or one of these; `*` means all."""
        return self._catalogue.by_scopes(scopes)

    def get_tools_by_prefix(self, prefix: str) -> list[Tool]:
        """Return the tools whose name begins so; `*` means all."""
        return self._catalogue.by_prefix(prefix)

    def get_tools_within_budget(
        self, model: str, priority: Sequence[str] | None = None, *, window: int | None = None
    ) -> ToolBudget:
        """Return the tools that fit into the model's share of tokens, and the names of the others.

        Args:
            priority: Names to take first, in this order.
            window: Tokens of a model that is not known, as configured or as its host told.
        """
        return self._catalogue.within_budget(model, priority, window)

    def inspect(self, name: str, ctx: ToolContext) -> InvocationPlan | None:
        """Explain what a call would meet, without making it; None for an unknown tool."""
        tool = self.get(name)
        if tool is None:
            return None
        return InvocationPlanBuilder().build(tool, ctx, self.wiring())

    def wiring(self) -> RegistryWiring:
        """Return what is wired, as inspection sees it."""
        limiter = self._deps.limiter
        return RegistryWiring(
            has_rate_limiter=self.has_rate_limiter(),
            has_dispatcher=self.has_dispatcher(),
            routes=self._deps.routes,
            gate=self._deps.policy,
            limits=None if isinstance(limiter, OneByOne) else self._deps.limits,
        )


def _taken_apart(args: Arguments) -> tuple[Arguments, object]:
    """Return the arguments and the token among them; `validate` refuses what is no object."""
    if not isinstance(args, Mapping):  # what a model sent may be anything
        return args, None
    try:
        given = dict(args)
        return given, given.pop(_TOKEN, None)
    except Exception as fault:  # a mapping of the caller's own
        return Unreadable(type(fault).__name__), None


def defaults_of(tool: Tool) -> dict[str, Any]:
    """Return what a tool's schema gives to arguments that are left out."""
    properties = tool.input_schema.get("properties", {})
    return {
        name: plain(schema["default"])
        for name, schema in properties.items()
        if isinstance(schema, Mapping) and "default" in schema
    }


def _check_output(tool: Tool) -> None:
    if tool.options.output_schema is None:
        return
    try:
        CompiledSchema(plain(tool.options.output_schema), tool=tool.name)
    except BadToolSchema as error:
        raise BadToolSchema(tool.name, f"/outputSchema{error.pointer}", error.reason) from error
