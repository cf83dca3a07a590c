; Pressing a lamp switches it and the lamps beside it. All lamps must be lit.
(define (domain lamps)
  (:requirements :typing :conditional-effects :quantified-preconditions :negative-preconditions)
  (:types lamp)
  (:predicates (beside ?one ?other - lamp) (lit ?lamp - lamp))
  (:action press
    :parameters (?lamp - lamp)
    :precondition (and)
    :effect (forall (?other - lamp)
      (and
        (when (and (beside ?lamp ?other) (lit ?other)) (not (lit ?other)))
        (when (and (beside ?lamp ?other) (not (lit ?other))) (lit ?other))))))
