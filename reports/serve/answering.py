"""In a worker: the function that answers each kind of question. Its module is imported when it is first asked."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from puzzlemc.reports.serve.questions import Another, Ask, Glance, Judge, Make, Open, Play, Review, Verify

ANSWERS: Mapping[type, str] = {
    Another: "another:another",
    Ask: "more:ask",
    Glance: "answers:glance",
    Judge: "answers:judge",
    Make: "more:make",
    Open: "answers:open_text",
    Play: "positions:play",
    Review: "answers:review",
    Verify: "more:verify",
}


def answering(kind: type) -> Callable[..., Any]:
    """The function for a kind of question."""
    module, _, name = ANSWERS[kind].partition(":")
    function: Callable[..., Any] = getattr(import_module(f"puzzlemc.reports.serve.{module}"), name)
    return function
