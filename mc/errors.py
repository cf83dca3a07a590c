"""What can go wrong in `mc`; none of it is a verdict.

ModelError      the model is not well formed, or is asked for what it does not have
Unsuitable      an engine cannot take the model, others can
FormulaError    a text is no formula about the model
LimitReached    a search ran into a limit; engines turn it into the verdict *unknown*
Refuted         a trace or a proof did not stand up to its check: a bug in an engine
"""


class ModelError(ValueError):
    """The model is not well formed, or is asked for what it does not have."""


class Unsuitable(ModelError):
    """An engine cannot take the model; the message says why."""


class FormulaError(ValueError):
    """A text is no formula, or speaks of what is not there; `column` counts its characters from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column

    def __reduce__(self) -> tuple[type["FormulaError"], tuple[str, int]]:
        """Pickle with both arguments: errors travel between processes."""
        return type(self), (self.message, self.column)

    def __str__(self) -> str:
        return f"column {self.column}: {self.message}"


class LimitReached(Exception):
    """A search hit a limit; `reason` is `timeout`, `memory` or `bound`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


LIMITS = (LimitReached, MemoryError, TimeoutError)  # for `except`: what ends a search that has no answer yet


def reason_of(limit: LimitReached | MemoryError | TimeoutError) -> str:
    """Which limit it was: `timeout`, `memory`, `bound` or `cancelled`."""
    if isinstance(limit, LimitReached):
        return limit.reason
    return "memory" if isinstance(limit, MemoryError) else "timeout"


class Refuted(Exception):
    """A trace or a proof was checked and is wrong."""
