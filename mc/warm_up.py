"""Small models that lead through all the compiled code, to have it compiled or loaded before it is needed."""

import numpy as np

from puzzlemc.mc.formula import conjunction
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Hints, Model, Relaxation, Variable, binary, boolean


def searches() -> None:
    """Lead through `mc/kernel.py`. Raises ImportError, OSError or RuntimeError where there is no numba."""
    from puzzlemc.mc import kernel
    from puzzlemc.mc.best_first import best_first
    from puzzlemc.mc.compiled import compiled

    model = _corridor()
    for metric in ("cost", ANY):
        compiled(model, metric, Watch())
    best_first(model, ANY, Watch())
    kernel.rehash(np.zeros((1, 1), np.uint64), 0, np.full(4, -1, np.int32))


def graphs() -> None:
    """Lead through `mc/graph_kernel.py`."""
    from puzzlemc.mc.analysis import analyse
    from puzzlemc.mc.ctl import query
    from puzzlemc.mc.ctl_parser import parse

    model = _corridor()
    analyse(model, ["cost", "walks"], Watch())
    for formula in ("EX goal", "EF goal", "EG goal"):
        query(model, parse(formula), Watch(), "explicit")


def _corridor() -> Model:
    """A corridor with an object to push."""
    at = binary("at", range(4))
    (one,), (two,), (three,) = (boolean("object", value).bits for value in (1, 2, 3))
    here = [at.literals(value) for value in at.values]
    walks = [(0, 1, one), (1, 0, one), (1, 2, two), (2, 1, two)]
    actions = [
        *(
            Action("walk", conjunction({**here[i], o: False}), here[j], {"cost": 0, "walks": 1})
            for i, j, o in walks
        ),
        *(
            Action(
                "push",
                conjunction({**here[i], o: True, p: False}),
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
    init = conjunction({**here[0], one: True, two: False, three: False})
    return Model((at, *objects), init, tuple(actions), three, {"goal": three}, hints)
