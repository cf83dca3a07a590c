"""A river crossing as a model of one's own: is it solvable, how, and why in no fewer trips?

    python examples/own_model.py

A farmer takes a wolf, a goat and a cabbage over a river in a boat with room for one of them. Left alone, the wolf
eats the goat and the goat the cabbage.
"""

from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.symbolic.prover import prove_bound
from puzzlemc.mc.verdict import Reachable

ENEMIES = (("wolf", "goat"), ("goat", "cabbage"))
variables = {name: boolean(name) for name in ("farmer", "wolf", "goat", "cabbage")}
over = {name: variable.bits[0] for name, variable in variables.items()}  # is it on the other bank?


def trip(cargo: str, side: bool) -> Action:
    """The farmer leaves a bank, alone or with something, and no enemies behind."""
    aboard = {"farmer", cargo} & over.keys()
    guard = over["farmer"] if side else ~over["farmer"]
    for name in aboard:
        guard &= over[name] if side else ~over[name]
    for one, other in ENEMIES:
        if cargo not in (one, other):
            guard &= ~(over[one] & over[other]) if side else over[one] | over[other]
    return Action(f"take {cargo}", guard, {over[name]: not side for name in aboard}, {"trips": 1})


actions = tuple(trip(cargo, side) for cargo in ("nothing", "wolf", "goat", "cabbage") for side in (False, True))
nobody, everybody = dict.fromkeys(over.values(), False), dict.fromkeys(over.values(), True)
model = Model(tuple(variables.values()), nobody, actions, everybody)

if __name__ == "__main__":
    model.validate()
    verdict = engine("bidirectional")(model, "trips", Budget())
    assert isinstance(verdict, Reachable)
    verdict.trace.check(model)
    print(f"{verdict.cost} trips: {', '.join(action.name for action in verdict.trace.actions)}")
    proof = prove_bound(model, "trips", verdict.cost, Budget())
    print(
        f"no fewer: a proof of {len(proof.circuit.gates)} gates, checked by {check_proof(model, proof, Budget())}"
    )
