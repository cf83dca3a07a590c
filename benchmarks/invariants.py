"""Measures invariants: what they settle, how fast, and whether they are right.

    python benchmarks/invariants.py classics [--tasks FOLDER]
    python benchmarks/invariants.py pddl [--tasks FOLDER]
    python benchmarks/invariants.py pegs [--all] [--search SECONDS]
    python benchmarks/invariants.py random [--models 5000]
    python benchmarks/invariants.py levels FILE... [--puzzle PUZZLE]

classics  a table of well-known puzzles: verdict, kind of sum, seconds of processor time to decide and to check,
          kilobytes of the certificate. `--tasks` writes each as a task for other planners, too (SAS+)
pddl      the same from PDDL, after the time to read and ground it. `--tasks` writes the PDDL
pegs      peg solitaire on the English board, from each first hole to each last peg: the kind of sum that settles
          it, up to symmetry of the board, or `--all` of the 33 × 33; `--search` looks for a solution of the others
random    models with conditional effects and formulas, and search beside: a goal that is reachable is never called
          unreachable, a sum never changes; and 3 changed proofs of a false claim for each sum are refused
levels    how many levels a sum settles, and its cost in the others: the time beyond that of the task which a
          search needs in any case

Exit code 1: something is wrong.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.invariants import invariants, unchanging
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.invariants.sums import POTENTIAL
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.proofs.sums import SumProof
from puzzlemc.mc.proofs.weights import check_sums
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.reports.formats import sas

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests/compatibility/0.1"), str(ROOT / "tests")]
coins, corners, dominoes, knights, lights_out, river, sliding, random_models, classic_problems = map(
    import_module,
    (
        *("coins", "corners", "dominoes", "knights", "lights_out", "river", "sliding"),
        *("random_models", "classic_problems"),
    ),
)

ENGLISH = [(r, c) for r in range(7) for c in range(7) if 2 <= r <= 4 or 2 <= c <= 4]
CHANGES = 3  # of each proof


class Settled(NamedTuple):
    """What invariants say of a model: the kind of sum, None if they say nothing."""

    kind: str | None
    degree: int
    decided: float
    checked: float
    size: int


def settled(model: Model, *, check: bool = True) -> Settled:
    """Ask for an invariant, and check its proof. Raises Unsuitable, Refuted."""
    begun = time.process_time()
    verdict = invariants(model, ANY, Budget())
    decided = time.process_time() - begun
    if not isinstance(verdict, Unreachable) or not isinstance(verdict.proof, SumProof):
        return Settled(None, 0, decided, 0.0, 0)
    begun = time.process_time()
    if check:
        check_sums(model, verdict.proof, Budget())
    proof = verdict.proof
    degree = max((len(row) // 2 for each in proof.sums for row in each.weights), default=0)
    kinds = {"potential" if each.prime == POTENTIAL else f"modulo {each.prime}" for each in proof.sums}
    named = " and ".join(sorted(kinds)) if degree else "exclusions"
    written = json.dumps([proof.variables and [vars(v) for v in proof.variables], proof.apart, proof.goals])
    written += json.dumps([vars(each) for each in proof.sums])
    return Settled(named, degree, decided, time.process_time() - begun, len(written))


def pegs(first: tuple[int, int], last: tuple[int, int]) -> Model:
    """The English board, with one hole at first, and one peg at last."""
    variables = {cell: boolean("peg", *cell) for cell in ENGLISH}
    peg = {cell: variable.bits[0] for cell, variable in variables.items()}
    actions = []
    for r, c in ENGLISH:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            over, to = (r + down, c + right), (r + 2 * down, c + 2 * right)
            if to in peg:
                before = {peg[r, c]: True, peg[over]: True, peg[to]: False}
                after = {peg[r, c]: False, peg[over]: False, peg[to]: True}
                actions.append(Action(f"{r}{c}-{to[0]}{to[1]}", before, after, {"jumps": 1}))
    start = {b: cell != first for cell, b in peg.items()}
    return Model(tuple(variables.values()), start, tuple(actions), {b: cell == last for cell, b in peg.items()})


def exchanged(width: int) -> Model:
    """A sliding puzzle whose last two tiles are exchanged."""
    last = width * width - 1
    return sliding.compact(sliding.Level("", width, (*range(1, last - 1), last, last - 1, 0))).model


def corner(size: int) -> Model:
    """Lights out with one corner lit."""
    dark = "." * (size - 1)
    return lights_out.model(("*" + dark, *("." + dark for _ in range(size - 1))))


KNIGHTS = (("abcd", "efgh", "ijk."), ("bacd", "efgh", "ijk."))
CLASSICS: dict[str, Callable[[], Model]] = {
    "fifteen puzzle, two tiles exchanged, 3×3": lambda: exchanged(3),
    "the same, 4×4": lambda: exchanged(4),
    "the same, 5×5": lambda: exchanged(5),
    "lights out, one corner lit, 5×5": lambda: corner(5),
    "the same, 9×9": lambda: corner(9),
    "the same, 14×14": lambda: corner(14),
    "lights out, one corner lit, 15×15 (solvable)": lambda: corner(15),
    "60 coins, four turned at once": lambda: coins.model(60, 4, 3),
    "pegs, English board, to the hole beside the centre": lambda: pegs((3, 3), (3, 4)),
    "dominoes on a board of 8×8 without two corners": lambda: dominoes.model(8),
    "corners of a cube, one twisted": lambda: corners.model((1, *[0] * 7)),
    "eleven knights on 3×4, two exchanged": lambda: knights.model(
        ("abcd", "efgh", "ijk."), ("bacd", "efgh", "ijk.")
    ),
    "four missionaries, four cannibals, two seats": lambda: river.model(4, 2),
}


def classics(folder: Path | None) -> int:
    """Print the table."""
    print("| level | sum | degree | decided in | checked in | certificate |\n|---|---|---:|---:|---:|---:|")
    for number, (name, made) in enumerate(CLASSICS.items(), 1):
        model = made()
        found = settled(model)
        kind = found.kind or "none"
        print(f"| {name} | {kind} | {_row(found)} |", flush=True)
        if folder is not None:
            task = translation(model).task
            (folder / f"{number:02}.sas").write_text(sas.write(task))
    return 0


def _row(found: Settled) -> str:
    if not found.kind:
        return f" | {found.decided:.2f} s | | "
    return f"{found.degree or ''} | {found.decided:.2f} s | {found.checked:.2f} s | {found.size / 1000:.1f} kB"


def from_pddl(folder: Path | None) -> int:
    """Print the table of the problems in PDDL."""
    print("| problem | sum | read in | degree | decided in | checked in | certificate |")
    print("|---|---|---:|---:|---:|---:|---:|")
    pddl, wrong = puzzle("pddl"), 0
    for number, (name, made) in enumerate(classic_problems.PROBLEMS.items(), 1):
        domain, problem = made()
        if folder is not None:
            (folder / f"{number:02}").mkdir(exist_ok=True)
            (folder / f"{number:02}" / "domain.pddl").write_text(domain)
            (folder / f"{number:02}" / "problem.pddl").write_text(problem)
        begun = sum(os.times()[:4])  # the translator is a program of its own
        (level,) = pddl.screen.parse(problem + domain, name)
        model = pddl.encode_faithfully(level).model
        read = sum(os.times()[:4]) - begun
        found = settled(model)
        wrong += found.kind is None
        print(f"| {name} | {found.kind or 'none'} | {read:.2f} s | {_row(found)} |", flush=True)
    return int(wrong > 0)


def every_peg(*, every: bool, search: float | None) -> int:
    """Print how many problems each kind of sum settles, and how many others a search solves in some seconds."""
    counts: Counter[str] = Counter()
    seconds, seen = 0.0, set[object]()
    images = [_turned(times, mirrored=mirrored) for times in range(4) for mirrored in (False, True)]
    for first in ENGLISH:
        for last in ENGLISH:
            alike = {(image(first), image(last)) for image in images}
            if not every and alike & seen:
                continue
            seen.add((first, last))
            found = settled(pegs(first, last))
            name = f"{found.kind}, degree {found.degree}" if found.degree else found.kind or "not settled"
            if found.kind is None and search is not None:
                decision = auto(pegs(first, last), ANY, Budget(Limits(seconds=search)))
                name = "solved by search" if isinstance(decision.verdict, Reachable) else name
            counts[name] += 1 if every else len(alike)
            seconds += found.decided + found.checked
    for name, number in counts.most_common():
        print(f"{number:5}  {name}")
    print(f"{counts.total():5}  problems, {len(seen)} of them asked, {seconds:.1f} s of processor time")
    return 0


def _turned(times: int, *, mirrored: bool) -> Callable[[tuple[int, int]], tuple[int, int]]:
    """A symmetry of the board."""

    def image(cell: tuple[int, int]) -> tuple[int, int]:
        r, c = cell[::-1] if mirrored else cell
        for _ in range(times):
            r, c = c, 6 - r
        return r, c

    return image


def randomly(models: int) -> int:
    """Judge invariants of random models by search, and changed proofs of false claims by the checker."""
    counts: Counter[str] = Counter()
    for seed in range(models):
        model, rng = random_models.random_model(seed), random.Random(seed)
        try:
            verdict = invariants(model, ANY, Budget())
            basis = unchanging(model, Budget())
        except Unsuitable:
            counts["unsuitable"] += 1
            continue
        states = random_models.states_of(model)
        task_states = [translation(model, whole=True).values(s)[: len(basis.task.variables)] for s in states]
        counts["sums that never change"] += len(basis.sums)
        counts["sums of pairs that never change"] += len(basis.pairs)
        for each in (*basis.sums, *basis.pairs):
            counts["WRONG: a sum changes"] += len({each.value(state) for state in task_states}) > 1
        reachable = any(holds(model.goal, state) for state in states)
        counts["reachable" if reachable else "unreachable"] += 1
        if not isinstance(verdict, Unreachable) or not isinstance(verdict.proof, SumProof):
            continue
        counts["called unreachable"] += 1
        counts["WRONG: called unreachable"] += reachable
        check_sums(model, verdict.proof, Budget())
        for proof, false in _false_claims(model, verdict.proof, rng):
            counts["changed proofs of false claims"] += 1
            try:
                check_sums(false, proof, Budget())
            except Refuted:
                continue
            counts["WRONG: accepted"] += 1
    for name, number in sorted(counts.items()):
        print(f"{number:6}  {name}")
    return int(any(number for name, number in counts.items() if name.startswith("WRONG")))


def _false_claims(model: Model, proof: SumProof, rng: random.Random) -> Iterator[tuple[SumProof, Model]]:
    """Changed proofs that a state is unreachable which is reachable."""
    for _ in range(CHANGES):
        goal = rng.choice(random_models.states_of(model))
        literals = tuple(n if b in goal else -n for n, b in enumerate(model.bits, 1))
        claim = replace(model, goal={b: b in goal for b in model.bits})
        changed = replace(proof, goals=(literals,), sums=proof.sums[:1])
        for _ in range(rng.randint(1, 3)):
            changed = _changed(changed, rng)
        yield changed, claim


def _changed(proof: SumProof, rng: random.Random) -> SumProof:
    """The proof with one change."""
    place = rng.choice(["apart", "codes", "goals", "kind", "lost", "prime", "weights", "weight"])
    if place == "apart":
        pair = tuple(rng.choice((-1, 1)) * rng.randint(1, len(proof.inputs)) for _ in range(2))
        kept = tuple(each for each in proof.apart if rng.random() < 0.8)
        return replace(proof, apart=kept if rng.random() < 0.5 else (*proof.apart, pair))
    if place == "goals":
        return replace(proof, goals=(tuple(rng.choice((p, p, p, -p)) for p in proof.goals[0]),))
    if place in ("codes", "kind", "lost") and proof.variables:
        number = rng.randrange(len(proof.variables))
        one = proof.variables[number]
        other = {
            "codes": (replace(one, codes=one.codes[1:]),),
            "kind": (replace(one, kind=one.kind + 1),),
            "lost": (),
        }
        return replace(proof, variables=(*proof.variables[:number], *other[place], *proof.variables[number + 1 :]))
    if not proof.sums:
        return proof
    some = proof.sums[0]
    if place == "prime":
        return replace(proof, sums=(replace(some, prime=rng.choice((0, 2, 3, 5))),))
    rows = list(some.weights)
    if rows and place == "weight":
        row = rng.randrange(len(rows))
        rows[row] = (*rows[row][:-1], rng.randint(-2, 3))
    else:
        variable = rng.choice([v for v in proof.variables if v.codes])
        rows.append((variable.kind, rng.choice(variable.codes), rng.choice((-1, 1, 2))))
    return replace(proof, sums=(replace(some, weights=tuple(rows)),))


def levels(files: Sequence[str], puzzle: str | None) -> int:
    """Print how many levels a sum settles, and what it costs."""
    counts: Counter[str] = Counter()
    costs = []
    for entry in load(list(files), puzzle):
        if entry.error is not None:
            continue
        model, other = (entry.puzzle.encode_faithfully(entry.level).model for _ in range(2))
        try:
            without = _seconds(lambda model=other: translation(model))  # type: ignore[misc]
            begun = time.process_time()
            verdict = invariants(model, ANY, Budget(Limits(seconds=60)))
        except Unsuitable:
            counts["unsuitable"] += 1
            continue
        counts["settled" if isinstance(verdict, Unreachable) else "not settled"] += 1
        if not isinstance(verdict, Unreachable):
            translation(model)
            costs.append(time.process_time() - begun - without)
    for name, number in counts.most_common():
        print(f"{number:5}  {name}")
    if costs:
        costs.sort()
        print(f"not settled: {costs[len(costs) // 2]:.3f} s in the middle, {costs[-1]:.3f} s at most")
    return 0


def _seconds(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def main() -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("classics").add_argument("--tasks", type=Path, metavar="FOLDER")
    commands.add_parser("pddl").add_argument("--tasks", type=Path, metavar="FOLDER")
    of_pegs = commands.add_parser("pegs")
    of_pegs.add_argument("--all", action="store_true")
    of_pegs.add_argument("--search", type=float, metavar="SECONDS")
    commands.add_parser("random").add_argument("--models", type=int, default=5000)
    of_levels = commands.add_parser("levels")
    of_levels.add_argument("files", nargs="+", metavar="FILE")
    of_levels.add_argument("--puzzle")
    given = parser.parse_args()
    match given.command:
        case "classics":
            return classics(given.tasks)
        case "pddl":
            return from_pddl(given.tasks)
        case "pegs":
            return every_peg(every=given.all, search=given.search)
        case "random":
            return randomly(given.models)
    return levels(given.files, given.puzzle)


if __name__ == "__main__":
    sys.exit(main())
