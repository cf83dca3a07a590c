"""Small models that lead through all the compiled code, to have it compiled or loaded before it is needed."""

import numpy as np

from puzzlemc.mc.hints import Hints, Relaxation
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Model
from puzzlemc.mc.variables import Variable, binary, boolean


def searches() -> None:
    """Lead through compiled search. Raises ImportError, OSError or RuntimeError where there is no numba."""
    from puzzlemc.mc.engines.best_first import best_first
    from puzzlemc.mc.engines.explicit import astar
    from puzzlemc.mc.rows.buckets import rehash

    model = _row_of_places()
    for metric in ("cost", ANY):
        astar(model, metric, Watch())
    best_first(model, ANY, Watch())
    rehash(np.zeros((1, 1), np.uint64), 0, np.full(4, -1, np.int32))


def graphs() -> None:
    """Lead through `mc/graph/kernel.py`."""
    from puzzlemc.mc.graph.analysis import analyse
    from puzzlemc.mc.temporal.check import query
    from puzzlemc.mc.temporal.parser import parse

    model = _row_of_places()
    analyse(model, ["cost", "walks"], Watch())
    for formula in ("EX goal", "EF goal", "EG goal"):
        query(model, parse(formula), Watch(), "explicit")


def _row_of_places() -> Model:
    """Four places in a row, and an object that is carried along."""
    at = binary("at", range(4))
    (one,), (two,), (three,) = (boolean("object", value).bits for value in (1, 2, 3))
    here = [at.literals(value) for value in at.values]
    walks = [(0, 1, one), (1, 0, one), (1, 2, two), (2, 1, two)]
    actions = [
        *(Action("walk", {**here[i], o: False}, here[j], {"cost": 0, "walks": 1}) for i, j, o in walks),
        *(
            Action(
                "carry",
                {**here[i], o: True, p: False},
                {**here[i + 1], o: False, p: True},
                {"cost": 1, "walks": 0},
            )
            for i, o, p in ((0, one, two), (1, two, three))
        ),
    ]
    hints = Hints(
        location=at,
        conserved=(((one, two, three), 1),),
        objects={one: 1, two: 2, three: 3},
        potential={(three, False): 1},
        relaxations=(Relaxation(1, (three,), 1),),
    )
    objects = [Variable("object", (False, True), (o,), ((False,), (True,))) for o in (one, two, three)]
    init = {**here[0], one: True, two: False, three: False}
    return Model((at, *objects), init, tuple(actions), three, {"goal": three}, hints)
