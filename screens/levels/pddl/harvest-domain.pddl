; A field is ripe once it was watered; whoever walks over a ripe field treads it down. Barrels hold water for one.
(define (domain harvest)
  (:requirements :adl :action-costs)
  (:types field well - place)
  (:predicates
    (path ?from ?to - place)
    (at ?place - place)
    (full)
    (ripe ?field - field)
    (mown ?field - field)
    (spoilt ?field - field))
  (:functions (total-cost) - number)
  (:action walk
    :parameters (?from ?to - place)
    :precondition (and (at ?from) (or (path ?from ?to) (path ?to ?from)))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 2)
      (forall (?field - field)
        (when (and (= ?field ?to) (ripe ?field) (full)) (and (not (ripe ?field)) (spoilt ?field))))))
  (:action draw
    :parameters (?well - well)
    :precondition (and (at ?well) (not (full)))
    :effect (and (full) (increase (total-cost) 1)))
  (:action water
    :parameters (?field - field)
    :precondition (and (at ?field) (full) (not (spoilt ?field)) (not (mown ?field)))
    :effect (and (not (full)) (ripe ?field) (increase (total-cost) 1)))
  (:action mow
    :parameters (?field - field)
    :precondition (and (at ?field) (ripe ?field))
    :effect (and (not (ripe ?field)) (mown ?field) (increase (total-cost) 3))))
