; Five lamps in a row; a lamp is beside itself, too.
(define (problem five-in-a-row)
  (:domain lamps)
  (:objects l1 l2 l3 l4 l5 - lamp)
  (:init
    (beside l1 l1) (beside l1 l2)
    (beside l2 l1) (beside l2 l2) (beside l2 l3)
    (beside l3 l2) (beside l3 l3) (beside l3 l4)
    (beside l4 l3) (beside l4 l4) (beside l4 l5)
    (beside l5 l4) (beside l5 l5)
    (lit l1) (lit l3) (lit l5))
  (:goal (forall (?lamp - lamp) (lit ?lamp))))
