; A sliding-tile puzzle: the number of moves is the cost.
(define (domain tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (next ?one ?other - cell)
    (on ?tile - tile ?cell - cell)
    (empty ?cell - cell))
  (:action slide
    :parameters (?tile - tile ?from ?to - cell)
    :precondition (and (on ?tile ?from) (empty ?to) (next ?from ?to))
    :effect (and (not (on ?tile ?from)) (not (empty ?to)) (on ?tile ?to) (empty ?from))))
