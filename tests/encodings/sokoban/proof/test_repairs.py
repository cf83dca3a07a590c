"""Proofs that every repair has at least a number of edits: of cores by plain searches, and what is refused."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from oracle import least_cost_by_rules
from repair_cores import Cores, checking_program, place_of
from strategies import odd_levels

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed, Cell, Core
from puzzlemc.encodings.puzzle.design.repair_proof import ProvedCore, RepairProof, repair_proof
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.proof.repairs import check_repairs
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.blocks import each
from puzzlemc.mc.proofs.closed import closed_positions
from puzzlemc.reports.certify.certificate import Certificate, write
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Level

ALL = ("walls", "boxes", "goals", "player", "drop")
CORNERS = "######\n#$  $#\n#    #\n#@.. #\n######"  # two boxes in corners: two edits are needed
SPARE = "#######\n#$    #\n# @.  #\n#$    #\n#######"  # one edit is needed
FEWER = "######\n#    #\n# $..#\n#   @#\n######"
LIVELY = "#######\n## # .#\n#    ##\n# $$  #\n#.@ # #\n#######"  # much can be done, in vain
# The player must come behind the box through two walls. Boxes, walls and goals outside make no difference.
THICK = "#########\n#########\n###$  ###\n###  .###\n### @ ###\n#########\n#########\n # $ *"


def level_of(text: str) -> Level:
    (level,) = sokoban.parse(text, "test")
    assert isinstance(level, Level), level
    return level


def proof_of(text: str, least: int, kinds: tuple[str, ...] = ALL) -> RepairProof:
    cores = Cores(level_of(text), least - 1)
    found = cores.found(kinds, least - 1)
    assert found is not None
    proof = repair_proof(Allowed(frozenset(kinds)), least, tuple(found))
    assert proof is not None
    return proof


def proof_of_all(text: str) -> RepairProof:
    """The proof that a level is unsolvable by a core that keeps all objects."""
    core = Cores(level_of(text)).core(frozenset())
    assert core is not None
    proof = repair_proof(Allowed(frozenset(ALL)), 1, (core,))
    assert proof is not None
    return proof


TOOL = checking_program()


def check(level: Level, proof: RepairProof) -> None:
    """Check a proof by both checkers, which must agree. Raises Refuted."""
    certificate = Certificate(
        "", "", "sokoban", sokoban.draw(level), "compact", "any", "unsolvable", None, False, None, proof
    )
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()) as said:
        write(certificate, Path(folder, "a.cert"))
        code = TOOL.said(str(Path(folder, "a.cert")))
    try:
        check_repairs(level, proof, Budget())
    except Refuted:
        assert code == 4, said.getvalue()
        raise
    assert code == 0, said.getvalue()


def refusal(text: str, proof: RepairProof) -> str:
    with pytest.raises(Refuted) as refuted:
        check(level_of(text), proof)
    return str(refuted.value)


def single_edits(level: Level, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The kind and the level of each single edit, by its signs."""
    grid = {(r, c): what for r, row in enumerate(level.rows) for c, what in enumerate(row)}
    cells = Cores(level)
    goals = {cell: cell in level.goals for cell in level.floor}

    def text(boxes: set[Cell], goals: set[Cell], player: Cell, walls: dict[Cell, str]) -> str:
        signs = {**grid, **walls}
        for cell in [*level.floor, *(wall for wall, what in walls.items() if what == " ")]:
            if signs[cell] == "#":
                continue
            which = (2 if cell in boxes else 4 if cell == player else 0) + (cell in goals)
            signs[cell] = " .$*@+"[which]
        rows = range(len(level.rows))
        return "\n".join("".join(signs[r, c] for c in range(len(level.rows[r]))) for r in rows)

    boxes, marks, player = set(level.start.boxes), set(level.goals), level.start.player
    free = [cell for cell in level.floor if cell not in boxes]
    if "boxes" in kinds:
        yield from (
            ("boxes", text(boxes - {b} | {x}, marks, player, {})) for b in boxes for x in free if x != player
        )
    if "goals" in kinds:
        yield from (
            ("goals", text(boxes, marks - {g} | {x}, player, {}))
            for g in marks
            for x in level.floor
            if not goals[x]
        )
    if "player" in kinds:
        yield from (("player", text(boxes, marks, x, {})) for x in free if x != player)
    if "walls" in kinds:
        yield from (("walls", text(boxes, marks, player, {place_of(name): " "})) for name in cells.walls)
    if "drop" in kinds and len(marks) > 1:
        yield from (("drop", text(boxes - {b}, marks - {g}, player, {})) for b in boxes for g in marks)


def is_solvable(text: str) -> bool:
    (level,) = sokoban.parse(text, "test")
    assert not isinstance(level, LevelError), (text, level)
    return least_cost_by_rules(puzzle("sokoban"), level, "pushes") is not None


@pytest.mark.parametrize(
    ("text", "least", "kinds"),
    [(CORNERS, 2, ALL), (SPARE, 1, ALL), (FEWER, 1, ALL), (THICK, 2, ("walls",)), (CORNERS, 2, (*ALL, "add"))],
)
def test_cores_by_plain_searches_are_a_proof(text: str, least: int, kinds: tuple[str, ...]):
    proof = proof_of(text, least, kinds)
    check(level_of(text), proof)
    if least > 1:
        edited = list(single_edits(level_of(text), kinds))
        assert {kind for kind, _ in edited} >= set(kinds) - {"add", "walls"}
        assert edited
        assert not any(is_solvable(other) for _, other in edited)
    assert "no core shows" in refusal(text, replace(proof, least=least + 1))


def with_core(proof: RepairProof, number: int, **changes: Any) -> RepairProof:
    core = replace(proof.cores[number], **changes)
    return replace(proof, cores=(*proof.cores[:number], core, *proof.cores[number + 1 :]))


def rows_of(core: ProvedCore) -> Any:
    return np.concatenate(
        [np.zeros((0, core.positions.width), np.uint16), *each(core.positions.blocks, core.positions.width)]
    )[:, 1:]


def test_a_list_without_one_of_its_positions_is_refuted():
    """Each position of the lists is needed: it is where a play begins, or a push leads to it."""
    proof = proof_of_all(LIVELY)
    rows = rows_of(proof.cores[0])
    assert len(rows) > 20
    for at in range(len(rows)):
        fewer = with_core(proof, 0, positions=closed_positions(np.delete(rows, at, axis=0)))
        assert "list" in refusal(LIVELY, fewer)


def test_a_position_that_is_none_is_refuted():
    proof = proof_of_all(LIVELY)
    check(level_of(LIVELY), proof)
    rows = rows_of(proof.cores[0])
    for column, value in [(0, rows[0, 1]), (1, 10000), (0, rows[0, 0] + 1)]:
        other = rows.copy()
        other[0, column] = value
        assert refusal(LIVELY, with_core(proof, 0, positions=closed_positions(other)))
    twice = np.concatenate([rows, rows[:1]])
    assert "repeated" in refusal(LIVELY, with_core(proof, 0, positions=closed_positions(twice)))


def test_what_a_core_says_of_itself_is_computed_again():
    proof = proof_of(CORNERS, 2)
    for number, core in enumerate(proof.cores):
        assert "needed" in refusal(CORNERS, with_core(proof, number, needed=core.needed + 1))
        assert refusal(CORNERS, with_core(proof, number, kept=core.kept[1:]))
        assert refusal(CORNERS, with_core(proof, number, freed=(*core.freed, len(proof.objects)))), (
            "no such object"
        )
    names = list(proof.objects)
    assert "objects" in refusal(CORNERS, replace(proof, objects=(*names[1:], "box 1,1")))
    assert "objects" in refusal(CORNERS, replace(proof, objects=(*names, names[0])))
    assert "edits" in refusal(CORNERS, replace(proof, edits=("everything",)))
    assert "at least" in refusal(CORNERS, replace(proof, least=0))


def test_the_cores_must_be_about_all_changes():
    """Without one of the cores that cannot be spared, some change is in none."""
    proof, level = proof_of(CORNERS, 2), level_of(CORNERS)
    needed = list(proof.cores)
    for core in proof.cores:
        fewer = [other for other in needed if other is not core]
        try:
            check(level, replace(proof, cores=tuple(fewer)))
            needed = fewer
        except Refuted:
            pass
    assert len(needed) > 1
    for core in needed:
        assert "no core shows" in refusal(CORNERS, replace(proof, cores=tuple(x for x in needed if x is not core)))


def test_cores_with_removed_or_placed_boxes_are_not_about_all_changes():
    """If a box is dropped, the other one must cover a goal; if box and goal are moved, it need not."""
    cores = Cores(level_of(CORNERS))
    (one, two), goals = cores.boxes, cores.goals
    drops = [cores.core(frozenset({box, goal}), removed=frozenset({box})) for box in (one, two) for goal in goals]
    moves = [cores.core(frozenset({box}), placed=frozenset({box})) for box in (one, two)]
    assert cores.core(frozenset({one, goals[0]})) is None
    found = tuple(core for core in (*drops, *moves) if core is not None)
    assert len(found) == 6
    whole = repair_proof(Allowed(frozenset({"drop", "boxes"})), 2, found)
    assert whole is not None
    check(level_of(CORNERS), whole)
    assert "no core" in refusal(CORNERS, replace(whole, cores=whole.cores[4:])), "a drop is no move"
    assert "no core" in refusal(CORNERS, replace(whole, cores=whole.cores[:4])), "a move is no drop"
    assert "no core" in refusal(CORNERS, replace(whole, edits=("boxes", "goals"), least=3))
    for least in (1, 2):
        others = {"placed": whole.cores[0].removed, "removed": ()}
        assert refusal(CORNERS, with_core(replace(whole, least=least), 0, **others))
        assert refusal(
            CORNERS, with_core(replace(whole, least=least), 4, removed=whole.cores[4].placed, placed=())
        )
    assert "freed boxes" in refusal(CORNERS, with_core(whole, 0, removed=whole.cores[1].kept[:1]))


def test_a_drop_of_a_placed_box_is_in_no_core_that_keeps_it_on_the_board():
    """Three boxes in corners; the cells of two of them, and of two goals, are kept."""
    level = level_of("######\n#$  $#\n# .  #\n#@..$#\n######")
    cores = Cores(level)
    box, goal = cores.boxes[0], cores.goals[0]
    core = cores.core(frozenset({box, goal}), placed=frozenset({box}))
    assert core is not None
    assert core.needed == 2
    keep = frozenset(place_of(name) for name in (*cores.boxes[1:], *cores.goals[1:]))
    moved = repair_proof(Allowed(frozenset({"boxes", "goals"}), keep), 3, (core,))
    dropped = repair_proof(Allowed(frozenset({"drop"}), keep), 2, (core,))
    assert moved is not None
    assert dropped is not None
    check(level, moved)
    with pytest.raises(Refuted, match="no core"):
        check(level, dropped)


def test_the_last_goal_is_not_dropped():
    text = "#####\n#$  #\n#@. #\n#####"
    (core,) = [Cores(level_of(text)).core(frozenset())]
    assert core is not None
    proof = repair_proof(Allowed(frozenset({"drop"})), 5, (core,))
    assert proof is not None
    check(level_of(text), proof)


def test_a_freed_player_may_begin_in_each_region():
    text = "#######\n#.@$  #\n#######"  # from the other side of the box it is one push
    cores = Cores(level_of(text))
    core = cores.core(frozenset())
    assert core is not None
    assert cores.core(frozenset({"player"})) is None
    false = replace(core, kept=tuple(name for name in core.kept if name != "player"), freed=("player",))
    proof = repair_proof(Allowed(frozenset({"player"})), 2, (false,))
    assert proof is not None
    assert "where a play begins" in refusal(text, proof)


def test_a_list_with_a_solved_position_is_refuted():
    text = "######\n#@$ .#\n######"
    names = Cores(level_of(text)).objects
    places = np.array([[0, 1], [0, 2], [0, 3]], np.uint16)  # all that two pushes lead to
    proof = repair_proof(Allowed(frozenset(ALL)), 1, (Core(names, (), 1, closed_positions(places)),))
    assert proof is not None
    assert "enough boxes on goals" in refusal(text, proof)
    fewer = with_core(proof, 0, positions=closed_positions(places[:2]))
    assert "not listed" in refusal(text, fewer)


def test_one_core_shows_that_a_level_is_unsolvable():
    cores = Cores(level_of(CORNERS))
    drop = cores.core(frozenset({cores.boxes[0], cores.goals[0]}), removed=frozenset({cores.boxes[0]}))
    plain = cores.core(frozenset({cores.boxes[0]}), placed=frozenset({cores.boxes[0]}))
    assert drop is not None
    assert plain is not None
    proof = repair_proof(Allowed(frozenset(ALL)), 1, (drop, plain, plain))
    assert proof is not None
    assert len(proof.cores) == 1
    check(level_of(CORNERS), proof)
    only = repair_proof(Allowed(frozenset(ALL)), 1, (drop,))
    assert only is not None
    assert "no core shows that nothing is repaired by no edit" in refusal(CORNERS, only)


def test_limits_end_the_check():
    proof = proof_of(CORNERS, 2)
    with pytest.raises(LimitReached):
        check_repairs(level_of(CORNERS), proof, Budget(Limits(memory=1000)))
    with pytest.raises(LimitReached):
        check_repairs(level_of(CORNERS), proof, Budget(Limits(seconds=0.0)))


@settings(max_examples=examples(25, 250), deadline=None)
@given(odd_levels(), st.sets(st.sampled_from((*ALL, "add")), min_size=1))
def test_the_checker_takes_the_proofs_of_the_search(level: Level, kinds: set[str]):
    """Of levels with rooms and boxes out of reach, too; with more boxes than goals, and with fewer."""
    search = puzzle("sokoban").changes().repairs
    allowed = Allowed(frozenset(kinds), most=2)
    repairs = search(level, allowed, Budget())
    event(f"{repairs.least} edits, {'some' if repairs.cores else 'no'} cores")
    if repairs.cores:
        proof = repair_proof(allowed, repairs.least, repairs.cores)
        assert proof is not None
        check(level, proof)
