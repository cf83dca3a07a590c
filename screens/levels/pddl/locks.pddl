; The keys lie behind each other's doors, but in the right order.
(define (problem five-rooms)
  (:domain locks)
  (:objects hall study attic cellar vault - room plain brass iron gold - kind)
  (:init
    (open plain) (at hall)
    (door hall study plain) (door study attic brass) (door hall cellar iron) (door cellar vault gold)
    (lies brass hall) (lies iron attic) (lies gold study))
  (:goal (at vault)))
