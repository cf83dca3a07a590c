; Two carts change places, and the third one crosses the longest way.
(define (problem three-carts)
  (:domain ferry)
  (:objects north south island - landing red green blue - cart)
  (:init
    (way north south) (way south north) (way north island) (way island north) (way island south) (way south island)
    (= (length north south) 9) (= (length south north) 7) (= (length north island) 3)
    (= (length island north) 3) (= (length island south) 4) (= (length south island) 6)
    (moored island)
    (waits red north) (waits green south) (waits blue island)
    (= (total-cost) 0))
  (:goal (and (waits red south) (waits green north) (waits blue south)))
  (:metric minimize (total-cost)))
