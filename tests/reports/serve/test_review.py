"""All levels of a text are judged, and after a change of rules only those that can see it."""

from dataclasses import replace
from threading import Event
from typing import Any

from command import CORNERED, ONE_PUSH, hard
from places import ROOT

from puzzlemc.reports.serve.questions import Review
from puzzlemc.reports.serve.suite import review as module
from puzzlemc.reports.serve.suite.review import review

SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text()
THAW = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text()


def answers(text: str, puzzle: str = "puzzlescript", **fields: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    review(Review(1, puzzle, text, **fields), sent.append, Event())
    return sent


def of_kind(sent: list[dict[str, Any]], kind: str) -> dict[int, dict[str, Any]]:
    return {each["number"]: each for each in sent if each["kind"].startswith(f"{kind} ")}


def digests(sent: list[dict[str, Any]]) -> list[str]:
    """What a page knows after these answers."""
    return [each[name] for each in sent for name in ("key", "look") if each.get(name)]


def test_levels_whose_verdicts_and_pictures_are_known_are_not_judged_again() -> None:
    first = answers(SHAFT)
    assert first[0]["kind"] == "levels"
    verdicts = of_kind(first, "level")
    assert {number: each["key"] for number, each in verdicts.items()} == dict(enumerate(first[0]["keys"]))
    assert all("picture" in each for each in of_kind(first, "picture").values())

    again = answers(SHAFT, known=digests(first))
    assert again[0] == first[0]
    assert of_kind(again, "level") == {}
    looks = of_kind(again, "picture")
    assert [each["look"] for each in looks.values()] == [
        each["look"] for each in of_kind(first, "picture").values()
    ]
    assert not any("picture" in each for each in looks.values())
    assert again[-1]["kind"] == "lint"


def test_after_a_change_of_a_rule_the_levels_that_can_see_it_are_judged() -> None:
    before = answers(THAW)
    rule = "[ > Lantern | Pool ] -> [ | ]"
    changed = THAW.replace(rule, "[ > Lantern | Pool ] -> [ > Lantern | ]").replace("#dfe9ee", "#dfe9ef")
    after = answers(changed, known=digests(before))
    judged, fresh = of_kind(after, "level"), of_kind(answers(changed), "level")
    assert 0 < len(judged) < len(fresh) == 15
    known = {each["key"]: each for each in of_kind(before, "level").values()}
    for number, each in fresh.items():
        kept = judged.get(number) or known[after[0]["keys"][number]]
        assert (kept["verdict"], kept["cost"], kept["optimal"]) == (each["verdict"], each["cost"], each["optimal"])
    assert all("picture" in each for each in of_kind(after, "picture").values())  # a colour has changed


def test_the_rows_of_a_level_are_known_again_at_another_place_and_under_another_message() -> None:
    first, second = (f"message {name}\n\n{rows}\n" for name, rows in (("A", "#P.#\n#..#"), ("B", "#.P#\n#..#")))
    head = THAW[: THAW.index("message")]
    one, other = answers(f"{head}{first}\n{second}")[0], answers(f"{head}message C\n{second}\n{first}")[0]
    assert one["rows"] == other["rows"][::-1]
    assert one["rows"][0] != one["rows"][1]


def test_levels_in_sight_come_first_and_an_error_is_always_an_answer() -> None:
    text = f"{ONE_PUSH}\n\n{CORNERED}\n\n#####\n#@$.#\n###"
    found = answers(text, "sokoban", first=1)
    assert list(of_kind(found, "level")) == [1, 2, 0]
    assert found[0]["keys"][2] == ""
    again = answers(text, "sokoban", known=["", *digests(found)])
    assert {number: each["verdict"] for number, each in of_kind(again, "level").items()} == {2: "error"}


def test_a_level_that_takes_long_comes_after_all_others(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "QUICK", replace(module.QUICK, timeout=0.2))
    monkeypatch.setattr(module, "FIRST", replace(module.FIRST, timeout=0.1))
    found = answers(f"{hard(8)}\n\n{ONE_PUSH}", "sokoban")
    kinds = [each["kind"] for each in found]
    assert kinds.index("level 1") < kinds.index("lint") < len(kinds) - 1 - kinds[::-1].index("level 0")
    last = found[-1]
    assert (last["kind"], last["final"]) == ("level 0", True)
