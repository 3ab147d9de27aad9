"""Grounds: what a question stands on, and whether that is still what people were shown."""

import json
from collections.abc import Mapping

from ..call import Registered
from ..record import Question, QuestionKind
from .policies import Policy
from .route import Routes
from .seal import is_intact
from .terms import Terms

ALTERED = "what is stored is not what was asked"


class Grounds:
    """The tools and routes in force, held against what a stored question was asked by."""

    def __init__(self, tools: Mapping[str, Registered], routes: Routes) -> None:
        self._tools = tools
        self._routes = routes

    def changed(self, question: Question) -> str | None:
        """Say what is no more as it was when the question was asked, or None."""
        if question.digest is None or not is_intact(question):
            return ALTERED
        if question.tool is None:
            return None
        registered = self._tools.get(question.tool)
        if registered is None:
            return f"{question.tool} is there no more"
        if registered.tool.definition_digest != question.definition_digest:
            return f"the definition of {question.tool} changed after this was asked"
        return self._rerouted(question, registered)

    def _rerouted(self, question: Question, registered: Registered) -> str | None:
        route = self._routes.of(registered.tool, json.loads(question.args))
        if question.kind is QuestionKind.CONFIRMATION:
            return None if route is None else f"it needs an approval by route {route.name!r} now"
        asked_by = Terms.read(question.route)
        if question.supersedes is not None and (route is None or route.policy == Policy.AUTO):
            # What an approver brought below a route's bounds is still that route's to decide.
            route = self._routes.named(asked_by.name or "")
        if route is None:
            return "the route it was asked by is there no more"
        if route.terms.deciding() != asked_by.deciding():
            return f"route {route.name!r} decides otherwise now"
        return None
