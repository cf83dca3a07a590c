; A ferry with room for one cart crosses between landings. Sailing costs the length of the way.
(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions :existential-preconditions :action-costs)
  (:types landing cart)
  (:predicates
    (way ?from ?to - landing)
    (moored ?where - landing)
    (waits ?cart - cart ?where - landing)
    (aboard ?cart - cart))
  (:functions
    (total-cost) - number
    (length ?from ?to - landing) - number)
  (:action sail
    :parameters (?from ?to - landing)
    :precondition (and (moored ?from) (way ?from ?to))
    :effect (and (not (moored ?from)) (moored ?to) (increase (total-cost) (length ?from ?to))))
  (:action load
    :parameters (?cart - cart ?where - landing)
    :precondition (and (moored ?where) (waits ?cart ?where) (not (exists (?other - cart) (aboard ?other))))
    :effect (and (not (waits ?cart ?where)) (aboard ?cart) (increase (total-cost) 1)))
  (:action unload
    :parameters (?cart - cart ?where - landing)
    :precondition (and (moored ?where) (aboard ?cart))
    :effect (and (waits ?cart ?where) (not (aboard ?cart)) (increase (total-cost) 1))))
