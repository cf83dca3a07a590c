; Two tiles have changed places: an odd permutation, which no slides undo.
(define (problem two-swapped)
  (:domain tiles)
  (:objects t1 t2 t3 t4 t5 - tile c11 c12 c13 c21 c22 c23 - cell)
  (:init
    (next c11 c12) (next c11 c21) (next c12 c13) (next c12 c22)
    (next c12 c11) (next c13 c23) (next c13 c12) (next c21 c22)
    (next c21 c11) (next c22 c23) (next c22 c21) (next c22 c12)
    (next c23 c22) (next c23 c13)
    (on t2 c11) (on t1 c12) (on t3 c13) (on t4 c21) (on t5 c22) (empty c23))
  (:goal (and (on t1 c11) (on t2 c12) (on t3 c13) (on t4 c21) (on t5 c22))))
