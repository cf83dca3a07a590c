"""Changes certificates at random, one thing at a time, and counts how many of the changed ones are found out.

    python benchmarks/mutants.py CERT... [--each 50] [--seed 1]

Of those that are not found out it tells why: because the change does not change what is said (the same sets of
states, the same costs), or because what is said then is another sound proof.
"""

import argparse
import copy
import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dd.cudd import BDD

from puzzlemc.reports.run.certificate import read
from puzzlemc.reports.run.verify import verify

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
]


def mutants(text: str, each: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The kind and the text of changed certificates that are not the same."""
    data = json.loads(text)
    for change in CHANGES:
        for _ in range(each):
            changed = copy.deepcopy(data)
            try:
                change(changed, chance)
            except (IndexError, TypeError, ValueError):  # there is no such thing in it
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


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("certificates", nargs="+", type=Path)
    arguments.add_argument("--each", type=int, default=20, help="mutants of a kind for each certificate")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    chance = random.Random(options.seed)
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "mutant.json"
        for path in options.certificates:
            for kind, text in mutants(path.read_text(encoding="utf-8"), options.each, chance):
                place.write_text(text, encoding="utf-8")
                status = verify(place).status
                if status == "valid":
                    status = "same" if says_the_same(path, place) else "sound"
                found[kind][status] += 1
    heads = ("refuted", "unreadable", "same", "sound")
    print(f"{'changed':12}{'mutants':>9}" + "".join(f"{head:>12}" for head in heads))
    for kind, statuses in found.items():
        print(f"{kind:12}{statuses.total():9}" + "".join(f"{statuses[head]:12}" for head in heads))
    whole = sum(found.values(), Counter[str]())
    print(f"{'all':12}{whole.total():9}" + "".join(f"{whole[head]:12}" for head in heads))


if __name__ == "__main__":
    main()
