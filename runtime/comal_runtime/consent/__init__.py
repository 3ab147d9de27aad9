"""Consent: questions, who may answer them, and the acts they allow."""

from .question import SHOW_QUESTION, TELL, Asked
from .route import BadRoute, Directory, Route, Routes, Strangers
from .votes import EXECUTE_ACT, Answer, Verdict

__all__ = [
    "EXECUTE_ACT",
    "SHOW_QUESTION",
    "TELL",
    "Answer",
    "Asked",
    "BadRoute",
    "Directory",
    "Route",
    "Routes",
    "Strangers",
    "Verdict",
]
