"""Divers photograph caves. Each swim and each photograph takes a tank, a diver carries four, and dives once."""

from collections.abc import Sequence
from itertools import pairwise

from problems.text import Problem, numbers, problem

DIVES = """(define (domain dives)
  (:requirements :adl :typing :action-costs)
  (:types diver tank cave amount)
  (:predicates (joined ?p ?q - cave) (mouth ?p - cave) (more ?n ?m - amount) (follows ?t ?u - tank)
    (quarrels ?d ?e - diver) (cheap ?d - diver)
    (next ?t - tank) (waits ?d - diver) (nobody-dives) (ashore ?d - diver) (inside ?d - diver ?p - cave)
    (carries ?d - diver ?t - tank) (load ?d - diver ?n - amount) (lies ?t - tank ?p - cave) (seen ?p - cave))
  (:functions (total-cost) - number)
  (:action hire
    :parameters (?d - diver)
    :precondition (and (nobody-dives) (waits ?d) (not (cheap ?d)))
    :effect (and (ashore ?d) (not (waits ?d)) (not (nobody-dives))
      (forall (?e - diver) (when (quarrels ?d ?e) (not (waits ?e)))) (increase (total-cost) 20)))
  (:action hire-cheaply
    :parameters (?d - diver)
    :precondition (and (nobody-dives) (waits ?d) (cheap ?d))
    :effect (and (ashore ?d) (not (waits ?d)) (not (nobody-dives))
      (forall (?e - diver) (when (quarrels ?d ?e) (not (waits ?e)))) (increase (total-cost) 5)))
  (:action load-tank
    :parameters (?d - diver ?t ?u - tank ?n ?m - amount)
    :precondition (and (ashore ?d) (next ?t) (follows ?t ?u) (load ?d ?n) (more ?n ?m))
    :effect (and (carries ?d ?t) (not (next ?t)) (next ?u) (load ?d ?m) (not (load ?d ?n))
      (increase (total-cost) 1)))
  (:action enter
    :parameters (?d - diver ?p - cave)
    :precondition (and (ashore ?d) (mouth ?p))
    :effect (and (inside ?d ?p) (not (ashore ?d)) (increase (total-cost) 1)))
  (:action swim
    :parameters (?d - diver ?p ?q - cave ?t - tank ?n ?m - amount)
    :precondition (and (inside ?d ?p) (joined ?p ?q) (carries ?d ?t) (load ?d ?m) (more ?n ?m))
    :effect (and (inside ?d ?q) (not (inside ?d ?p)) (not (carries ?d ?t)) (load ?d ?n) (not (load ?d ?m))
      (increase (total-cost) 1)))
  (:action photograph
    :parameters (?d - diver ?p - cave ?t - tank ?n ?m - amount)
    :precondition (and (inside ?d ?p) (carries ?d ?t) (load ?d ?m) (more ?n ?m))
    :effect (and (seen ?p) (not (carries ?d ?t)) (load ?d ?n) (not (load ?d ?m)) (increase (total-cost) 1)))
  (:action leave-tank
    :parameters (?d - diver ?p - cave ?t - tank ?n ?m - amount)
    :precondition (and (inside ?d ?p) (carries ?d ?t) (load ?d ?m) (more ?n ?m))
    :effect (and (lies ?t ?p) (not (carries ?d ?t)) (load ?d ?n) (not (load ?d ?m)) (increase (total-cost) 1)))
  (:action pick-up
    :parameters (?d - diver ?p - cave ?t - tank ?n ?m - amount)
    :precondition (and (inside ?d ?p) (lies ?t ?p) (load ?d ?n) (more ?n ?m))
    :effect (and (carries ?d ?t) (not (lies ?t ?p)) (load ?d ?m) (not (load ?d ?n)) (increase (total-cost) 1)))
  (:action climb-out
    :parameters (?d - diver ?p - cave)
    :precondition (and (inside ?d ?p) (mouth ?p))
    :effect (and (nobody-dives) (not (inside ?d ?p)) (increase (total-cost) 1))))
"""
MOST = 4  # tanks that a diver carries


def _dives(depths: Sequence[int], divers: int, cheap: int) -> Problem:
    """A branch of caves for each depth; its last cave must be seen. Each cheap diver quarrels with two others."""
    caves = ["mouth"]
    init = ["(mouth mouth)", "(nobody-dives)", "(next k0)", "(= (total-cost) 0)"]
    goal = ["(nobody-dives)"]
    for branch, depth in enumerate(depths):
        way = ["mouth", *(f"p{branch}-{step}" for step in range(1, depth + 1))]
        caves += way[1:]
        for one, other in pairwise(way):
            init += [f"(joined {one} {other})", f"(joined {other} {one})"]
        goal.append(f"(seen {way[-1]})")
    tanks, amounts = numbers("k", MOST * divers + 1), numbers("n", MOST + 1)
    people, others = numbers("d", divers), numbers("e", cheap)
    init += [f"(follows {t} {u})" for t, u in pairwise(tanks)]
    init += [f"(more {n} {m})" for n, m in pairwise(amounts)]
    for diver in (*people, *others):
        init += [f"(waits {diver})", f"(load {diver} {amounts[0]})"]
    for number, diver in enumerate(others):
        init += [f"(cheap {diver})", *(f"(quarrels {diver} {people[(number + k) % divers]})" for k in (0, 1))]
    objects = {"diver": [*people, *others], "tank": tanks, "cave": caves, "amount": amounts}
    return problem(DIVES, objects, init, goal, costs=True)


def dives(depths: Sequence[int], cheap: int) -> Problem:
    """2^(d-1) divers without quarrels for each depth d, which is enough.

    A cave on the way has two tanks for each diver who swims past it: the diver comes with three, takes one, and
    takes the other one on the way back. A diver who brings tanks to a cave leaves two there. So as many divers end
    at a cave as swim past it, and their number doubles with each cave.
    """
    return _dives(depths, sum(2 ** (depth - 1) for depth in depths), cheap)


def alone() -> Problem:
    """Four swims and a photograph, for one diver with four tanks."""
    return _dives([2], 1, 0)


PROBLEMS = {
    "dives-1": lambda: dives([2], 0),
    "dives-2": lambda: dives([2, 1], 1),
    "dives-3": lambda: dives([3], 2),
    "dives-4": lambda: dives([3, 2], 2),
    "dives-5": lambda: dives([4], 3),
    "dives-alone": alone,
}
