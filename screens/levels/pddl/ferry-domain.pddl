; A ferry with room for one cart crosses between landings. Sailing costs the length of the way.
(define (domain ferry)
  (:requirements :strips :typing :action-costs)
  (:types landing cart)
  (:predicates
    (way ?from ?to - landing)
    (ferry-at ?where - landing)
    (waits ?cart - cart ?where - landing)
    (aboard ?cart - cart)
    (free))
  (:functions
    (total-cost) - number
    (length ?from ?to - landing) - number)
  (:action sail
    :parameters (?from ?to - landing)
    :precondition (and (ferry-at ?from) (way ?from ?to))
    :effect (and (not (ferry-at ?from)) (ferry-at ?to) (increase (total-cost) (length ?from ?to))))
  (:action load
    :parameters (?cart - cart ?where - landing)
    :precondition (and (ferry-at ?where) (waits ?cart ?where) (free))
    :effect (and (not (waits ?cart ?where)) (not (free)) (aboard ?cart) (increase (total-cost) 1)))
  (:action unload
    :parameters (?cart - cart ?where - landing)
    :precondition (and (ferry-at ?where) (aboard ?cart))
    :effect (and (waits ?cart ?where) (free) (not (aboard ?cart)) (increase (total-cost) 1))))
