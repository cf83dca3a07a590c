"""The kinds of proof that engines give for a verdict on a model.

LayeredProof        an inductive invariant, or layers of states by cost, as circuits
BidirectionalProof  positions near the start and near the goal, checked by the rules of the puzzle
ListedStates        states near the start as bits, checked by the actions of the model
TableProof          lower bounds out of tables, and listed states whose bounds are less than that of the proof
SumProof            sums over facts that no action changes, checked by the actions of the model, each by itself

A new kind is a class of its own here. `reports/certify/certificate.py` writes and reads it, and
`reports/certify/verify.py` checks it.
"""

from typing import Literal, TypeAlias

from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.sums import SumProof
from puzzlemc.mc.proofs.tables import TableProof

Listing: TypeAlias = BidirectionalProof | ListedStates  # proofs that list the states of a search
Proof: TypeAlias = LayeredProof | Listing | TableProof | SumProof
Form: TypeAlias = Literal["positions", "bits"]  # what the states of a listing are
