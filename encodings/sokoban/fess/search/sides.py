"""One side of the search: its game, its plan, its positions, and its work arrays. Compiled: see `mc/words.py`."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.board.floor import Floor
from puzzlemc.encodings.sokoban.fess.deadlocks.groups import Groups
from puzzlemc.encodings.sokoban.fess.deadlocks.matching import Matching
from puzzlemc.encodings.sokoban.fess.domain.blocks import Tree
from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, KINDS, Counters
from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Game
from puzzlemc.encodings.sokoban.fess.domain.moves import Moves
from puzzlemc.encodings.sokoban.fess.domain.positions import Heaps, Positions
from puzzlemc.encodings.sokoban.fess.features.loose import LoosePlan
from puzzlemc.encodings.sokoban.fess.features.plan import Plan
from puzzlemc.encodings.sokoban.fess.features.stages import Stages
from puzzlemc.encodings.sokoban.fess.search.barriers import Barriers
from puzzlemc.encodings.sokoban.fess.search.images import Images
from puzzlemc.encodings.sokoban.fess.search.past import Place, past_of
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.encodings.sokoban.fess.search.steps import Steps
from puzzlemc.encodings.sokoban.fess.search.turns import Turns
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers, Shorts, Word, Words

NEARBY = 64  # nearest cells that are listed for each cell
SLOTS = 1 << 12  # of the hash table of a side, at first


class Options:
    """Those of the `Settings` that the expansion of a position reads."""

    hurry: Index  # readonly
    loose: Flag  # readonly
    groups: Flag  # readonly
    barriers: Flag  # readonly
    kinds: Flag  # readonly

    def __init__(self, settings: Settings) -> None:
        self.hurry, self.loose, self.kinds = settings.hurry, bool(settings.loose), bool(settings.kinds)
        self.groups, self.barriers = bool(settings.groups), bool(settings.barriers)


class Side:
    """A side.

    stages, loose  its plan, for the evaluation of positions
    match          the targets that its boxes reach
    heaps          the open positions by cell of the feature space; a key is weight · 2^32 + distance
    cells          by position: the cell of the feature space
    bases          by position: the last one on its path that filled more targets than all before it
    turns          of these cells
    name           the number of the search
    two            whether there are sides at both ends
    guarded        whether positions are tested for deadlocks; not if there are more boxes than goals
    here, there    after a meeting, the position of this side, and that of another, or -1
    """

    game: Game  # readonly
    options: Options  # readonly
    stages: Stages  # readonly
    loose: LoosePlan  # readonly
    match: Matching  # readonly
    positions: Positions  # readonly
    heaps: Heaps  # readonly
    cells: Ints  # readonly
    bases: Ints  # readonly
    turns: Turns  # readonly
    counters: Counters  # readonly
    name: Index  # readonly
    two: Flag  # readonly
    guarded: Flag  # readonly
    here: Index  # public
    there: Index  # public

    def __init__(self, game: Game, made: Plan, settings: Settings, spare: int, most: int, name: int) -> None:
        """An empty side with room for `most` positions; there are `spare` more boxes than goals.

        Memory is allocated as it is used.
        """
        near, targets = np.asarray(game.near), len(made.order)
        kinds = KINDS if settings.kinds else 1
        self.game, self.options, self.turns = game, Options(settings), Turns(bool(settings.eager), kinds)
        self.counters, self.stages = Counters(), Stages(made)
        boxes, exact = targets + spare, bool(settings.exact)
        self.loose = LoosePlan(near, game.kind, made, settings.walled, exact, boxes, self.counters)
        self.match = Matching(near, game.kind, made.order, boxes, exact)
        self.positions, self.heaps = Positions(most, game.cells, SLOTS), Heaps(most, (targets + 1) * CELLS * kinds)
        self.cells, self.bases = (view(np.empty(most, np.int32)) for _ in range(2))
        self.name, self.two, self.guarded = name, bool(settings.ends) and spare == 0, spare == 0
        self.here = self.there = -1

    def way(self, number: int) -> list[Place]:
        """The places from the start to position `number`."""
        return past_of(self.positions).way(number)


class Child:
    """A new position. The player reaches `area` cells, the least of which is `player`.

    opens  the number of box steps that the player can make
    parts  the number of components of the floor
    slot   its slot in the hash table
    """

    parent: Index  # public
    hashed: Word  # public
    player: Index  # public
    area: Index  # public
    opens: Index  # public
    parts: Index  # public
    slot: Index  # public


class Room:
    """Working arrays.

    floor, boxes    the position at hand
    marks           of the components of the floor
    tree, moves     the floor without the lifted box, and its moves
    steps           of the other boxes
    groups          where groups of boxes are
    images          the hashes of the images of the position
    barriers        of the position
    firsts, sizes, leasts  by move: the component of the player, as in `part_at`
    hashed          by move: the hash of the position
    waited          contents of slots, which are read early
    child           the position after a move
    values, chosen  by advisor: the value of its best child so far, and the number of this child
    work            of the expansion at hand
    """

    floor: Floor  # readonly
    boxes: Boxes  # readonly
    marks: Marks  # readonly
    tree: Tree  # readonly
    moves: Moves  # readonly
    steps: Steps  # readonly
    groups: Groups  # readonly
    images: Images  # readonly
    barriers: Barriers  # readonly
    firsts: Shorts  # readonly
    sizes: Shorts  # readonly
    leasts: Shorts  # readonly
    hashed: Words  # readonly
    waited: Index  # public
    child: Child  # readonly
    values: Numbers  # readonly
    chosen: Numbers  # readonly
    work: Index  # public

    def __init__(self, near: npt.NDArray[np.int16], boxes: int, groups: Groups, images: Images) -> None:
        """Working arrays for a board and this number of boxes."""
        cells, moves = len(near) - 1, 4 * len(near)
        self.floor, self.boxes, self.marks = Floor(near), Boxes(boxes + 1, cells), Marks(cells)
        self.tree, self.moves, self.steps = Tree(cells), Moves(cells), Steps(boxes, cells)
        self.groups, self.images, self.child = groups, images, Child()
        self.firsts, self.sizes, self.leasts = (view(np.zeros(moves, np.int16)) for _ in range(3))
        self.barriers = Barriers(near)
        self.hashed = view(np.zeros(moves, np.uint64))
        self.values, self.chosen = (view(np.zeros(6, np.int64)) for _ in range(2))
        self.waited = self.work = 0


def nearest_cells(near: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """The cells nearest to each cell by steps of a player, itself first: (cells, at most NEARBY), then walls."""
    cells = len(near) - 1
    result = np.full((cells, NEARBY), cells, np.int16)
    floor, marks = Floor(near), Marks(cells)
    for cell in range(cells):
        new_stamp(marks)
        found = min(flood(floor, cell, marks), NEARBY)
        result[cell, :found] = np.asarray(marks.cells)[:found]
    return result


def bytes_per_position(cells: int) -> int:
    """Bytes of memory for each position of a side: its arrays, and the hash tables while they grow."""
    return 8 * (cells // 64 + 1) + 8 + 8 + 7 * 4 + 48 + 44
