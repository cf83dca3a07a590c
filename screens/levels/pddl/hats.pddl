; Three hats on three pegs.
(define (problem three-hats)
  (:domain hats)
  (:objects small middle large - hat left centre right - peg)
  (:init
    (smaller small middle) (smaller small large) (smaller middle large)
    (smaller small left) (smaller small centre) (smaller small right)
    (smaller middle left) (smaller middle centre) (smaller middle right)
    (smaller large left) (smaller large centre) (smaller large right)
    (on large left) (on middle large) (on small middle)
    (clear small) (clear centre) (clear right))
  (:goal (and (on large right) (on middle large) (on small middle))))
