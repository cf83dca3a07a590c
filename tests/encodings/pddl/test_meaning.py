"""What PDDL means where readers differ: problems, and the costs that blind search by Fast Downward finds.

Plain rules and model are both made from what our reader has read: their agreement says nothing about it.
"""

import pytest
from oracle import least_cost_by_rules

from puzzlemc.encodings.puzzles import puzzle

PDDL = puzzle("pddl")
PROBLEMS: dict[str, tuple[str, int | None]] = {
    "an effect that adds a fact wins over one that deletes it": (
        (
            "(define (problem c) (:domain conflict) (:init) (:goal (and (done) (p) (r) (not (q))))) (define "
            "(domain conflict) (:requirements :strips :conditional-effects) (:predicates (p) (q) (r) (done)) "
            "(:action flip :parameters () :precondition () :effect (and (when (p) (not (p))) (when (q) (p)) "
            "(when (p) (q)) (when (r) (not (q))))) (:action set :parameters () :precondition (not (r)) "
            ":effect (and (r) (not (r)) (p) )) (:action both :parameters () :precondition (p) :effect (and "
            "(not (p)) (p) (when (q) (done)) (when (q) (not (q))) )) )"
        ),
        None,
    ),
    "recursive derived predicates and their negation": (
        (
            "(define (problem net1) (:domain net) (:objects a b c d e - node) (:init (link a b) (link b c) "
            "(link c d) (link d e) (link e a) (link a c)) (:goal (and (alone a) (not (reach c d)) (exists "
            "(?x - node) (and (not (cut ?x)) (not (alone ?x)))) ))) (define (domain net) (:requirements :adl "
            ":derived-predicates) (:types node) (:predicates (link ?a ?b - node) (cut ?a - node) (reach ?a "
            "?b - node) (alone ?a - node) (goalmark)) (:derived (reach ?a ?b - node) (or (and (link ?a ?b) "
            "(not (cut ?a)) (not (cut ?b))) (exists (?c - node) (and (reach ?a ?c) (reach ?c ?b))))) "
            "(:derived (alone ?a - node) (and (not (cut ?a)) (not (exists (?b - node) (reach ?a ?b))))) "
            "(:action cut :parameters (?a - node) :precondition (not (cut ?a)) :effect (cut ?a)) (:action "
            "mend :parameters (?a - node) :precondition (and (cut ?a) (forall (?b - node) (imply (reach ?a "
            "?b) (alone ?b)))) :effect (not (cut ?a))) )"
        ),
        2,
    ),
    "a goal on derived facts that is out of reach": (
        (
            "(define (problem net2) (:domain net) (:objects a b c d e - node) (:init (link a b) (link b c) "
            "(link c d) (link d e) (link e a) (link a c) (link b d)) (:goal (and (alone a) (alone c) (alone "
            "d)))) (define (domain net) (:requirements :adl :derived-predicates) (:types node) (:predicates "
            "(link ?a ?b - node) (cut ?a - node) (reach ?a ?b - node) (alone ?a - node)) (:derived (reach ?a "
            "?b - node) (or (and (link ?a ?b) (not (cut ?a)) (not (cut ?b))) (exists (?c - node) (and (reach "
            "?a ?c) (reach ?c ?b))))) (:derived (alone ?a - node) (and (not (cut ?a)) (not (exists (?b - "
            "node) (reach ?a ?b))))) (:action cut :parameters (?a - node) :precondition (not (cut ?a)) "
            ":effect (cut ?a)) )"
        ),
        None,
    ),
    "for all objects of an empty type": (
        (
            "(define (problem e) (:domain empty) (:objects s1 s2 - small) (:init) (:goal (and (ok2) (forall "
            "(?x - thing) (on ?x))))) (define (domain empty) (:requirements :adl) (:types thing ghost - "
            "object big small - thing) (:predicates (on ?x - thing) (haunted ?g - ghost) (ok) (ok2)) "
            "(:action a :parameters (?x - thing) :precondition (forall (?g - ghost) (haunted ?g)) :effect "
            "(on ?x)) (:action b :parameters () :precondition (exists (?g - ghost) (not (haunted ?g))) "
            ":effect (ok)) (:action c :parameters (?x - small) :precondition (and (on ?x) (forall (?y - big) "
            "(not (on ?y)))) :effect (ok2)) )"
        ),
        3,
    ),
    "there is an object of an empty type": (
        (
            "(define (problem e) (:domain empty) (:objects s1 s2 - small) (:init) (:goal (ok))) (define "
            "(domain empty) (:requirements :adl) (:types thing ghost - object big small - thing) "
            "(:predicates (on ?x - thing) (haunted ?g - ghost) (ok)) (:action b :parameters () :precondition "
            "(exists (?g - ghost) (not (haunted ?g))) :effect (ok)) )"
        ),
        None,
    ),
    "equality, and a constant in domain and problem": (
        (
            "(define (problem eq1) (:domain eq) (:objects X1 x2 X3 - spot) (:init (at home)) (:goal (and (at "
            "HOME) (seen x1) (seen X2) (seen x3) (seen home)))) (define (domain eq) (:requirements :strips "
            ":typing :equality :negative-preconditions) (:types spot) (:constants home - spot) (:predicates "
            "(at ?x - spot) (seen ?x - spot)) (:action go :parameters (?a ?b - spot) :precondition (and (at "
            "?a) (not (= ?a ?b)) (not (= ?b home))) :effect (and (not (at ?a)) (at ?b) (seen ?a))) (:action "
            "stay :parameters (?a ?b - spot) :precondition (and (at ?a) (= ?a ?b)) :effect (and (not (at "
            "?a)) (at ?b) (seen ?b))) (:action back :parameters (?a - spot) :precondition (at ?a) :effect "
            "(and (not (at ?a)) (at home))) )"
        ),
        5,
    ),
    "costs by parameters, and actions without cost": (
        (
            "(define (problem r) (:domain roads) (:objects a b c d - city t1 t2 - truck) (:init (at t1 "
            "depot) (at t2 a) (road depot a) (road a depot) (road a b) (road b c) (road c d) (road d depot) "
            "(road a d) (= (total-cost) 0) (= (len depot a) 0) (= (len a depot) 0) (= (len a b) 4) (= (len b "
            "c) 0) (= (len c d) 7) (= (len d depot) 2) (= (fuel t1) 3)) (:goal (and (at t1 d) (at t2 d))) "
            "(:metric minimize (total-cost))) (define (domain roads) (:requirements :typing :action-costs) "
            "(:types city truck) (:constants depot - city) (:predicates (at ?t - truck ?c - city) (road ?a "
            "?b - city)) (:functions (total-cost) - number (len ?a ?b - city) - number (fuel ?t - truck)) "
            "(:action drive :parameters (?t - truck ?a ?b - city) :precondition (and (at ?t ?a) (road ?a "
            "?b)) :effect (and (not (at ?t ?a)) (at ?t ?b) (increase (total-cost) (len ?a ?b)))) (:action "
            "tow :parameters (?t ?u - truck ?a ?b - city) :precondition (and (at ?t ?a) (at ?u ?a) (road ?a "
            "?b)) :effect (and (not (at ?t ?a)) (at ?t ?b) (not (at ?u ?a)) (at ?u ?b) (increase "
            "(total-cost) (fuel ?t)))) (:action wait :parameters (?t - truck) :precondition (at ?t depot) "
            ":effect (and)) )"
        ),
        3,
    ),
    "a goal that holds at the start": (
        (
            "(define (problem s) (:domain sw) (:objects a b) (:init (on a)) (:goal (and (on a) (not (on "
            "b))))) (define (domain sw) (:predicates (on ?x)) (:action t :parameters (?x) :precondition (on "
            "?x) :effect (not (on ?x))))"
        ),
        0,
    ),
    "a goal of negations": (
        (
            "(define (problem s) (:domain sw) (:objects a b c) (:init (on a)) (:goal (and (not (on a)) (not "
            "(on b)) (not (on c))))) (define (domain sw) (:requirements :negative-preconditions) "
            "(:predicates (on ?x) (used ?x ?y)) (:action t :parameters (?x ?y) :precondition (and (on ?x) "
            "(not (used ?x ?y))) :effect (and (not (on ?x)) (used ?x ?y) (on ?y))))"
        ),
        None,
    ),
    "an empty goal": (
        (
            "(define (problem s) (:domain sw) (:objects a b) (:init (on a)) (:goal (and))) (define (domain "
            "sw) (:predicates (on ?x)) (:action t :parameters (?x) :precondition (on ?x) :effect (not (on "
            "?x))))"
        ),
        0,
    ),
    "upper case, and names of keywords": (
        (
            "(define (problem Domain) (:domain when) (:objects Objects goal METRIC) (:init (object-at "
            "objects GOAL) (actions Objects) (object-at goal goal) (actions goal)) (:goal (and (minimize "
            "metric) (minimize Goal)))) (define (domain WHEN) (:requirements :strips) (:predicates "
            "(object-at ?X ?Y) (actions ?x) (init) (minimize ?x)) (:action define :parameters (?AND ?or2) "
            ":precondition (and (object-at ?AND ?or2) (actions ?And)) :effect (and (init) (not (actions "
            "?and)))) (:action problem :parameters (?x) :precondition (and (init)) :effect (and (minimize "
            "?x) (not (init)))) )"
        ),
        4,
    ),
    "no facts at the start, no requirements": (
        (
            "(define (problem l) (:domain lights) (:objects a b c) (:init) (:goal (and (next a b) (next b c) "
            "(lit a)))) (define (domain lights) (:predicates (lit ?x) (next ?x ?y) (top ?x)) (:action on "
            ":parameters (?x) :precondition () :effect (lit ?x)) (:action chain :parameters (?x ?y) "
            ":precondition (and (lit ?x) (lit ?y)) :effect (and (next ?x ?y) (not (lit ?x)))) )"
        ),
        6,
    ),
    "no types": (
        (
            "(define (problem l) (:domain lights) (:objects a b c) (:init) (:goal (and (lit a) (lit b) "
            "(p)))) (define (domain lights) (:predicates (lit ?x) (p)) (:action on :parameters () :effect "
            "(p)) (:action two :parameters (?x) :precondition (p) :effect (and (lit ?x) (not (p)))) )"
        ),
        5,
    ),
    "conditional effects on all objects": (
        (
            "(define (problem f) (:domain fe) (:objects c1 c2 c3 c4 c5 - cell) (:init (b c1) (b c2) (b c3) "
            "(b c4) (b c5) (fixed c5) (adj c1 c1) (adj c1 c2) (adj c2 c1) (adj c2 c2) (adj c2 c3) (adj c3 "
            "c2) (adj c3 c3) (adj c3 c4) (adj c4 c3) (adj c4 c4) (adj c4 c5) (adj c5 c4) (adj c5 c5)) (:goal "
            "(forall (?x - cell) (not (b ?x))))) (define (domain fe) (:requirements :adl) (:types cell) "
            "(:predicates (b ?x - cell) (adj ?x ?y - cell) (fixed ?x - cell)) (:action press :parameters (?x "
            "- cell) :precondition (not (fixed ?x)) :effect (and (forall (?y - cell) (and (when (and (adj ?x "
            "?y) (b ?y)) (not (b ?y))) (when (and (adj ?x ?y) (not (b ?y))) (b ?y)))) )) )"
        ),
        2,
    ),
    "implication, disjunction, nested quantifiers": (
        (
            "(define (problem i) (:domain im) (:objects a b c d - n) (:init (lt a b) (lt b c) (lt c d) (lt a "
            "c) (lt a d) (lt b d)) (:goal (and (w a) (w b) (v c) (w d)))) (define (domain im) (:requirements "
            ":adl) (:types n) (:predicates (v ?x - n) (w ?x - n) (lt ?x ?y - n)) (:action setv :parameters "
            "(?x - n) :precondition (forall (?y - n) (imply (lt ?y ?x) (or (v ?y) (w ?y)))) :effect (and (v "
            "?x) (not (w ?x)))) (:action setw :parameters (?x - n) :precondition (and (v ?x) (or (not "
            "(exists (?y - n) (lt ?x ?y))) (exists (?y - n) (and (lt ?x ?y) (v ?y))))) :effect (and (w ?x) "
            "(not (v ?x)))) )"
        ),
        7,
    ),
    "types below types, constants of several types": (
        (
            "(define (problem t) (:domain ty) (:objects o1 - c o2 - d o3 - e) (:init (r o1)) (:goal (and (q "
            "k) (q o2) (p m) (r o3) (r k)))) (define (domain ty) (:requirements :typing) (:types a - object "
            "b c - a d - b e) (:constants k - d m - a) (:predicates (p ?x - a) (q ?x - b) (r ?x - object)) "
            "(:action one :parameters (?x - a) :precondition (r ?x) :effect (p ?x)) (:action two :parameters "
            "(?x - b) :precondition (p ?x) :effect (and (q ?x) (not (r ?x)))) (:action three :parameters (?x "
            "- object ?y - c) :precondition (p ?y) :effect (r ?x)) )"
        ),
        11,
    ),
    "conditional effects that switch others off": (
        (
            "(define (problem cam) (:domain camera) (:objects sun star moon - dir i1 i2 - inst red blue - "
            "mode) (:init (points sun) (target i1 star) (target i2 moon) (has i1 red) (has i2 blue) (has i2 "
            "red) (= (total-cost) 0) (= (slew sun star) 2) (= (slew sun moon) 4) (= (slew star sun) 3) (= "
            "(slew star moon) 2) (= (slew moon sun) 5) (= (slew moon star) 3)) (:goal (and (image sun red) "
            "(image star blue) (image moon red) (points sun))) (:metric minimize (total-cost))) (define "
            "(domain camera) (:requirements :adl :action-costs) (:types dir inst mode) (:predicates (points "
            "?d - dir) (on ?i - inst) (ready ?i - inst) (target ?i - inst ?d - dir) (has ?i - inst ?m - "
            "mode) (image ?d - dir ?m - mode)) (:functions (total-cost) (slew ?a ?b - dir)) (:action turn "
            ":parameters (?a ?b - dir) :precondition (and (points ?a) (not (= ?a ?b))) :effect (and (not "
            "(points ?a)) (points ?b) (increase (total-cost) (slew ?a ?b)))) (:action switch :parameters (?i "
            "- inst) :precondition (not (on ?i)) :effect (and (on ?i) (forall (?j - inst) (when (and (on ?j) "
            "(not (= ?i ?j))) (and (not (on ?j)) (not (ready ?j))))) (increase (total-cost) 1))) (:action "
            "calibrate :parameters (?i - inst ?d - dir) :precondition (and (on ?i) (target ?i ?d) (points "
            "?d)) :effect (ready ?i)) (:action take :parameters (?d - dir ?m - mode) :precondition (and "
            "(points ?d) (exists (?i - inst) (and (on ?i) (ready ?i) (has ?i ?m)))) :effect (and (image ?d "
            "?m) (increase (total-cost) 1))) )"
        ),
        14,
    ),
    "effects that contradict each other for equal conditions": (
        (
            "(define (problem p) (:domain par) (:objects a b c d e - coin) (:init (head a)) (:goal (forall "
            "(?x - coin) (not (head ?x))))) (define (domain par) (:requirements :adl) (:types coin) "
            "(:predicates (head ?c - coin)) (:action flip2 :parameters (?a ?b - coin) :precondition (not (= "
            "?a ?b)) :effect (and (when (head ?a) (not (head ?a))) (when (not (head ?a)) (head ?a)) (when "
            "(head ?b) (not (head ?b))) (when (not (head ?b)) (head ?b)))))"
        ),
        None,
    ),
    "a negated quantifier in a precondition": (
        (
            "(define (problem n) (:domain ne) (:objects a b c - t) (:init (p a)) (:goal (and (q b) (q c) "
            "(not (s)) (p c) (not (p a))))) (define (domain ne) (:requirements :adl) (:types t) (:predicates "
            "(p ?x - t) (q ?x - t) (s)) (:action a :parameters (?x - t) :precondition (not (forall (?y - t) "
            "(exists (?z - t) (and (p ?y) (not (= ?y ?z)))))) :effect (and (p ?x) (when (forall (?y - t) (or "
            "(= ?y ?x) (p ?y))) (s)))) (:action b :parameters (?x - t) :precondition (and (s) (not (and (q "
            "?x) (p ?x)))) :effect (and (q ?x) (not (s)) (forall (?y - t) (when (not (= ?x ?y)) (not (p "
            "?y)))))))"
        ),
        6,
    ),
    "cycles without cost": (
        (
            "(define (problem z) (:domain zc) (:objects a b c d - n) (:init (at a) (e a b) (e b c) (e c a) "
            "(= (total-cost) 0)) (:goal (and (at d) (k))) (:metric minimize (total-cost))) (define (domain "
            "zc) (:requirements :typing :action-costs :negative-preconditions) (:types n) (:predicates (at "
            "?x - n) (e ?x ?y - n) (k)) (:functions (total-cost)) (:action go :parameters (?x ?y - n) "
            ":precondition (and (at ?x) (e ?x ?y)) :effect (and (not (at ?x)) (at ?y))) (:action key "
            ":parameters (?x - n) :precondition (and (at ?x) (not (k))) :effect (and (k) (increase "
            "(total-cost) 1))) (:action jump :parameters (?x ?y - n) :precondition (and (at ?x) (k)) :effect "
            "(and (not (at ?x)) (at ?y) (not (k)) (increase (total-cost) 5))))"
        ),
        7,
    ),
    "costs without a metric": (
        (
            "(define (problem z) (:domain nm) (:init (p) (= (total-cost) 0)) (:goal (q))) (define (domain "
            "nm) (:predicates (p) (q)) (:functions (total-cost)) (:action a :parameters () :precondition (p) "
            ":effect (and (q) (increase (total-cost) 10))) (:action b :parameters () :precondition (p) "
            ":effect (and (not (p)) (increase (total-cost) 1))) (:action c :parameters () :precondition (not "
            "(p)) :effect (and (q) (increase (total-cost) 1))))"
        ),
        1,
    ),
    "an action that stays where it is": (
        (
            "(define (problem g) (:domain grip) (:objects ra rb - room b0 b1 b2 b3 - ball) (:init (at-robby "
            "ra) (free left) (free right) (= (total-cost) 0) (at b0 ra) (at b1 ra) (at b2 ra) (at b3 ra)) "
            "(:goal (and (at b0 rb) (at b1 rb) (at b2 rb) (at b3 rb))) (:metric minimize (total-cost))) "
            "(define (domain grip) (:requirements :strips :typing :action-costs) (:types room ball gripper) "
            "(:constants left right - gripper) (:predicates (at-robby ?r - room) (at ?b - ball ?r - room) "
            "(free ?g - gripper) (carry ?o - ball ?g - gripper)) (:functions (total-cost) - number) (:action "
            "move :parameters (?from ?to - room) :precondition (and (at-robby ?from)) :effect (and (at-robby "
            "?to) (not (at-robby ?from)) (increase (total-cost) 2))) (:action pick :parameters (?obj - ball "
            "?room - room ?gripper - gripper) :precondition (and (at ?obj ?room) (at-robby ?room) (free "
            "?gripper)) :effect (and (carry ?obj ?gripper) (not (at ?obj ?room)) (not (free ?gripper)) "
            "(increase (total-cost) 1))) (:action drop :parameters (?obj - ball ?room - room ?gripper - "
            "gripper) :precondition (and (carry ?obj ?gripper) (at-robby ?room)) :effect (and (at ?obj "
            "?room) (free ?gripper) (not (carry ?obj ?gripper)) (increase (total-cost) 0))) )"
        ),
        10,
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_plain_rules_find_the_cost_of_another_planner(name: str) -> None:
    text, cost = PROBLEMS[name]
    (level,) = PDDL.screen.parse(text, "text")
    assert not isinstance(level, Exception), level
    assert least_cost_by_rules(PDDL, level, "cost") == cost
