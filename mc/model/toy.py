"""A small model with every kind of hint, for the warm-up of compiled code."""

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Cube
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import Variable, binary, boolean


def row_of_places() -> Model:
    """Four places in a row, and one object that actions carry from place to place."""

    at = binary("at", range(4))
    (one,), (two,), (three,) = (boolean("object", value).bits for value in (1, 2, 3))
    here = [at.literals(value) for value in at.values]
    walks: list[tuple[int, int, Cube]] = [
        (0, 1, {one: False}),
        (1, 0, {}),
        (1, 2, {two: False}),
        (2, 1, {one: False}),
    ]
    actions = [
        *(Action("walk", {**here[i], **free}, here[j], {"cost": 0, "walks": 1}) for i, j, free in walks),
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
