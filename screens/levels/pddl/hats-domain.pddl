; Hats are stacked on pegs. A hat goes on a larger one, or on an empty peg.
(define (domain hats)
  (:requirements :strips :typing :negative-preconditions :universal-preconditions :disjunctive-preconditions)
  (:types hat peg - place)
  (:predicates
    (smaller ?one - hat ?other - place)
    (on ?hat - hat ?place - place)
    (clear ?place - place))
  (:action move
    :parameters (?hat - hat ?from ?to - place)
    :precondition (and (on ?hat ?from) (clear ?hat) (clear ?to) (smaller ?hat ?to))
    :effect (and (not (on ?hat ?from)) (on ?hat ?to) (clear ?from) (not (clear ?to)))))
