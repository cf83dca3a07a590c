(define (domain level-m)
(:requirements :strips :negative-preconditions :action-costs :conditional-effects)
(:constants v0-0-tile-1-2-1 v0-1-tile-1-2-0 v0-2-tile-1-2-2-tile-1-2-0 v1-0-tile-1-3-2 v1-1-tile-1-3-1-tile-1-3-0 b2-tile-1-1-2 b3-tile-1-2-1 v4-0-open v4-1-reached)
(:predicates (holds ?fact) (is0-tile-1-2-2-or-tile-1-2-0 ?value) (is1-tile-1-3-2-or-tile-1-3-0 ?value) (is4-goal ?value))
(:functions (total-cost))
(:action a0-r-2-2
 :precondition (and (is0-tile-1-2-2-or-tile-1-2-0 v0-1-tile-1-2-0) (holds b2-tile-1-1-2))
 :effect (and (is0-tile-1-2-2-or-tile-1-2-0 v0-2-tile-1-2-2-tile-1-2-0) (not (is0-tile-1-2-2-or-tile-1-2-0 v0-1-tile-1-2-0)) (not (holds b2-tile-1-1-2)) (increase (total-cost) 0)))
(:action a1-r-2-2
 :precondition (and (is0-tile-1-2-2-or-tile-1-2-0 v0-0-tile-1-2-1) (is1-tile-1-3-2-or-tile-1-3-0 v1-1-tile-1-3-1-tile-1-3-0) (holds b2-tile-1-1-2))
 :effect (and (is0-tile-1-2-2-or-tile-1-2-0 v0-2-tile-1-2-2-tile-1-2-0) (not (is0-tile-1-2-2-or-tile-1-2-0 v0-0-tile-1-2-1)) (is1-tile-1-3-2-or-tile-1-3-0 v1-0-tile-1-3-2) (not (is1-tile-1-3-2-or-tile-1-3-0 v1-1-tile-1-3-1-tile-1-3-0)) (not (holds b2-tile-1-1-2)) (not (holds b3-tile-1-2-1)) (increase (total-cost) 1)))
(:action a2-l-2-3
 :precondition (and (is0-tile-1-2-2-or-tile-1-2-0 v0-2-tile-1-2-2-tile-1-2-0) (not (holds b2-tile-1-1-2)))
 :effect (and (is0-tile-1-2-2-or-tile-1-2-0 v0-1-tile-1-2-0) (not (is0-tile-1-2-2-or-tile-1-2-0 v0-2-tile-1-2-2-tile-1-2-0)) (holds b2-tile-1-1-2) (increase (total-cost) 0)))
(:action a3-goal-1
 :precondition (and (is1-tile-1-3-2-or-tile-1-3-0 v1-0-tile-1-3-2) (not (holds b3-tile-1-2-1)))
 :effect (and (when (is4-goal v4-0-open) (and (is4-goal v4-1-reached) (not (is4-goal v4-0-open)))) (increase (total-cost) 0)))
(:action a4-goal-2
 :precondition (and (is0-tile-1-2-2-or-tile-1-2-0 v0-2-tile-1-2-2-tile-1-2-0) (is1-tile-1-3-2-or-tile-1-3-0 v1-0-tile-1-3-2))
 :effect (and (when (is4-goal v4-0-open) (and (is4-goal v4-1-reached) (not (is4-goal v4-0-open)))) (increase (total-cost) 0)))
(:action a5-goal-3
 :precondition (and (is0-tile-1-2-2-or-tile-1-2-0 v0-1-tile-1-2-0) (is1-tile-1-3-2-or-tile-1-3-0 v1-0-tile-1-3-2) (holds b2-tile-1-1-2))
 :effect (and (when (is4-goal v4-0-open) (and (is4-goal v4-1-reached) (not (is4-goal v4-0-open)))) (increase (total-cost) 0)))
)
