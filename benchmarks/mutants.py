"""Changes certificates at random, one thing at a time, and counts how many of the changed ones are found out.

    python benchmarks/mutants.py CERT... [--each 50] [--seed 1] [--puzzle FILE.py]

Of those that are not found out it tells why: because the change does not change what is said (the same sets of
states, the same costs), or because what is said then is another sound proof. Of proofs that list states, what is
said then is judged by search: if it is false, it counts as WRONG. So it is with strategies of levels with chance.
"""

import argparse
import copy
import json
import random
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache, lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import repair_mutants
import strategy_mutants
from dd.cudd import BDD

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.repair_proof import RepairProof
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.engines.symbolic import bidirectional
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import each, packed
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.proofs.listed import BITS, ListedStates
from puzzlemc.mc.proofs.proof import Listing
from puzzlemc.mc.proofs.tables import DEAD, NEVER, Table, TableProof
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict
from puzzlemc.reports.certify.certificate import Certificate, read, write
from puzzlemc.reports.certify.strategies import is_strategies
from puzzlemc.reports.certify.strategies import read as read_strategies
from puzzlemc.reports.certify.verify import CODES, verify

Data = dict[str, Any]


def gate(data: Data, chance: random.Random) -> None:
    """Another literal as one of the two of a gate."""
    gates, inputs = data["proof"]["gates"], len(data["proof"]["inputs"])
    number = chance.randrange(len(gates))
    gates[number][chance.randrange(2)] = chance.randrange(2 * (inputs + number + 1))


def negation(data: Data, chance: random.Random) -> None:
    """One literal of a gate negated."""
    gates = data["proof"]["gates"]
    gates[chance.randrange(len(gates))][chance.randrange(2)] ^= 1


def layer(data: Data, chance: random.Random) -> None:
    """Another literal as a layer."""
    proof = data["proof"]
    literals = 2 * (len(proof["inputs"]) + len(proof["gates"]) + 1)
    proof["layers"][chance.randrange(len(proof["layers"]))] = chance.randrange(literals)


def layer_lost(data: Data, chance: random.Random) -> None:
    """A layer less."""
    layers = data["proof"]["layers"]
    del layers[chance.randrange(len(layers))]


def count(data: Data, chance: random.Random) -> None:
    """Another total of a count, or one bit less in it."""
    counted = chance.choice(data["proof"]["counts"])
    if chance.random() < 0.5:
        counted["total"] += chance.choice([-1, 1])
    else:
        del counted["bits"][chance.randrange(len(counted["bits"]))]


def weight(data: Data, chance: random.Random) -> None:
    """Another number in a row of weights, or a row less."""
    weights = chance.choice(data["proof"]["sums"])["weights"]
    row = chance.randrange(len(weights))
    if chance.random() < 0.3:
        del weights[row]
    else:
        weights[row][chance.randrange(len(weights[row]))] += chance.choice([-1, 1])


def code(data: Data, chance: random.Random) -> None:
    """Another number of a variable."""
    variable = chance.choice(data["proof"]["variables"])
    numbers = variable[chance.choice(["bits", "codes"])]
    numbers[chance.randrange(len(numbers))] += chance.choice([-1, 1])


def apart(data: Data, chance: random.Random) -> None:
    """A pair less, or another literal in one."""
    pairs = data["proof"]["apart"]
    pair = chance.randrange(len(pairs))
    if chance.random() < 0.5:
        del pairs[pair]
    else:
        pairs[pair][chance.randrange(2)] *= -1


def goal(data: Data, chance: random.Random) -> None:
    """Another literal of a goal, or a goal less with its sum."""
    goals = data["proof"]["goals"]
    number = chance.randrange(len(goals))
    if chance.random() < 0.3:
        del goals[number], data["proof"]["sums"][number]
    else:
        goals[number][chance.randrange(len(goals[number]))] *= -1


def move(data: Data, chance: random.Random) -> None:
    """Another move in the place of one."""
    trace = list(data["trace"])
    trace[chance.randrange(len(trace))] = chance.choice("ludrLUDR")
    data["trace"] = "".join(trace)


def move_lost(data: Data, chance: random.Random) -> None:
    """A move less."""
    trace = list(data["trace"])
    del trace[chance.randrange(len(trace))]
    data["trace"] = "".join(trace)


def cost(data: Data, chance: random.Random) -> None:
    """A cost of one more or less."""
    data["cost"] += chance.choice([-1, 1])


def cell(data: Data, chance: random.Random) -> None:
    """Another thing in a cell of the level."""
    row = chance.randrange(len(data["level"]))
    column = chance.randrange(len(data["level"][row]))
    text = data["level"][row]
    data["level"][row] = text[:column] + chance.choice("# .$*@+") + text[column + 1 :]


def digit(text: str, chance: random.Random) -> str:
    """Another character in the place of one of the file's."""
    at = chance.randrange(len(text))
    return text[:at] + chance.choice('0123456789[]{},":ludr') + text[at + 1 :]


# Proofs that list states


def rows_of(proof: Listing) -> list[Any]:
    """The states of each set, as an array: the forward set, and the backward set of a bidirectional proof."""
    sets = (proof.forward, proof.backward) if isinstance(proof, BidirectionalProof) else (proof.forward,)
    listed = (each(blocks, proof.width) for blocks in sets)
    return [np.concatenate([np.zeros((0, proof.width), np.uint16), *some]) for some in listed]


def with_rows(proof: Listing, rows: list[Any]) -> Listing:
    """The proof with these states."""
    if isinstance(proof, ListedStates):
        return replace(proof, forward=packed(rows[0]))
    return replace(proof, forward=packed(rows[0]), backward=packed(rows[1]))


def some_row(rows: list[Any], chance: random.Random) -> tuple[int, int]:
    """The number of a set and of a state in it. Raises IndexError where there is none."""
    which = chance.choice([number for number, some in enumerate(rows) if len(some)])
    return which, chance.randrange(len(rows[which]))


def state_lost(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """A state less."""
    rows = rows_of(proof)
    which, at = some_row(rows, chance)
    rows[which] = np.delete(rows[which], at, axis=0)
    return replace(certificate, proof=with_rows(proof, rows))


def state_cost(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """Another cost of a state, by one."""
    rows = rows_of(proof)
    which, at = some_row(rows, chance)
    rows[which][at, 0] = int(rows[which][at, 0]) + chance.choice([1, -1]) & 0xFFFF
    return replace(certificate, proof=with_rows(proof, rows))


def state_moved(certificate: Certificate, proof: BidirectionalProof, chance: random.Random) -> Certificate:
    """The player or a box of a state in another place."""
    rows = rows_of(proof)
    which, at = some_row(rows, chance)
    row = rows[which][at]
    row[chance.randrange(1, len(row))] = chance.randrange(int(rows[which].max()) + 2)
    row[2:].sort()
    return replace(certificate, proof=with_rows(proof, rows))


def state_flipped(certificate: Certificate, proof: ListedStates, chance: random.Random) -> Certificate:
    """A bit of a state flipped."""
    rows = rows_of(proof)
    row = rows[0][some_row(rows, chance)[1]]
    number = chance.randrange(len(proof.bits))
    row[1 + number // BITS] ^= np.uint16(1 << number % BITS)
    return replace(certificate, proof=with_rows(proof, rows))


def border(certificate: Certificate, proof: BidirectionalProof, chance: random.Random) -> Certificate:
    """Another cost up to which a set goes, by one."""
    name = chance.choice(["ahead", "behind"])
    value = getattr(proof, name)
    return replace(certificate, proof=replace(proof, **{name: max(0, (value or 0) + chance.choice([-1, 1]))}))


def bound(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """A higher bound, and perhaps sets that say to go further."""
    more = chance.choice([1, 1, 2])
    higher = replace(proof, below=(proof.below or 0) + more)
    if isinstance(higher, BidirectionalProof):
        extra = [chance.choice([0, 0, more]) for _ in range(2)]
        higher = replace(higher, ahead=(higher.ahead or 0) + extra[0], behind=(higher.behind or 0) + extra[1])
    return replace(certificate, verdict="unknown", cost=None, optimal=False, trace=None, proof=higher)


def no_solution(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """Unsolvable instead of solvable, by one of the sets."""
    rows = rows_of(proof)
    which = chance.randrange(len(rows))
    rows = [some if number == which else some[:0] for number, some in enumerate(rows)]
    rows[which][:, 0] = 0
    claim = replace(with_rows(proof, rows), below=None)
    if isinstance(claim, BidirectionalProof):
        ahead, behind = (None, 0) if which == 0 else (0, None)
        claim = replace(claim, ahead=ahead, behind=behind)
    return replace(certificate, verdict="unsolvable", cost=None, optimal=False, trace=None, proof=claim)


def exchanged(certificate: Certificate, proof: BidirectionalProof, chance: random.Random) -> Certificate:
    """The sets exchanged."""
    sides = {"ahead": proof.behind, "behind": proof.ahead}
    return replace(certificate, proof=replace(proof, forward=proof.backward, backward=proof.forward, **sides))


def step(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """A step of the plan less, twice, in another place, or another one in its place."""
    steps = [*(certificate.trace or ())]
    at, kind = chance.randrange(len(steps)), chance.randrange(4)
    if kind == 0:
        del steps[at]
    elif kind == 1:
        steps.insert(at, steps[at])
    elif kind == 2:
        steps.insert(chance.randrange(len(steps)), steps.pop(at))
    else:
        steps[at] = chance.choice(steps)
    return replace(certificate, trace="".join(steps) if isinstance(certificate.trace, str) else steps)


def claimed_cost(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """A cost of one more or less, and in half of the cases a bound that agrees with it."""
    if certificate.cost is None or proof.below is None:
        raise ValueError
    cost = max(0, certificate.cost + chance.choice([-1, 1]))
    claim = replace(proof, below=cost) if chance.random() < 0.5 else proof
    return replace(certificate, cost=cost, proof=claim)


def other_metric(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """The other metric, of a bound."""
    metric = {"pushes": "moves", "moves": "pushes", "cost": "steps", "steps": "cost"}[certificate.metric]
    claim = replace(proof, metric=metric)
    return replace(
        certificate, metric=metric, verdict="unknown", cost=None, optimal=False, trace=None, proof=claim
    )


def other_cell(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """Another thing in a cell of the level, of which only the bound is said."""
    at = chance.choice([place for place, what in enumerate(certificate.level) if what != "\n"])
    signs = "# .$*@+" if certificate.puzzle == "sokoban" else sorted(set(certificate.level) - {"\n"})
    level = certificate.level[:at] + chance.choice(signs) + certificate.level[at + 1 :]
    if proof.below is None:
        return replace(certificate, level=level)
    return replace(certificate, level=level, verdict="unknown", cost=None, optimal=False, trace=None)


def bit(certificate: Certificate, proof: Listing, chance: random.Random) -> Certificate:
    """A bit of the compressed states flipped, or of what they are when they are not."""
    blocks = list(proof.blocks)
    number = chance.randrange(len(blocks))
    data = bytes(blocks[number].data)
    if whole := chance.random() < 0.5:
        data = zlib.decompress(data)
    at = chance.randrange(len(data))
    data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    blocks[number] = replace(blocks[number], data=zlib.compress(data) if whole else data)
    if isinstance(proof, ListedStates):
        return replace(certificate, proof=replace(proof, forward=tuple(blocks)))
    ahead = len(proof.forward)
    return replace(
        certificate, proof=replace(proof, forward=tuple(blocks[:ahead]), backward=tuple(blocks[ahead:]))
    )


# Proofs by tables


def some_table(proof: TableProof, chance: random.Random) -> int:
    """The number of a table. Raises IndexError where there is none."""
    return chance.choice(range(len(proof.tables)))


def with_table(certificate: Certificate, proof: TableProof, number: int, *tables: Table) -> Certificate:
    """Other tables in the place of one."""
    changed = (*proof.tables[:number], *tables, *proof.tables[number + 1 :])
    return replace(certificate, proof=replace(proof, tables=changed))


def value(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """Other values at some places of a table."""
    number = some_table(proof, chance)
    table = proof.tables[number]
    values = np.frombuffer(zlib.decompress(table.data), "<u2").copy().reshape(-1, max(1, len(table.rows)))
    for at in chance.choices(range(len(values)), k=chance.randint(1, 3)):
        some = chance.choice([*range(6), DEAD, NEVER])
        values[at, slice(None) if some >= DEAD else chance.randrange(values.shape[1])] = some
    return with_table(certificate, proof, number, replace(table, data=zlib.compress(values.tobytes())))


def raised(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """A table whose values are all higher by one, or twice as high, and a bound that is higher."""
    number = some_table(proof, chance)
    values = np.frombuffer(zlib.decompress(proof.tables[number].data), "<u2")
    more = np.minimum(values + 1 if chance.random() < 0.5 else 2 * values, np.uint16(DEAD - 1))
    data = zlib.compress(np.where((values > 0) & (values < DEAD), more, values).astype("<u2").tobytes())
    changed = with_table(certificate, proof, number, replace(proof.tables[number], data=data))
    return on_listed(bound)(changed, changed.proof, chance)


def row(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """Columns of a table in other rows."""
    number = some_table(proof, chance)
    table = proof.tables[number]
    rows = chance.sample(range(len(table.rows) + 2), len(table.rows))
    return with_table(certificate, proof, number, replace(table, rows=tuple(rows)))


def table_lost(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """A table less."""
    return with_table(certificate, proof, some_table(proof, chance))


def other_order(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """Another order of the variables of a table, or another variable."""
    number = some_table(proof, chance)
    variables = list(proof.tables[number].variables)
    if chance.random() < 0.5:
        chance.shuffle(variables)
    else:
        variables[chance.randrange(len(variables))] = chance.randrange(len(proof.facts.variables))
    return with_table(certificate, proof, number, replace(proof.tables[number], variables=tuple(variables)))


def other_fact(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """Two codes of a variable exchanged, a code less, some pairs less, or a goal less."""
    facts, kind = proof.facts, chance.randrange(4)
    if kind < 2:
        number = chance.randrange(len(facts.variables))
        codes = list(facts.variables[number].codes)
        if kind:
            codes.insert(0, codes.pop(chance.randrange(len(codes))))
        else:
            del codes[chance.randrange(len(codes))]
        variables = list(facts.variables)
        variables[number] = replace(variables[number], codes=tuple(codes))
        other = replace(facts, variables=tuple(variables))
    elif kind == 2:
        other = replace(facts, apart=tuple(pair for pair in facts.apart if chance.random() < 0.9))
    else:
        lost = chance.randrange(len(facts.goals))
        other = replace(facts, goals=(*facts.goals[:lost], *facts.goals[lost + 1 :]))
    return replace(certificate, proof=replace(proof, facts=other))


def potential_weight(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
    """Another weight of a potential or another divisor, and perhaps a higher bound."""
    if proof.potential is None:
        raise IndexError
    weights, divisor = list(proof.potential.weights), proof.potential.divisor
    if chance.random() < 0.2:
        divisor += chance.choice([-1, 1])
    else:
        number = chance.choice([number for number, own in enumerate(weights) if own])
        own = list(weights[number])
        own[chance.randrange(len(own))] += chance.choice([-divisor, -1, 1, divisor])
        weights[number] = tuple(own)
    changed = replace(proof, potential=replace(proof.potential, weights=tuple(weights), divisor=max(0, divisor)))
    certificate = replace(certificate, proof=changed)
    return on_listed(bound)(certificate, changed, chance) if chance.random() < 0.5 else certificate


def on_listed(change: "Change") -> "Change":
    """A change of the listed states of a proof by tables."""

    def changed(certificate: Certificate, proof: TableProof, chance: random.Random) -> Certificate:
        other = change(replace(certificate, proof=proof.listed), proof.listed, chance)
        return replace(other, proof=replace(proof, listed=other.proof))

    changed.__name__ = change.__name__
    return changed


Change = Callable[[Certificate, Any, random.Random], Certificate]
OF_ANY: list[Change] = [step, claimed_cost, bound, no_solution, other_metric, other_cell, bit]
OF_BITS: list[Change] = [state_lost, state_cost, state_flipped, *OF_ANY]
OF_POSITIONS: list[Change] = [state_lost, state_cost, state_moved, border, exchanged, *OF_ANY]
OF_TABLES: list[Change] = [
    value,
    raised,
    row,
    table_lost,
    other_order,
    other_fact,
    potential_weight,
    *map(on_listed, OF_BITS),
]


def changes_of(proof: BidirectionalProof | ListedStates | TableProof) -> list[Change]:
    """The changes of proofs of a kind."""
    if isinstance(proof, TableProof):
        return OF_TABLES
    return OF_POSITIONS if isinstance(proof, BidirectionalProof) else OF_BITS


def mutants_of_states(
    certificate: Certificate, count: int, chance: random.Random
) -> Iterator[tuple[str, Certificate]]:
    """The kind, and a changed certificate of a proof that lists states."""
    assert isinstance(certificate.proof, BidirectionalProof | ListedStates | TableProof)
    for change in changes_of(certificate.proof):
        for _ in range(count):
            try:
                changed = change(certificate, certificate.proof, chance)
            except (IndexError, KeyError, ValueError, zlib.error):  # there is no such thing in it
                break
            if changed != certificate:
                yield change.__name__, changed


def judged(certificate: Certificate, own: Puzzle | None = None) -> str:
    """Is what a valid certificate says true? By another search, which knows nothing of the proof."""
    rules = own or puzzle(certificate.puzzle)
    metric = certificate.metric if certificate.metric != ANY else rules.metrics[0]
    is_own = isinstance(certificate.proof, TableProof)
    verdict = searched(rules, certificate.level, certificate.encoding if is_own else "compact", metric)
    assert isinstance(certificate.proof, BidirectionalProof | ListedStates | TableProof)
    if isinstance(verdict, Unreachable):
        return "sound"
    assert isinstance(verdict, Reachable)
    is_bound = certificate.proof.below is not None and certificate.proof.below <= verdict.cost
    is_least = not certificate.optimal or certificate.cost in (None, verdict.cost)
    return "sound" if is_bound and is_least and certificate.verdict != "unsolvable" else "WRONG"


@lru_cache(maxsize=256)
def searched(rules: Puzzle, text: str, encoding: str, metric: str) -> Verdict:
    """The verdict on a level by a search in bits."""
    (level,) = rules.screen.parse(text, "mutant")
    model = rules.encodings[encoding](level).model
    if rules.name != "sokoban" and model.has_formulas:
        return engine("explicit")(model, metric, Budget())
    if model.has_formulas:
        return bidirectional(model, metric, Budget())
    # The faithful encoding leaves out no states that it takes for dead.
    return engine("explicit")(rules.encode_faithfully(level).model, metric, Budget())


CHANGES: list[Callable[[Data, random.Random], None]] = [
    gate,
    negation,
    layer,
    layer_lost,
    count,
    move,
    move_lost,
    cost,
    cell,
    weight,
    code,
    apart,
    goal,
]


def mutants(text: str, each: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The kind and the text of changed certificates that are not the same."""
    data = json.loads(text)
    for change in CHANGES:
        for _ in range(each):
            changed = copy.deepcopy(data)
            try:
                change(changed, chance)
            except (LookupError, TypeError, ValueError):  # there is no such thing in it
                break
            if changed != data:
                yield change.__name__, json.dumps(changed)
    for _ in range(each):
        changed_text = digit(text, chance)
        try:
            same = json.loads(changed_text) == data
        except ValueError:
            same = False
        if not same:
            yield "character", changed_text


def says_the_same(path: Path, other: Path) -> bool:
    """Do two certificates claim the same of the same level, with layers of the same states?"""
    one, two = read(path), read(other)
    claims = [(c.puzzle, c.level, c.encoding, c.metric, c.verdict, c.cost, c.optimal) for c in (one, two)]
    if claims[0] != claims[1]:
        return False
    if one.proof is None or two.proof is None:
        return one.proof is two.proof
    if not (isinstance(one.proof, LayeredProof) and isinstance(two.proof, LayeredProof)):
        return one.proof == two.proof
    if one.proof.counts != two.proof.counts or len(one.proof.layers) != len(two.proof.layers):
        return False
    bdd = BDD()
    bdd.configure(reordering=False)
    bdd.declare(*one.proof.circuit.inputs)
    layers = []
    for proof in (one.proof, two.proof):
        values = [bdd.false, *map(bdd.var, proof.circuit.inputs)]
        for first, second in proof.circuit.gates:
            values.append(
                (~values[first >> 1] if first & 1 else values[first >> 1])
                & (~values[second >> 1] if second & 1 else values[second >> 1])
            )
        layers.append([~values[at >> 1] if at & 1 else values[at >> 1] for at in proof.layers])
    return bool(layers[0] == layers[1])


@cache
def tool() -> Any:
    """The program that checks certificates about repairs without the package."""
    place = Path(__file__).parents[1] / "tools" / "check_repairs.py"
    spec = spec_from_file_location("check_repairs", place)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_both(path: Path) -> str:
    """The status of a certificate about repairs, on which `verify` and the tool must agree."""
    status = verify(path).status
    with redirect_stdout(StringIO()):
        code = tool().said(str(path))
    return status if code == CODES[status] else f"{status}, but {code}"


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("certificates", nargs="+", type=Path)
    arguments.add_argument("--each", type=int, default=20, help="mutants of a kind for each certificate")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--puzzle", type=puzzle, help="the puzzle of one's own that all are about")
    options = arguments.parse_args()
    chance = random.Random(options.seed)
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "mutant.cert"
        for path in options.certificates:
            if is_strategies(path):
                original = read_strategies(path)
                for kind, text in strategy_mutants.mutants(original, options.each, chance):
                    place.write_text(text, encoding="utf-8")
                    done = verify(place, own=options.puzzle)
                    status = done.status
                    if status == "valid" and done.certificate is not None:
                        changed_file = read_strategies(place)
                        status = strategy_mutants.judged(changed_file, done.certificate, original)
                    found[kind][status] += 1
                continue
            certificate = read(path)
            if isinstance(certificate.proof, RepairProof):
                for kind, changed in repair_mutants.mutants(certificate, options.each, chance):
                    write(changed, place)
                    status = by_both(place)
                    found[kind][repair_mutants.judged(changed) if status == "valid" else status] += 1
                continue
            if isinstance(certificate.proof, BidirectionalProof | ListedStates | TableProof):
                for kind, changed in mutants_of_states(certificate, options.each, chance):
                    write(changed, place)
                    status = verify(place, own=options.puzzle).status
                    found[kind][judged(changed, options.puzzle) if status == "valid" else status] += 1
                continue
            for kind, text in mutants(path.read_text(encoding="utf-8"), options.each, chance):
                place.write_text(text, encoding="utf-8")
                status = verify(place, own=options.puzzle).status
                if status == "valid":
                    status = "same" if says_the_same(path, place) else "sound"
                found[kind][status] += 1
    heads = ("refuted", "unreadable", "unchecked", "same", "sound", "WRONG")
    others = sorted({status for statuses in found.values() for status in statuses} - set(heads))
    heads = (*heads, *others)
    print(f"{'changed':12}{'mutants':>9}" + "".join(f"{head:>12}" for head in heads))
    for kind, statuses in found.items():
        print(f"{kind:12}{statuses.total():9}" + "".join(f"{statuses[head]:12}" for head in heads))
    whole = sum(found.values(), Counter[str]())
    print(f"{'all':12}{whole.total():9}" + "".join(f"{whole[head]:12}" for head in heads))


if __name__ == "__main__":
    main()
