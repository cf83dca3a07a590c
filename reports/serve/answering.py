"""In a worker: the function that answers each kind of question."""

from collections.abc import Callable, Mapping
from typing import Any

from puzzlemc.reports.serve.another import another
from puzzlemc.reports.serve.answers import glance, judge, open_text, review
from puzzlemc.reports.serve.more import ask, make, verify
from puzzlemc.reports.serve.positions import play
from puzzlemc.reports.serve.questions import Another, Ask, Glance, Judge, Make, Open, Play, Review, Verify

ANSWERS: Mapping[type, Callable[..., Any]] = {
    Another: another,
    Ask: ask,
    Glance: glance,
    Judge: judge,
    Make: make,
    Open: open_text,
    Play: play,
    Review: review,
    Verify: verify,
}
