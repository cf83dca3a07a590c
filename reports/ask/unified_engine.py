"""What the planners and the validator have in common as engines of unified-planning."""

from typing import Any

from unified_planning.engines import Credits, Engine
from unified_planning.model import ProblemKind

from puzzlemc.reports.ask import unified_problem


class UnifiedEngine(Engine):
    """An engine for the problems that puzzlemc can read."""

    NAME: str

    @property
    def name(self) -> str:
        """The name of the engine."""
        return self.NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        """What a problem may have."""
        return unified_problem.supported_kind()

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Does the engine take problems of that kind?"""
        return bool(problem_kind <= unified_problem.supported_kind())

    @staticmethod
    def get_credits(**options: Any) -> Credits:
        """Who has written it."""
        return unified_problem.CREDITS
