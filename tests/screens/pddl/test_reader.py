"""Domains and problems as text: what is read, what is refused, and where."""

from pathlib import Path

import pytest

import puzzlemc
from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.serve.answers import tiles
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MARKED
from puzzlemc.screens.base.reading import Unfiled
from puzzlemc.screens.pddl import Level, looks_like, parse

DOMAIN = """(define (domain d)
 (:requirements :adl)
 (:types truck city - place)
 (:constants home - city)
 (:predicates (at ?t - truck ?c - city) (seen ?c - city) (near ?c - city))
 (:functions (total-cost) - number (len ?a ?b - city) - number)
 (:derived (near ?c - city) (seen ?c))
 (:action drive :parameters (?t - truck ?a ?b - city)
  :precondition (at ?t ?a)
  :effect (and (not (at ?t ?a)) (at ?t ?b) (increase (total-cost) (len ?a ?b)))))
"""
PROBLEM = """(define (problem p) (:domain d)
 (:objects t1 - truck c1 - city)
 (:init (at t1 home) (= (len home c1) 3))
 (:goal (at t1 c1)) (:metric minimize (total-cost)))
"""


def level_of(problem: str, domain: str = DOMAIN) -> Level | LevelError:
    (found,) = parse(f"{problem}\n{domain}", "x.pddl")
    return found


def test_a_problem_is_read_with_its_domain() -> None:
    level = level_of(PROBLEM)
    assert isinstance(level, Level)
    assert level.title == "p"
    assert level.of_type["place"] == ("t1", "c1", "home")
    assert level.values == {"len(home,c1)": 3}
    assert level.has_costs
    again = parse(level.text, "y")
    assert isinstance(again[0], Level)
    assert again[0].text.partition("\n;domain")[0] == level.text.partition("\n;domain")[0]


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        (":adl", ":adl :durative-actions", "7:", "time is not read"),
        (":adl", ":magic", "7:", "found ':magic', expected one of"),
        ("truck city - place", "truck - city city - truck", "8:", "cycle of types"),
        ("truck city - place", "a - b", "9:", "found type 'city'"),
        ("home - city)", "home - (either city truck))", "9:", "unions are not read"),
        ("(at ?t ?a)\n", "(at ?t)\n", "14:", "with 1, expected 2 arguments of 'at'"),
        ("(at ?t ?a)\n", "(at ?t ?z)\n", "14:", "found '?z', expected a variable that is bound here"),
        ("(at ?t ?a)\n", "(at ?t c9)\n", "14:", "found 'c9', expected an object"),
        ("(at ?t ?a)\n", "(> (len ?a ?b))\n", "14:", "found 1 parts of '>', expected 2 parts"),
        ("(at ?t ?a)\n", "(> (size ?a ?b) 3)\n", "14:", "found 'size', expected a function that is declared"),
        ("(at ?t ?a)\n", "(> (len ?a) 3)\n", "14:", "with 1, expected 2 arguments of 'len'"),
        ("(at ?t ?a)\n", "(> (len ?a ?b) (/ 3))\n", "14:", "found 1 parts of '/', expected 2"),
        ("(at ?t ?a)\n", "(> (len ?a ?b) x)\n", "14:", "found 'x', expected a number"),
        ("(at ?t ?a)\n", "(> (len ?a ?b) (total-cost))\n", "14:", "expected that nothing reads the cost"),
        ("(at ?t ?b)", "(at ?t ?b) (near ?b)", "15:", "it is derived"),
        ("(increase (total-cost) (len ?a ?b))", "(decrease (total-cost) 1)", "15:", "only increases"),
        (
            "(increase (total-cost) (len ?a ?b))",
            "(increase (seen ?b) 1)",
            "15:",
            "expected a function that",
        ),
        ("(increase (total-cost) (len ?a ?b))", "(increase (len ?a ?b))", "15:", "found 1 parts of 'increase'"),
        ("(:derived", "(:bounds (len 3 2)) (:derived", "12:", "expected a least value that is not above"),
        ("(:derived", "(:bounds (size 3 2)) (:derived", "12:", "of a function that is declared"),
        ("(:derived", "(:bounds (len 4 -)) (:derived", "3:", "expected a value within its bounds, 4 to -"),
        (
            "(:derived (near ?c - city) (seen ?c))",
            "(:derived (near ?c - city) (not (near ?c)))",
            "12:",
            "negation",
        ),
        ("(:action drive", "(:action goal--anywhere", "13:", "a meaning of its own"),
        ("(seen ?c - city)", "(goal--fact)", "10:", "a meaning of its own"),
        ("(seen ?c - city)", "(and ?c - city)", "10:", "a meaning of its own"),
        ("(:action drive", "(:durative-action drive", "13:", "time is not read"),
        ("(len ?a ?b - city)", "(../len ?a)", "11:", "letters, digits, - and _ only"),
    ],
)
def test_what_a_domain_may_not_have(old: str, new: str, place: str, message: str) -> None:
    assert old in DOMAIN
    error = level_of(PROBLEM, DOMAIN.replace(old, new, 1))
    assert isinstance(error, LevelError)
    assert message in str(error)
    assert str(error).startswith(f"x.pddl:{place}")


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("(at t1 home)", "(at t1 home) (at 5 (seen c1))", "3:", "a time of their own"),
        ("(at t1 home)", "(near home)", "3:", "it is derived"),
        ("(at t1 home)", "(at t1 ../home)", "3:", "found '../home', expected an object"),
        ("t1 - truck", "../t1 - truck", "2:", "letters, digits, - and _ only"),
        ("(:domain d)", "(:domain ../d)", "1:", "found domain '../d', expected 'd'"),
        (" 3)", " 3.5)", "3:", "expected a whole number"),
        (" 3)", " -3)", "3:", "expected a whole number"),
        ("minimize (total-cost)", "minimize (* (total-cost) (total-cost))", "4:", "expected a linear metric"),
        ("minimize (total-cost)", "minimize (len home c1)", "4:", "expected a function without arguments"),
        ("minimize (total-cost)", "minimize (/ (total-cost) 0)", "4:", "expected a linear metric"),
        ("minimize (total-cost)", "maximize (total-cost)", "4:", "expected (:metric minimize (total-cost))"),
        ("(:goal (at t1 c1))", "(:goal (or (preference p (at t1 c1))))", "4:9", "preferences only in the goal"),
        ("(:goal (at t1 c1))", "(:goal (preference p))", "4:21", "found 'p', expected a condition in parentheses"),
        ("(:goal (at t1 c1))", "(:goal (preference))", "4:9", "expected (preference NAME CONDITION)"),
        (
            "(:goal (at t1 c1))",
            "(:goal (preference p q (at t1 c1)))",
            "4:9",
            "expected (preference NAME CONDITION)",
        ),
        ("(:goal (at t1 c1))", "(:goal (preference ?p (at t1 c1)))", "4:21", "letters, digits, - and _ only"),
        ("(:goal (at t1 c1))", "(:goal (preference p (preference q (at t1 c1))))", "4:23", "read in goals alone"),
        ("(:goal (at t1 c1))", "(:constraints (always (at t1 c1)))", "4:", "constraints on plans is not read"),
        ("(:goal (at t1 c1))", "", "1:", "found no :goal"),
        ("(:goal (at t1 c1))", "(:goal " + "(not " * 120 + "(at t1 c1)" + ")" * 121, "4:", "deeper than 100"),
        ("(:goal (at t1 c1))", "(:goal (at t1 c1)", "1:", "without an end"),
        ("(:goal (at t1 c1))", "(:goal (at t1 c1)))", "4:", ""),
        ("t1 - truck c1", "t1 - truck " + "o " * 60_000 + "c1", "2:", "expected at most 50000"),
    ],
)
def test_what_a_problem_may_not_have(old: str, new: str, place: str, message: str) -> None:
    assert old in PROBLEM
    error = level_of(PROBLEM.replace(old, new, 1))
    assert isinstance(error, LevelError)
    assert message in str(error)
    assert str(error).startswith(f"x.pddl:{place}")


SOFT = PROBLEM.replace(
    "(:goal (at t1 c1)) (:metric minimize (total-cost))",
    "(:goal (and (preference p (at t1 c1)) (preference (at t1 home))\n"
    " (forall (?c - city) (preference q (seen ?c)))))\n (:metric minimize METRIC)",
)


@pytest.mark.parametrize(
    ("metric", "place", "message"),
    [
        ("(is-violated r)", "6:33", "found 'r', expected the name of a preference of the goal"),
        ("(is-violated)", "6:20", "expected numbers, (total-cost)"),
        ("(+ (is-violated p) (fuel))", "6:39", "found '(fuel)', expected numbers"),
        ("(+ (is-violated p) ((total-cost)))", "6:39", "expected numbers"),
        ("(- (is-violated p))", "6:23", "found -1 times (is-violated p), expected a factor from 0"),
        ("(+ (is-violated q) (* -1 (is-violated p)))", "6:42", "found '-1', expected a number from 0"),
        ("(* 1000000000 (is-violated p))", "6:23", "with at most 9 digits"),
        ("(* (* 500000 (is-violated p)) 500000)", "6:33", "expected a factor from 0 to 999999999"),
        ("(* (is-violated p) (total-cost))", "6:20", "expected a number in all parts but one"),
        ("(/ 1 (is-violated p))", "6:20", "expected a number other than 0 below it"),
        ("(/ (is-violated p) 0)", "6:20", "expected a number other than 0 below it"),
        ("(/ (is-violated p))", "6:20", "expected two parts of '/'"),
        ("(+ (is-violated p) (total-cost) (total-time))", "6:2", "expected one of them"),
        (f"(* {'999999999 ' * 4} (is-violated p))", "6:20", "expected smaller numbers"),
    ],
)
def test_what_a_metric_with_preferences_may_not_have(metric: str, place: str, message: str) -> None:
    error = level_of(SOFT.replace("METRIC", metric))
    assert isinstance(error, LevelError)
    assert message in str(error)
    assert str(error).startswith(f"x.pddl:{place}")


@pytest.mark.parametrize(
    ("metric", "penalties", "has_costs", "factor", "warned"),
    [
        ("(+ (total-cost) (* 2 (is-violated p)) (is-violated q))", [2, 1, 1], True, 1, 1),
        ("(is-violated q)", [1, 1], False, 0, 2),
        ("(- (* 3 (total-time)) (- 4 (* (is-violated p) 2 3)))", [6], False, 3, 3),
        ("(+ (* 0.5 (total-cost)) (/ (is-violated p) 3))", [2], True, 3, 3),
        ("(+ (* 0 (is-violated p)) (total-cost))", [], True, 1, 2),
        ("(total-cost)", [], True, 1, 3),
    ],
)
def test_metrics_with_preferences(
    metric: str, penalties: list[int], has_costs: bool, factor: int, warned: int
) -> None:
    level = level_of(SOFT.replace("METRIC", metric))
    assert isinstance(level, Level), level
    assert [each.penalty for each in level.preferences] == penalties
    assert (level.has_costs, level.factor, len(level.warnings)) == (has_costs, factor, warned)
    assert level.conjuncts == ()


def test_what_is_maximized_is_a_penalty_where_it_is_missing() -> None:
    text = SOFT.replace("minimize METRIC", "maximize (- (- 9 (* 2 (is-violated p))) (total-cost))")
    level = level_of(text)
    assert isinstance(level, Level), level
    assert [(each.terms, each.penalty) for each in level.preferences] == [(("p",), 2)]
    assert (level.has_costs, level.factor) == (True, 1)
    error = level_of(text.replace("maximize (-", "maximize (+", 1))
    assert "found -1 times (total-cost)" in str(error)


def test_each_preference_has_a_name_of_its_own() -> None:
    goal = "(and (preference p (seen c1)) (preference p (seen home)) (preference p_2 (seen c1)))"
    text = PROBLEM.replace("(:goal (at t1 c1))", f"(:goal {goal})")
    level = level_of(text.replace("(total-cost)))", "(+ (is-violated p) (is-violated p_2))))"))
    assert isinstance(level, Level), level
    assert [each.terms for each in level.preferences] == [("p",), ("p_2",), ("p_2_2",)]


def test_preferences_stand_in_goals_alone_and_are_not_too_many() -> None:
    error = level_of(PROBLEM, DOMAIN.replace("(at ?t ?a)\n", "(preference p (at ?t ?a))\n"))
    assert str(error).startswith("x.pddl:14:")
    assert "read in goals alone" in str(error)
    many = SOFT.replace("c1 - city", " ".join(f"c{number}" for number in range(1, 1001)) + " - city")
    error = level_of(many.replace("METRIC", "(is-violated q)"))
    assert str(error).startswith("x.pddl:5:22: found more than 1000 preferences")


def test_problems_are_told_from_domains() -> None:
    assert looks_like(PROBLEM) == MARKED
    assert looks_like(f"; (define (problem p)\n{DOMAIN}") == 0
    assert looks_like("#####\n#@$.#\n#####\n") == 0
    assert looks_like("begin_version\n3\n") == MARKED


def test_the_domain_is_found_beside_the_problem(tmp_path: Path) -> None:
    path = tmp_path / "p.pddl"
    path.write_text(PROBLEM)

    def found() -> object:
        return parse(PROBLEM, str(path))[0]

    assert "found no domain 'd' beside this file" in str(found())
    (tmp_path / "one.pddl").write_text(DOMAIN)
    assert isinstance(found(), Level)
    (tmp_path / "two.pddl").write_text(DOMAIN)
    assert "found domain 'd' in 2 files" in str(found())
    (tmp_path / "p-domain.pddl").write_text(DOMAIN)
    assert isinstance(found(), Level)
    (tmp_path / "domain.pddl").write_text(DOMAIN.replace(":adl", ":magic"))
    error = found()
    assert isinstance(error, LevelError)
    assert str(error).startswith(f"{tmp_path}/domain.pddl:2:")
    assert "found a problem of domain 'd' alone" in str(parse(PROBLEM, "-")[0])
    assert "found the domain 'd' alone" in str(parse(DOMAIN, "-")[0])


def test_the_domain_is_found_in_the_parent_folder_or_one_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "set" / "problems"
    domains = [tmp_path / "set" / name for name in ("z", "domains", ".")]
    for folder in (place, *domains):
        folder.mkdir(parents=True, exist_ok=True)
    (place / "p.pddl").write_text(PROBLEM)
    (place / "domain.pddl").write_text(DOMAIN.replace("(domain d)", "(domain other)"))
    for folder, name in (
        (tmp_path, "domain.pddl"),
        (place.parent / "others", "d.pddl"),
    ):  # no domains of this problem
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(DOMAIN)

    def found(name: str) -> object:
        return parse(PROBLEM, name)[0]

    monkeypatch.chdir(place)
    assert "expected it in domain.pddl, in the parent folder or one beside" in str(found("p.pddl"))
    for folder, said in zip(domains, (None, "(../domains/domain.pddl, ../z/domain.pddl)", None), strict=True):
        (folder / "domain.pddl").write_text(DOMAIN)
        for name in ("p.pddl", str(place / "p.pddl")):
            if said is None:
                assert isinstance(found(name), Level)
            else:
                assert f"found domain 'd' in 2 files {said}" in str(found(name))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(at ?t ?a)\n", "(at ?t?a)\n"),
        ("(at ?t ?a)\n", "(at?t ?a)\n"),
        ("?t - truck ?a ?b - city)\n", "?t -truck ?a?b -city)\n"),
        ("?t - truck ?a ?b - city)\n", "?t- truck ?a ?b- city)\n"),
        ("truck city - place", "truck city -place"),
        ("truck city - place", "truck city- place"),
        ("home - city", "home -city"),
        ("(total-cost) - number", "(total-cost) -number"),
        ("(near ?c - city))", "(near ?c - city) (two ?c ?c - city))"),
    ],
)
def test_blanks_that_are_missing_change_nothing(old: str, new: str) -> None:
    assert old in DOMAIN
    one, other = level_of(PROBLEM), level_of(PROBLEM, DOMAIN.replace(old, new, 1))
    assert isinstance(one, Level)
    assert isinstance(other, Level), other
    assert one.domain.actions == other.domain.actions
    assert one.domain.types == other.domain.types
    assert one.domain.constants == other.domain.constants
    assert other.domain.predicates.get("two", ("city", "city")) == ("city", "city")


def test_names_may_end_in_a_hyphen() -> None:
    level = level_of(PROBLEM.replace("c1", "c1-"))
    assert isinstance(level, Level)
    assert level.of_type["city"] == ("c1-", "home")
    for names in ("c1- c2-", "c1- c2"):
        level = level_of(PROBLEM.replace("c1 - city", f"{names} - city").replace(" c1)", " c1-)"))
        assert isinstance(level, Level), level
        assert level.of_type["city"] == (*names.split(), "home")


def test_a_fact_with_an_object_of_a_wrong_type_has_a_warning() -> None:
    level = level_of(PROBLEM.replace("(at t1 home)", "(at t1 home)\n (at c1 t1)").replace("(len home", "(len t1"))
    assert isinstance(level, Level)
    assert level.warnings == (
        (4, 6, "found 'c1' of type 'city' in '(at c1 t1)', expected type 'truck'"),
        (4, 9, "found 't1' of type 'truck' in '(at c1 t1)', expected type 'city'"),
        (4, 21, "found 't1' of type 'truck' in '(len t1 c1)', expected type 'city'"),
    )
    assert puzzles()["pddl"].text.warnings(level) == level.warnings
    assert level_of(PROBLEM).warnings == ()


def test_without_durations_the_total_time_is_the_number_of_steps() -> None:
    level = level_of(PROBLEM.replace("minimize (total-cost)", "minimize (total-time)"))
    assert isinstance(level, Level)
    assert not level.has_costs


@pytest.mark.parametrize("name", ["-", Unfiled("level")])
def test_a_file_that_has_the_name_of_a_text_says_nothing_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in ((name, PROBLEM), ("domain.pddl", DOMAIN)):
        (tmp_path / file).write_text(text)
    assert "found a problem of domain 'd' alone" in str(parse(PROBLEM, name)[0])
    (tmp_path / "problem").write_text(PROBLEM)
    assert isinstance(parse(PROBLEM, "problem")[0], Level)


def test_texts_of_pages_programs_and_certificates_are_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("domain.pddl", "level", "text", "pddl"):
        (tmp_path / file).write_text(DOMAIN)
    with pytest.raises(LevelError, match="found a problem of domain 'd' alone"):
        entry("pddl", PROBLEM)
    assert tiles(puzzles()["pddl"], PROBLEM) == {}
    with pytest.raises(LevelError, match="found a problem of domain 'd' alone"):
        puzzlemc.Level(PROBLEM, "pddl")
