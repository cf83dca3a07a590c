; A key opens all doors of its kind, and is used up. Doors are open in both directions.
(define (domain locks)
  (:requirements :strips :typing :negative-preconditions :derived-predicates :disjunctive-preconditions
    :existential-preconditions :equality)
  (:types room kind)
  (:predicates
    (door ?one ?other - room ?kind - kind)
    (open ?kind - kind)
    (at ?room - room)
    (lies ?key - kind ?room - room)
    (has ?key - kind)
    (joined ?one ?other - room)
    (reachable ?room - room))
  (:derived (joined ?one ?other - room)
    (exists (?kind - kind) (and (open ?kind) (or (door ?one ?other ?kind) (door ?other ?one ?kind)))))
  (:derived (reachable ?room - room)
    (or (at ?room) (exists (?other - room) (and (reachable ?other) (joined ?other ?room)))))
  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (at ?from) (reachable ?to) (not (= ?from ?to)))
    :effect (and (not (at ?from)) (at ?to)))
  (:action take
    :parameters (?key - kind ?room - room)
    :precondition (and (at ?room) (lies ?key ?room))
    :effect (and (not (lies ?key ?room)) (has ?key)))
  (:action unlock
    :parameters (?key - kind)
    :precondition (has ?key)
    :effect (and (not (has ?key)) (open ?key))))
