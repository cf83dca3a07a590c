"""The plain rules of Fabrik, for any size of board and any length of row; they share nothing with the fast rules.

Black puts a worker on any cell, White puts the other worker on an empty cell, and Black decides who begins. In a
turn a player may first move one worker to another empty cell. Then the player puts a stone on a cell where a line
of sight of one worker meets a line of sight of the other. Lines of sight run in eight directions over empty cells.
A player wins with a row of stones of one colour, and loses if no stone can be put. Rules:
https://spielstein.com/games/fabrik/rules
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Step, Stuck
from puzzlemc.screens.fabrik import BLACK, WHITE, Cell, Level, Position, name, named

DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))


class Turn(NamedTuple):
    """A turn: the cell of a stone, and the move of a worker before it, if one moves."""

    stone: Cell
    way: tuple[Cell, Cell] | None = None

    @classmethod
    def read(cls, text: str) -> "Turn":
        """The turn with a name. Raises ValueError if the text is not the name of a turn."""
        way, _, stone = text.rpartition("/")
        source, dash, target = way.partition("-")
        return cls(named(stone), (named(source), named(target)) if way or dash or "/" in text else None)

    @property
    def name(self) -> str:
        """The turn in the notation of game records: `D4`, or `B4-D4/D2`."""
        return f"{name(self.way[0])}-{name(self.way[1])}/{name(self.stone)}" if self.way else name(self.stone)


def other(player: str) -> str:
    """The opponent."""
    return WHITE if player == BLACK else BLACK


def mover(position: Position) -> str:
    """The side to act in a position: to play a turn, to place a worker, or to decide who begins."""
    return position.turn or (WHITE if len(position.workers) == 1 else BLACK)


def on_board(level: Level, cell: Cell) -> bool:
    """Is the cell on the board?"""
    return 0 <= cell[0] < level.size and 0 <= cell[1] < level.size


def cells(level: Level) -> list[Cell]:
    """All cells in reading order."""
    return list(product(range(level.size), range(level.size)))


def sight(level: Level, position: Position, worker: Cell) -> set[Cell]:
    """The cells on a worker's lines of sight."""
    seen, pieces = set(), position.pieces
    for down, right in DIRECTIONS:
        cell = worker[0] + down, worker[1] + right
        while on_board(level, cell) and cell not in pieces:
            seen.add(cell)
            cell = cell[0] + down, cell[1] + right
    return seen


def meeting(level: Level, position: Position) -> set[Cell]:
    """The cells where lines of sight of the two workers meet."""
    one, another = position.workers
    return sight(level, position, one) & sight(level, position, another)


def turns(level: Level, position: Position) -> Iterator[tuple[Turn, Position]]:
    """All legal turns, and the positions after them."""
    for way in _ways(level, position):
        moved = position if way is None else replace(position, workers=position.workers - {way[0]} | {way[1]})
        for stone in sorted(meeting(level, moved)):
            yield Turn(stone, way), put(moved, stone)


def _ways(level: Level, position: Position) -> Iterator[tuple[Cell, Cell] | None]:
    """The moves before a stone: of no worker, and of either one to each empty cell."""
    yield None
    pieces = position.pieces
    yield from product(sorted(position.workers), [cell for cell in cells(level) if cell not in pieces])


def turned(level: Level, position: Position, turn: Turn) -> Position | None:
    """The position after a turn; None if the turn is illegal."""
    moved = position
    if turn.way is not None:
        source, target = turn.way
        if source not in position.workers or target in position.pieces or not on_board(level, target):
            return None
        moved = replace(position, workers=position.workers - {source} | {target})
    return put(moved, turn.stone) if turn.stone in meeting(level, moved) else None


def put(position: Position, stone: Cell) -> Position:
    """The position after a stone of the player whose turn it is."""
    if position.turn == BLACK:
        return replace(position, black=position.black | {stone}, turn=WHITE)
    return replace(position, white=position.white | {stone}, turn=BLACK)


def moves(level: Level, position: Position) -> Iterator[tuple[str, Position]]:
    """All legal moves by name, and the positions after them; none if the game is over."""
    if winner(level, position):
        return
    if len(position.workers) < 2:
        for cell in cells(level):
            if cell not in position.workers:
                yield name(cell), replace(position, workers=position.workers | {cell})
    elif not position.turn:
        for player in (BLACK, WHITE):
            yield player, replace(position, turn=player)
    else:
        for turn, after in turns(level, position):
            yield turn.name, after


def stones(position: Position, player: str) -> frozenset[Cell]:
    """The stones of a player."""
    return position.black if player == BLACK else position.white


def has_row(level: Level, stones: frozenset[Cell]) -> bool:
    """Do the stones contain a winning row?"""
    return len(stones) >= level.row and any(
        all((row + down * step, column + right * step) in stones for step in range(level.row))
        for row, column in stones
        for down, right in AXES
    )


def winner(level: Level, position: Position) -> str:
    """The player who has won; empty if the game goes on.

    A row wins; if both players have one, that of the player who has just moved. Otherwise a player who has no
    legal turn loses.
    """
    for player in (other(mover(position)), mover(position)):
        if has_row(level, stones(position, player)):
            return player
    if position.turn and next(turns(level, position), None) is None:
        return other(position.turn)
    return ""


def ended(level: Level, position: Position) -> str:
    """Why the game is over in a position, in words; empty if it goes on."""
    won = winner(level, position)
    if not won:
        return ""
    if has_row(level, stones(position, won)):
        return f"{won} has {level.row} in a row"
    return f"{position.turn} cannot put a stone anywhere"


def after(level: Level, position: Position, move: str) -> Position:
    """The position after a move by name. Raises Refuted for an illegal one."""
    if position.turn:
        try:
            then = None if winner(level, position) else turned(level, position, Turn.read(move))
        except ValueError:
            then = None
    else:
        then = dict(moves(level, position)).get(move)
    if then is None:
        raise Refuted(f"{move} is not a legal move")
    return then


class IllegalMove(Refuted):
    """A record has an illegal move; `number` is its place in the record, from 1."""

    def __init__(self, number: int, move: str, expected: str) -> None:
        super().__init__(f"found {move} as move {number}, expected {expected}")
        self.number = number


def record(level: Level) -> list[Position]:
    """The positions of the recorded game of a level, starting with its board. Raises IllegalMove."""
    positions = [level.start]
    for number, move in enumerate(level.moves, 1):
        try:
            positions.append(after(level, positions[-1], move))
        except Refuted:
            some = next(moves(level, positions[-1]), None)
            over = f"no more, since {winner(level, positions[-1])} has won"
            expected = over if some is None else f"a legal one such as {some[0]}"
            raise IllegalMove(number, move, expected) from None
    return positions


def start(level: Level) -> Position:
    """The position that a level asks about: the one after its recorded moves. Raises IllegalMove."""
    return record(level)[-1]


def at(level: Level, position: Position) -> Level:
    """The level that is the same but starts in another position."""
    return replace(level, start=position, moves=())


@lru_cache(maxsize=64)
def _asks(level: Level) -> str:
    """The player that a level asks about: the one to move."""
    return mover(start(level))


def _step(level: Level, position: Position, move: str, then: Position) -> Step:
    """A step. It costs 1 if it is a turn of the player that the level asks about."""
    return Step(move, then, {"turns": int(mover(position) == _asks(level))})


def _steps(level: Level, position: Position) -> Iterator[Step]:
    for move, then in moves(level, position):
        yield _step(level, position, move, then)


def _taken(level: Level, position: Position, move: str) -> Step | None:
    if not position.turn:
        return next((step for step in _steps(level, position) if step.name == move), None)
    try:
        turn = Turn.read(move)
    except ValueError:
        return None
    then = turned(level, position, turn)
    return None if then is None else _step(level, position, move, then)


def _winner(level: Level, position: Position) -> int | None:
    won = winner(level, position)
    return FIRST if won == BLACK else SECOND if won == WHITE else None


# Black is FIRST. Placing a worker, and the decision who begins, are moves, and count as turns.
GAME = Game(
    start=start,
    turn=lambda _, position: FIRST if mover(position) == BLACK else SECOND,
    steps=_steps,
    winner=_winner,
    stuck=Stuck.LOSES,
    step=_taken,
)


def canonical(level: Level, position: Position) -> Position:
    """The least of the eight images of a position under the symmetries of the square."""
    end = level.size - 1
    images = []
    for flip in (False, True):
        for quarter in range(4):

            def image(cell: Cell, flip: bool = flip, quarter: int = quarter) -> Cell:
                row, column = cell[::-1] if flip else cell
                for _ in range(quarter):
                    row, column = column, end - row
                return row, column

            images.append(
                [sorted(map(image, cells)) for cells in (position.black, position.white, position.workers)]
            )
    black, white, workers = map(frozenset, min(images))
    return Position(black, white, workers, position.turn)


def _turned_to(level: Level, step: Step) -> Step:
    position = step.position
    assert isinstance(position, Position)
    return step._replace(position=canonical(level, position))


def _symmetric_steps(level: Level, position: Position) -> Iterator[Step]:
    return (_turned_to(level, step) for step in _steps(level, position))


def _symmetric_step(level: Level, position: Position, move: str) -> Step | None:
    step = _taken(level, position, move)
    return None if step is None else _turned_to(level, step)


# The same game over canonical positions: after each move, the position is replaced by its canonical image.
SYMMETRIC = replace(
    GAME,
    start=lambda level: canonical(level, start(level)),
    steps=_symmetric_steps,
    step=_symmetric_step,
)
