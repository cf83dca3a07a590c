"""Dining philosophers as processes that read and write channels; axioms say who is stuck, and all should be."""

from problems.text import Problem, numbers, problem

PHILOSOPHERS = """(define (domain philosophers)
  (:requirements :adl :typing :derived-predicates)
  (:types process place move channel)
  (:predicates (from ?p - process ?s - place ?x - move) (to ?x - move ?s - place)
    (reads ?x - move ?f - channel) (writes ?x - move ?f - channel)
    (at ?p - process ?s - place) (full ?f - channel) (chosen ?p - process ?x - move) (done ?p - process ?x - move)
    (possible ?x - move) (stuck ?p - process))
  (:derived (possible ?x - move)
    (exists (?f - channel) (or (and (reads ?x ?f) (full ?f)) (and (writes ?x ?f) (not (full ?f))))))
  (:derived (stuck ?p - process)
    (exists (?s - place) (and (at ?p ?s) (forall (?x - move) (or (not (from ?p ?s ?x)) (not (possible ?x)))))))
  (:action choose
    :parameters (?p - process ?s - place ?x - move)
    :precondition (and (at ?p ?s) (from ?p ?s ?x) (possible ?x))
    :effect (and (not (at ?p ?s)) (chosen ?p ?x)))
  (:action read
    :parameters (?p - process ?x - move ?f - channel)
    :precondition (and (chosen ?p ?x) (reads ?x ?f) (full ?f))
    :effect (and (not (chosen ?p ?x)) (not (full ?f)) (done ?p ?x)))
  (:action write
    :parameters (?p - process ?x - move ?f - channel)
    :precondition (and (chosen ?p ?x) (writes ?x ?f) (not (full ?f)))
    :effect (and (not (chosen ?p ?x)) (full ?f) (done ?p ?x)))
  (:action proceed
    :parameters (?p - process ?x - move ?s - place)
    :precondition (and (done ?p ?x) (to ?x ?s))
    :effect (and (not (done ?p ?x)) (at ?p ?s))))
"""


def philosophers(count: int, *, careful: bool = False) -> Problem:
    """Each lays a fork on the table, then takes it and the next one, and gives both back.

    All are stuck when each has taken the fork of its own; a careful last one takes the other fork first.
    """
    init, moves = [], []
    for number in range(count):
        own, other = number, (number + 1) % count
        first, second = (other, own) if careful and number == count - 1 else (own, other)
        program = [("writes", own), ("reads", first), ("reads", second), ("writes", first), ("writes", second)]
        init.append(f"(at p{number} s0)")
        for step, (what, fork) in enumerate(program):
            move = f"x{number}-{step}"
            moves.append(move)
            init.append(f"(from p{number} s{step} {move})")
            init += [f"(to {move} s{step + 1 if step + 1 < len(program) else 1})", f"({what} {move} f{fork})"]
    objects = {
        "process": numbers("p", count),
        "place": numbers("s", 5),
        "move": moves,
        "channel": numbers("f", count),
    }
    return problem(PHILOSOPHERS, objects, init, [f"(stuck p{number})" for number in range(count)])


PROBLEMS = {
    "philosophers-1": lambda: philosophers(3),
    "philosophers-2": lambda: philosophers(6),
    "philosophers-3": lambda: philosophers(12),
    "philosophers-4": lambda: philosophers(24),
    "philosophers-5": lambda: philosophers(40),
    "philosophers-careful": lambda: philosophers(4, careful=True),
}
