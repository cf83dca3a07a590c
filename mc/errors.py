"""The exceptions of `mc`, and the root of all errors. None of them is a verdict.

PuzzlemcError   the root

ModelError      the model is not well formed, or lacks something that is asked for
Unsuitable      the engine cannot take the model, but other engines can
FormulaError    a text is not a formula about the model
LimitReached    a search reached a limit; engines turn this into the verdict *unknown*
Refuted         the check of a trace or a proof failed: a bug in an engine
"""


class PuzzlemcError(Exception):
    """Root of all errors that the package raises deliberately; `docs/api.md` shows the tree."""


class ModelError(PuzzlemcError, ValueError):
    """The model is not well formed, or lacks something that is asked for."""


class Unsuitable(ModelError):
    """The engine cannot take the model; the message says why."""


class FormulaError(PuzzlemcError, ValueError):
    """A text is not a formula, or names an unknown atom. `column` is the position of the error, from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column

    def __reduce__(self) -> tuple[type["FormulaError"], tuple[str, int]]:
        """Pickle with both arguments: errors are sent between processes."""
        return type(self), (self.message, self.column)

    def __str__(self) -> str:
        return f"column {self.column}: {self.message}"


class LimitReached(PuzzlemcError):
    """A search reached a limit; `reason` is `timeout`, `memory`, `bound` or `cancelled`, `words` say more."""

    def __init__(self, reason: str, words: str = "") -> None:
        super().__init__(reason, words)
        self.reason = reason
        self.words = words

    def __str__(self) -> str:
        return self.words or self.reason


LIMITS = (
    LimitReached,
    MemoryError,
    TimeoutError,
)  # for `except`: all exceptions that mean that a limit was reached


def reason_of(limit: LimitReached | MemoryError | TimeoutError) -> str:
    """The limit that was reached: `timeout`, `memory`, `bound` or `cancelled`."""
    if isinstance(limit, LimitReached):
        return limit.reason
    return "memory" if isinstance(limit, MemoryError) else "timeout"


def words_of(limit: LimitReached | MemoryError | TimeoutError) -> str:
    """The limit that was reached, with its words if it has some: `bound (a turn does not settle)`."""
    reason = reason_of(limit)
    return f"{reason} ({limit.words})" if isinstance(limit, LimitReached) and limit.words else reason


class Refuted(PuzzlemcError):
    """The check of a trace or a proof failed."""
