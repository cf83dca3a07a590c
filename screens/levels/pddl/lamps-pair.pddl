; Two lamps switch each other: they stay equal, or stay different.
(define (problem one-of-two)
  (:domain lamps)
  (:objects l1 l2 - lamp)
  (:init (beside l1 l1) (beside l1 l2) (beside l2 l1) (beside l2 l2) (lit l1))
  (:goal (and (lit l1) (lit l2))))
