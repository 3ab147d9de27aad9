"""Consent: questions, who may answer them, and the acts they allow."""

from .directory import Directory, Strangers
from .question import SHOW_QUESTION, TELL, Asked
from .route import BadRoute, Route, Routes
from .terms import Escalation, Group, Terms
from .votes import EXECUTE_ACT, Answer, Verdict

__all__ = [
    "EXECUTE_ACT",
    "SHOW_QUESTION",
    "TELL",
    "Answer",
    "Asked",
    "BadRoute",
    "Directory",
    "Escalation",
    "Group",
    "Route",
    "Routes",
    "Strangers",
    "Terms",
    "Verdict",
]
