"""Tables made by hand: a true proof, and false ones, each of which one condition of the checker refutes."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And
from puzzlemc.mc.model.formula import Gates, Signal
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean, one_hot
from puzzlemc.mc.proofs.blocks import packed
from puzzlemc.mc.proofs.facts import CodedBits, Facts
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.potentials import check_tables
from puzzlemc.mc.proofs.tables import DEAD, NEVER, Potential, Table, TableProof

PLACES = 5
LAMP = PLACES + 1  # the number of its bit


def walk(steps: int = PLACES - 1) -> Model:
    """From place 0 to the next one, for 2 each; the goal is the last place. A lamp toggles for nothing."""
    at, lamp = one_hot("at", range(PLACES)), boolean("lamp", 0)
    actions = [Action(f"to {n + 1}", at.literals(n), dict(at.literals(n + 1)), {"cost": 2}) for n in range(steps)]
    (light,) = lamp.bits
    actions += [Action(f"lamp {new}", {light: not new}, {light: new}, {"cost": 0}) for new in (False, True)]
    return Model((at, lamp), at.literals(0) | {light: False}, tuple(actions), {at.bits[-1]: True})


def table(*columns: Sequence[int], rows: Sequence[int] = (0,), variables: Sequence[int] = (0,)) -> Table:
    values = np.array(columns, "<u2").T
    return Table(tuple(variables), tuple(rows), zlib.compress(values.tobytes()))


def proof(below: int | None, *tables: Table, listed: Sequence[tuple[int, int]] = ()) -> TableProof:
    """The proof with these tables, which lists states by costs and bits."""
    model = walk()
    names = tuple(map(str, model.bits))
    place = CodedBits(tuple(range(1, PLACES + 1)), tuple(1 << n for n in range(PLACES)), 0)
    facts = Facts(names, (place, CodedBits((LAMP,), (0, 1), 1)), (), ((PLACES,),))
    return TableProof(
        facts, tables, ListedStates("cost", below, names, packed(np.array(listed, np.uint16).reshape(-1, 2)))
    )


def test_what_is_true() -> None:
    check_tables(walk(), proof(8, table([8, 6, 4, 2, 0])), Budget())
    check_tables(walk(), proof(8, table([4, 3, 2, 1, 0]), table([4, 3, 2, 1, 0])), Budget())
    check_tables(walk(), proof(8, table([0, 6, 4, 2, 0]), listed=[(0, 1), (0, 33)]), Budget())
    check_tables(walk(PLACES - 2), proof(None, table([DEAD] * 4 + [0])), Budget())


FALSE = {
    "lowers a bound by more than its cost": [
        proof(9, table([9, 6, 4, 2, 0])),
        proof(9, table([9, 7, 5, 3, 0])),
        proof(9, table([5, 4, 3, 1, 0]), table([4, 3, 2, 1, 0])),  # both together do
        proof(9, table([9, 7, 4, 2, 0], [8, 6, 4, 2, 0], rows=[1, 0])),
        proof(4, table([4, 0, 4, 0, 4, 0, 4, 0, 0, 0], variables=[1, 0])),  # the lamp costs nothing
        proof(1 << 15, table([1 << 15, 0, 0, 0, 0])),
    ],
    "a table has a value in a goal state": [
        proof(9, table([9, 7, 5, 3, 1])),
        proof(9, table([0, 0, 0, 0, 0], [9, 7, 5, 3, 1], rows=[0, 1])),
        proof(None, table([DEAD] * PLACES)),
    ],
    "leads out of a dead place of a table": [proof(None, table([DEAD] * 4 + [0]))],
    "leads to a place of a table where no state should be": [
        proof(9, table([9, 7, 5, 3, NEVER])),
        proof(None, table([DEAD] * 4 + [NEVER])),
    ],
    "the initial state is in a place of a table where no state should be": [
        proof(8, table([NEVER, 6, 4, 2, 0]), listed=[(0, 1), (0, 33)])
    ],
    "a table has no variable, or one twice": [
        proof(8, table([8, 6, 4, 2, 0]), table([0], variables=[])),
        proof(8, table([8] * 25, variables=[0, 0])),
    ],
    "a table is about a variable that does not exist": [proof(8, table([8, 6, 4, 2, 0], variables=[2]))],
    "a column of a table is in no row, or two are in one": [
        proof(8, table([8, 6, 4, 2, 0], rows=[1])),
        proof(8, table([8, 6, 4, 2, 0], [8, 6, 4, 2, 0], rows=[0, 0])),
    ],
    "a table does not have the values that it should have": [
        proof(8, table([8, 6, 4, 2])),
        proof(8, table([8, 6, 4, 2, 0, 0])),
        proof(8, replace(table([8, 6, 4, 2, 0]), data=table([8, 6, 4, 2, 0]).data[:-1])),
        proof(8, replace(table([8, 6, 4, 2, 0]), data=bytes(table([8, 6, 4, 2, 0]).data) + b"\0")),
        proof(8, replace(table([8, 6, 4, 2, 0]), data=b"")),
    ],
    "a place of a table is dead, or never, in some columns only": [
        proof(9, table([0, 0, 0, 0, 0], [9, 7, 5, NEVER, 0], rows=[0, 1])),
        proof(None, table([0, 0, 0, 0, 0], [DEAD, DEAD, DEAD, DEAD, 0], rows=[0, 1])),
    ],
    "a table that only says what is dead has values": [proof(8, table([8, 6, 4, 2, 0], rows=[]))],
    "the initial state is left out": [
        proof(9, table([8, 6, 4, 2, 0])),
        proof(8),
        proof(8, table([7, 6, 4, 2, 0])),
        proof(None, table([8, 6, 4, 2, 0])),  # costs show nothing of that
    ],
    "a listed state leads to one that is left out": [
        proof(9, table([8, 6, 4, 2, 0]), listed=[(0, 1), (0, 33)]),
        proof(8, table([0, 6, 4, 2, 0]), listed=[(0, 1)]),
    ],
    "a goal state is listed": [proof(9, listed=[(2 * n, 1 << n | 32 * on) for n in range(5) for on in (0, 1)])],
}


@pytest.mark.parametrize(("why", "wrong"), [(why, each) for why, some in FALSE.items() for each in some])
def test_what_is_false(why: str, wrong: TableProof) -> None:
    with pytest.raises(Refuted, match=why):
        check_tables(walk(), wrong, Budget())


def weighed(below: int | None, own: Sequence[int], divisor: int = 1, lamp: Sequence[int] = ()) -> TableProof:
    """The proof with weights of the places and of the lamp."""
    return replace(proof(below), potential=Potential((tuple(own), tuple(lamp)), divisor))


def test_a_potential_that_is_true() -> None:
    check_tables(walk(), weighed(8, [8, 6, 4, 2, 0]), Budget())
    check_tables(walk(), weighed(8, [24, 18, 12, 6, 0], divisor=3), Budget())
    check_tables(walk(), weighed(8, [7, 6, 4, 2, 0]), Budget())  # all costs are even
    check_tables(walk(), weighed(8, [10, 8, 6, 4, 2], lamp=[-2, -2]), Budget())


@pytest.mark.parametrize(
    ("why", "wrong"),
    [
        ("lowers the potential by more than its cost", weighed(9, [9, 6, 4, 2, 0])),
        ("lowers the potential by more than its cost", weighed(9, [25, 18, 12, 6, 0], divisor=3)),
        ("lowers the potential by more than its cost", weighed(9, [8, 6, 4, 2, 0], lamp=[1, 0])),
        ("the potential of a goal state is more than 0", weighed(9, [9, 7, 5, 3, 1])),
        ("the initial state is left out", weighed(9, [8, 6, 4, 2, 0])),
        ("the initial state is left out", weighed(8, [6, 5, 4, 2, 0])),
        ("the initial state is left out", weighed(None, [8, 6, 4, 2, 0])),
        ("or its divisor less than 1", weighed(9, [8, 6, 4, 2, 0], divisor=0)),
        ("or its divisor less than 1", weighed(9, [-9, -7, -5, -3, -1], divisor=-1)),
        ("a number of a potential is more than", weighed(9, [1 << 63, 6, 4, 2, 0])),
        ("does not have the weights that it should have", weighed(8, [8, 6, 4, 2])),
        ("does not have the weights that it should have", weighed(8, [8, 6, 4, 2, 0], lamp=[0])),
    ],
)
def test_a_potential_that_is_false(why: str, wrong: TableProof) -> None:
    with pytest.raises(Refuted, match=why):
        check_tables(walk(), wrong, Budget())


PLACE, LIGHT = proof(8).facts.variables


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("a number is not that of a bit", {"variables": (PLACE, CodedBits((LAMP + 1,), (0, 1), 1))}),
        ("a number is not that of a bit", {"variables": (PLACE, CodedBits((0,), (0, 1), 1))}),
        ("a number is not that of a bit", {"goals": ((LAMP + 1,),)}),
        ("literals are apart in pairs", {"apart": ((1, 2, 3),)}),
        ("literals are apart in pairs", {"apart": ((LAMP,),)}),
        ("a variable has a bit or a code twice", {"variables": (PLACE, replace(LIGHT, codes=(0, 1, 1)))}),
        ("a variable has a bit or a code twice", {"variables": (PLACE, CodedBits((LAMP, LAMP), (0, 3), 1))}),
        ("a code has more bits than its variable", {"variables": (PLACE, replace(LIGHT, codes=(0, 1, 2)))}),
        ("variables of one kind have different codes", {"variables": (PLACE, replace(LIGHT, kind=0))}),
        ("a literal is of a bit that is in no variable", {"variables": (PLACE,), "apart": ((1, LAMP),)}),
        (
            "sets .* to what the variables of the proof do not tell",
            {"variables": (CodedBits((2, 3, 4, 5), (0, 1, 2, 4, 8), 0), LIGHT)},
        ),
    ],
)
def test_facts_that_are_none(why: str, changes: dict[str, Any]) -> None:
    good = proof(8, table([8, 6, 4, 2, 0]))
    light, at = walk().bits[-1], walk().bits[0]
    model = replace(walk(), actions=(Action("read", {}, {light: And(at, light)}, {"cost": 0}), *walk().actions))
    check_tables(model, good, Budget())
    with pytest.raises(Refuted, match=why):
        check_tables(model, replace(good, facts=replace(good.facts, **changes)), Budget())


def test_updates_by_a_circuit() -> None:
    """From the third place to the last one, if the lamp is off, which goes on."""
    model, good = walk(), proof(8, table([8, 6, 4, 2, 0]))
    here, last, light = (model.bits[n] for n in (2, 4, 5))
    graph = Gates((here, light), [(2, 5)])  # here, and no lamp
    update = {here: Signal(graph, 7), last: Signal(graph, 6), light: Signal(graph, 6)}
    for cost in (4, 3):
        jump = Action("jump", Signal(graph, 6), update, {"cost": cost})
        more = replace(model, actions=(*model.actions, jump))
        if cost == 4:
            check_tables(more, good, Budget())
        else:
            with pytest.raises(Refuted, match="jump lowers a bound by more than its cost"):
                check_tables(more, good, Budget())


def test_several_initial_states() -> None:
    several = replace(walk(), init={walk().bits[0]: True})
    with pytest.raises(Refuted, match="more than one initial state"):
        check_tables(several, proof(8, table([8, 6, 4, 2, 0])), Budget())


def test_tables_that_are_too_large() -> None:
    with pytest.raises(LimitReached):
        check_tables(walk(), proof(8, table([8, 6, 4, 2, 0])), Budget(Limits(memory=50)))


@pytest.mark.parametrize("places", [62, 63, 64, 65, 130])
def test_a_variable_of_many_bits(places: int) -> None:
    """By a table as by a potential: only the start is listed, and what is wrong by one is refuted."""
    at = one_hot("at", range(places))
    actions = [
        Action(f"to {n + 1}", at.literals(n), dict(at.literals(n + 1)), {"cost": 1}) for n in range(places - 1)
    ]
    model = Model((at,), at.literals(0), tuple(actions), {at.bits[-1]: True})
    names = tuple(map(str, model.bits))
    facts = Facts(
        names, (CodedBits(tuple(range(1, places + 1)), tuple(1 << n for n in range(places)), 0),), (), ((places,),)
    )
    start = np.zeros((1, 1 + -(-places // 16)), np.uint16)
    start[0, 1] = 1
    for shift in (0, 1):
        values = [0, *(places - 1 - n + shift for n in range(1, places - 1)), 0]
        listed = ListedStates("cost", places - 1 + shift, names, packed(start))
        by_table = TableProof(facts, (table(values),), listed)
        for found in (by_table, replace(by_table, tables=(), potential=Potential(((tuple(values)),), 1))):
            if shift == 0:
                check_tables(model, found, Budget())
            else:
                with pytest.raises(Refuted, match="by more than its cost"):
                    check_tables(model, found, Budget())
