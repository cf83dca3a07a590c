; Three fields in a row, and a well at one end: the far field first.
(define (problem three-fields)
  (:domain harvest)
  (:objects near middle far - field spring - well)
  (:init (path spring near) (path near middle) (path middle far) (at far) (= (total-cost) 0))
  (:goal (and (forall (?field - field) (mown ?field)) (exists (?well - well) (at ?well))))
  (:metric minimize (total-cost)))
