"""The screen of a puzzle of systems: positions as boards by the names of variables, or else as tables and text.

On a board, a variable stands for the word of the legend that it is called like: a truth value or a number of a
place says whether the word is there, and a choice among places says where it is. A choice of a place among words
says which of them is there. Values that are neither places nor words stand for nothing. Where no variable says
anything, the words of the level stay. What is not on the board stands below it in words.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from puzzlemc.encodings.modelling import tables
from puzzlemc.encodings.modelling.language.evaluation import Evaluation, Position
from puzzlemc.encodings.modelling.language.expressions import Variable
from puzzlemc.encodings.modelling.language.system import System, is_place
from puzzlemc.screens.base.picture import Moved, Picture
from puzzlemc.screens.modelling.board import Grid, Place
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.screen import Level, Reader, Shown, TextScreen


class Roles(NamedTuple):
    """What variables say about the board of a level.

    words  of the legend, which variables stand for
    here   variables of places with a word: there it is, if the value is not 0
    where  variables whose value is the place of a word, with that word
    which  variables of places whose value may be a word
    rest   the other variables, by families
    """

    words: tuple[str, ...]
    here: list[Variable]
    where: list[Variable]
    which: list[Variable]
    rest: list[tables.Line]


class SystemScreen(TextScreen):
    """Reads and writes levels, and shows positions of their systems."""

    def __init__(
        self,
        suffixes: tuple[str, ...],
        reader: Reader,
        make: Callable[[Any], Evaluation],
        show: Callable[[Any, Any], Shown] | None = None,
        sides: tuple[str, str] | None = None,
    ) -> None:
        """Hold what the screen depends on.

        make   makes systems
        show   shows positions by the values of variables; None: the names of variables say it
        sides  the names of the sides of a game
        """
        super().__init__(suffixes, reader, make)
        self._by_author, self._sides = show, sides

    @property
    def is_by_author(self) -> bool:
        """Does a function of the author show positions?"""
        return self._by_author is not None

    def shown(self, level: Level, position: Position) -> Shown:
        """A position as words of the legend and their places; as the values of its variables without a board."""
        roles, system = self.roles(level), system_of(level)
        if self._by_author is not None:
            return self._by_author(level.data, named(system, position))
        if roles is None:
            return tables.text(system, self._worded(position))
        return dict(_things(level.data, roles, position))

    def draw(self, level: Level, position: Position | None = None, /) -> str:
        """A level as text that `parse` reads, or a position of it."""
        text, roles = super().draw(level, position), self.roles(level)
        if position is None or roles is None:
            return text
        return "\n".join([text, *(tables.in_words(line, self._worded(position)) for line in roles.rest)])

    def picture(self, level: Level, position: Position, /) -> Picture:
        """A position as a picture."""
        roles = self.roles(level)
        if roles is not None:
            return tables.below(super().picture(level, position), roles.rest, self._worded(position))
        table = None if self._by_author is not None else tables.picture(system_of(level), self._worded(position))
        return super().picture(level, position) if table is None else table

    def moved(self, level: Level, before: Position, after: Position) -> Moved:
        """The cells of the picture that a step changes."""
        if self._by_author is not None or self.roles(level) is not None:
            return super().moved(level, before, after)
        cells = tables.changed(system_of(level), before, after)
        return Moved(cells, cells)

    def _worded(self, position: Position) -> Position:
        """A position that names the side to move, for people; the first variable of a game is this side."""
        return position if self._sides is None else (self._sides[int(str(position[0]))], *position[1:])

    def roles(self, level: Level) -> Roles | None:
        """What variables say about the board; None for a level without one, or if they say nothing."""
        if self._by_author is not None or not isinstance(self.reader, GridReader):
            return None
        roles = _roles(system_of(level), self.reader.legend.order)
        return roles if roles.words else None


@lru_cache(maxsize=8)
def _roles(system: System, legend: tuple[str, ...]) -> Roles:
    """What the variables of a system say about a board with the words of that legend."""
    words, rest = set[str](), list[Variable]()
    roles = Roles((), [], [], [], [])
    for variable in system.variables:
        role, said = rest, set[str]()
        if variable.family in legend:
            if is_place(variable.index) and isinstance(variable.domain[0], int):
                role, said = roles.here, {variable.family}
            elif any(is_place(value) for value in variable.domain):
                role, said = roles.where, {variable.family}
        elif is_place(variable.index) and (values := {*legend}.intersection(variable.domain)):
            role, said = roles.which, values
        role.append(variable)
        words |= said
    return roles._replace(words=tuple(word for word in legend if word in words), rest=tables.by_family(rest))


def _things(level: Grid, roles: Roles, position: Position) -> Iterator[tuple[str, list[Place]]]:
    """The words, and their places at a position. Places beside the board are left out."""
    moving = {variable.family for variable in roles.where}
    known = {variable.index for variable in roles.which}
    places: dict[str, list[Any]] = {}
    for word in roles.words:
        own = known | {variable.index for variable in roles.here if variable.family == word}
        places[word] = [] if word in moving else [place for place in level.find(word) if place not in own]
    for variable in roles.here:
        value = position[variable.number]
        if isinstance(value, int) and value:  # a constraint may leave it open
            places[variable.family].append(variable.index)
    for variable in roles.where:
        places[variable.family].append(position[variable.number])
    for variable in roles.which:
        if (value := position[variable.number]) in places:
            places[str(value)].append(variable.index)
    for word, found in places.items():
        yield word, [place for place in dict.fromkeys(found) if place in level]


def system_of(level: Level) -> System:
    """The system of a level."""
    made: Evaluation = level.made
    return made.system


def named(system: System, position: Position) -> dict[str, Any]:
    """The values of a position by the names of variables; those of a family by their indices."""
    found = dict[str, Any]()
    for variable in system.variables:
        value = position[variable.number]
        if variable.index is None:
            found[variable.name] = value
        else:
            found.setdefault(variable.family, {})[variable.index] = value
    return found
