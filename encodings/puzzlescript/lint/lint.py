"""The warnings about a game: each is proved for all its levels, none is a guess."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzlescript.lint.conditions import decided_conditions, odd_starts
from puzzlemc.encodings.puzzlescript.lint.draws import needless_draws
from puzzlemc.encodings.puzzlescript.lint.hidden import hidden_rules
from puzzlemc.encodings.puzzlescript.lint.knowledge import Knowledge, Remark
from puzzlemc.encodings.puzzlescript.lint.objects import absent_objects, unused_names
from puzzlemc.encodings.puzzlescript.lint.rules import idle_rules
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.puzzlescript.game import Level

OF_GAME = (absent_objects, unused_names, decided_conditions, needless_draws)


def lint(levels: Sequence[tuple[Part, Level]]) -> list[Remark]:
    """The warnings about a game with all its levels, in the order of the text."""
    known = Knowledge([level for _, level in levels])
    lines = {level: part.line for part, level in levels}
    found = [remark for check in OF_GAME for remark in check(known)]
    idle = list(idle_rules(known))
    lines_of_idle = {remark.line for remark in idle}
    found += idle + [remark for remark in hidden_rules(known) if remark.line not in lines_of_idle]
    found += (Remark(lines[level], 0, words) for level, words in odd_starts(known))
    return sorted(found)
