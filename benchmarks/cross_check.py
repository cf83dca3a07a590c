"""Compares the implementations of PuzzleScript turns on random small levels.

    python benchmarks/cross_check.py [FILE...] [--games 40] [--each 50] [--seed 1] [--states 60]

It draws games of all kinds of rules, and random boards for each. A FILE is a game, or recorded plays as
`benchmarks/plays.py` reads them: random boards of its objects are drawn, too. From the start of each level all
positions are explored, breadth first up to `--states` of them, by each implementation: the plain rules, and the
compiled turns on planes and on cells, and the circuit of the level if it has one. All turns, the verdict, the cost
and the number of states have to be equal.
The search on planes has to give the same verdict, cost and number of states, and its proof has to pass the check.

A level on which the plain rules take more than some seconds is left out. The output is a line for each difference,
and counts. Exit code 1: there is a difference.
"""

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plays import TURNS, Played

from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.domain.application import certain
from puzzlemc.encodings.puzzlescript.domain.position import Cells, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Outcome, Unsettled
from puzzlemc.encodings.puzzlescript.planes.encoding import planes
from puzzlemc.mc.errors import LimitReached, Refuted, Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unknown, resolved
from puzzlemc.screens.puzzlescript import Level, parse

SECONDS = 5  # of the plain rules for a level: nested loops can take 200 x 200 x 500 applications of a rule

OBJECTS = ("Player", "Crate", "Wall", "Spot", "Cat", "Dog", "Gem")
MANY = ("Thing", "Pet", "Solid", "Mixed")  # properties; `Mixed` has objects of two layers
NAMES = (*OBJECTS, "Player", "Crate", "Cat", *MANY, "Rock", "Pair")
FORCES = ("", "", "", ">", ">", "<", "^", "v", "moving", "stationary", "up", "right", "action", "parallel", "no")
LATE_FORCES = ("", "", "", "no")
DIRECTIONS = ("", "", "", "right", "down", "horizontal", "vertical", "up")
COMMANDS = ("again", "cancel", "restart", "win", "message hello")
SIGNS = ".PCWSDGKX"
LEGEND = """. = Background
P = Player
C = Crate
W = Wall
S = Spot
K = Cat
D = Dog
G = Gem
X = Crate and Spot
Y = Player and Spot
Rock = Crate
Pair = Crate and Spot
Thing = Player or Crate or Wall
Solid = Crate or Wall
Pet = Cat or Dog
Mixed = Cat or Spot"""
PUSHES = ("[ > Player | Crate ] -> [ > Player | > Crate ]", "[ > Player | Solid ] -> [ > Player | > Solid ]")


def side(chance: random.Random, is_late: bool) -> tuple[list[str], list[str]]:
    """The cells of a row of a rule, on both sides."""
    left, right = list[str](), list[str]()
    for number in range(chance.choice((1, 2, 2, 2, 3))):
        if number and chance.random() < 0.12:
            left.append("...")
            right.append("...")
        before, after = list[str](), list[str]()
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            force, name = chance.choice(LATE_FORCES if is_late else FORCES), chance.choice(NAMES)
            if force == "no" and name == "Pair":
                force = ""
            before.append(f"{force} {name}")
            kind = chance.random()
            if kind < 0.5:
                after.append(f"{force} {name}")
            elif kind < 0.7:
                force = "" if is_late else chance.choice((">", "<", "", "stationary", "up", "action"))
                after.append(f"{force} {name}")
        if chance.random() < 0.2:
            after.append(f"{'' if is_late else chance.choice(('', '', '>', 'down'))} {chance.choice(OBJECTS)}")
        left.append(" ".join(before))
        right.append(" ".join(after))
    return left, right


def rule(chance: random.Random) -> tuple[str, bool]:
    """A rule, and whether it is late."""
    is_late = chance.random() < 0.3
    words = ["late"] if is_late else ["rigid"] if chance.random() < 0.15 else []
    words.append(chance.choice(DIRECTIONS))
    rows = [side(chance, is_late) for _ in range(chance.choice((1, 1, 1, 1, 2, 3)))]
    left, right = (" ".join(f"[ {' | '.join(row[at])} ]" for row in rows) for at in (0, 1))
    command = chance.choice(COMMANDS) if chance.random() < 0.25 else ""
    if command and chance.random() < 0.5:
        right = ""
    return f"{' '.join(words)} {left} -> {right} {command}", is_late


def condition(chance: random.Random) -> str:
    """A win condition."""
    names = (*OBJECTS, "Pet", "Pair")
    text = f"{chance.choice(('all', 'some', 'no'))} {chance.choice(names)}"
    return text if chance.random() < 0.3 else f"{text} on {chance.choice(names)}"


def game(chance: random.Random) -> str:
    """The text of a game up to its levels. Some of these texts are refused."""
    options = [
        word
        for word, odds in (
            ("run_rules_on_level_start", 0.3),
            ("require_player_movement", 0.2),
            ("noaction", 0.3),
            ("realtime_interval 1", 0.2),
        )
        if chance.random() < odds
    ]
    early, late = list[str](), list[str]()
    if chance.random() < 0.7:
        early.append(chance.choice(PUSHES))
    for _ in range(chance.randint(1, 4)):
        text, is_late = rule(chance)
        rules = late if is_late else early
        rules.append(f"+ {text}" if rules and chance.random() < 0.25 and "rigid" not in text else text)
    if early and chance.random() < 0.25:
        early = ["startloop", *early, "endloop"]
    if late and chance.random() < 0.15:
        late = ["startloop", *late, "endloop"]
    parts = {
        "OBJECTS": "".join(f"{name}\nblue\n\n" for name in ("Background", *OBJECTS)),
        "LEGEND": LEGEND,
        "SOUNDS": "",
        "COLLISIONLAYERS": "Background\nPlayer, Crate, Wall\nSpot\nCat, Dog\nGem",
        "RULES": "\n".join(early + late),
        "WINCONDITIONS": "\n".join(condition(chance) for _ in range(chance.choice((0, 1, 1, 1, 2)))),
    }
    texts = (f"=====\n{name}\n=====\n\n{part}\n\n" for name, part in parts.items())
    return "title drawn\n" + "\n".join(options) + "\n\n" + "".join(texts)


def drawn_levels(text: str, signs: Sequence[str], chance: random.Random, count: int) -> list[Level]:
    """Levels of a game with random boards, none if it is refused. Half of the cells are of the first sign."""
    boards = list[str]()
    for _ in range(count):
        width, height = chance.randint(1, 5), chance.randint(1, 4)
        cells = [chance.choice((signs[0], chance.choice(signs))) for _ in range(width * height)]
        if "P" in signs:
            cells[chance.randrange(len(cells))] = "P"
        boards.append("\n".join("".join(cells[row * width : (row + 1) * width]) for row in range(height)))
    levels = parse(f"{text}=====\nLEVELS\n=====\n\n" + "\n\n".join(boards) + "\n", "drawn")
    return [level for level in levels if isinstance(level, Level)]


def drawn_games(chance: random.Random, games: int, each: int) -> Iterator[list[Level]]:
    """Yield the levels of random games."""
    count = 0
    while count < games:
        levels = drawn_levels(game(chance), SIGNS, chance, each)
        if levels and levels[0].game.rules:
            count += 1
            yield levels


def games_of(path: Path) -> Iterator[str]:
    """Yield the texts of the games of a file, each once."""
    text = path.read_text(encoding="utf-8", errors="replace")
    texts = [json.loads(line)["game"] for line in text.splitlines()] if path.suffix == ".jsonl" else [text]
    yield from dict.fromkeys(each.replace("\r\n", "\n") for each in texts)


def given_games(paths: Sequence[Path], chance: random.Random, each: int) -> Iterator[list[Level]]:
    """Yield levels with random boards of the games of files, if these are not refused."""
    for path in paths:
        for text in games_of(path):
            known = [level for level in parse(text, path.name) if isinstance(level, Level)]
            if known:
                made = known[0].game
                boards = list[Level]()
                kinds = sorted({cell for level in known for cell in level.cells}, key=sorted)
                common = Counter(cell for level in known for cell in level.cells).most_common(1)[0][0]
                players = [cell for cell in kinds if cell & made.players]
                for _ in range(each):
                    width, height = chance.randint(1, 5), chance.randint(1, 5)
                    cells = [chance.choice((common, chance.choice(kinds))) for _ in range(width * height)]
                    if players:
                        cells[chance.randrange(len(cells))] = chance.choice(players)
                    boards.append(Level(made, 1, "", width, height, tuple(cells)))
                yield boards


class TooSlow(Exception):
    """The plain rules take too long on a level."""


def _stop(*_: Any) -> None:
    raise TooSlow


class Answer(NamedTuple):
    """What an exploration finds. `unknown` if it reached its bound, or a turn that does not settle."""

    verdict: str
    cost: int | None
    states: int
    turns: tuple[Outcome | None, ...]


def taken(turn: Played, level: Level, cells: Cells, given: str, begins: bool) -> Outcome | None:
    """The outcome of a turn, None if it does not settle."""
    try:
        return turn(level, cells, given, begins, certain)
    except Unsettled:
        return None


def explored(turn: Played, level: Level, most: int) -> Answer:
    """Explore the positions of a level breadth first, until a win."""
    turns = list[Outcome | None]()
    start: Cells = level.cells
    if level.game.run_rules_on_level_start:
        turns.append(taken(turn, level, start, "", True))
        if turns[0] is None:
            return Answer("unknown", None, 0, tuple(turns))
        if turns[0].ending is Ending.WON:
            return Answer("solvable", 0, 1, tuple(turns))
        start = turns[0].cells
    depth, queue = {start: 0}, [start]
    is_complete = True
    for cells in queue:
        for name in moves(level.game):
            outcome = taken(turn, level, cells, movement(name), False)
            turns.append(outcome)
            if outcome is None:
                is_complete = False
            elif outcome.ending is Ending.WON:
                verdict = "solvable" if is_complete else "unknown"
                return Answer(verdict, depth[cells] + 1, len(queue), tuple(turns))
            elif outcome.ending is Ending.SETTLED and outcome.cells not in depth:
                if len(queue) == most:
                    return Answer("unknown", None, len(queue), tuple(turns))
                depth[outcome.cells] = depth[cells] + 1
                queue.append(outcome.cells)
    return Answer("unsolvable" if is_complete else "unknown", None, len(queue), tuple(turns))


def searched(level: Level, answer: Answer, counts: Counter[str]) -> str:
    """Search a level whose answer is known, and check the proof. Returns the difference, "" if there is none."""
    try:
        model = planes(level).model
    except Unsettled:
        return "" if answer.states == 0 else "planes: its start does not settle"
    assert isinstance(model, StepSystem)
    verdict = breadth_first(model, "turns", Budget(Limits()))
    found = "unknown" if isinstance(verdict, Unknown) else "unsolvable"
    cost = None
    if isinstance(verdict, Reachable):
        found, cost = ("solvable" if verdict.optimal else "unknown"), verdict.cost
    if (found, cost, verdict.statistics.states) != (answer.verdict, answer.cost, answer.states):
        return f"search: {found}, cost {cost}, {verdict.statistics.states} states"
    proof = None if isinstance(verdict, Unknown) else resolved(verdict.proof)
    if isinstance(proof, ListedStates):
        try:
            check_listed(level, proof, Budget(Limits()))
        except (Refuted, LimitReached) as error:
            return f"proof: {error}"
        counts["proofs checked"] += 1
    return ""


def compare(level: Level, most: int, counts: Counter[str]) -> str:
    """Compare the implementations on a level. Returns the differences, "" if there are none."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        answer = explored(TURNS["plain"], level, most)
    except TooSlow:
        counts["too slow"] += 1
        return ""
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    answers = dict[str, Answer]()
    for name, turn in TURNS.items():
        if name != "plain":
            try:
                answers[name] = explored(turn, level, most)
            except Unsuitable:
                counts[f"levels without {name}"] += 1
    counts["turns"] += len(answer.turns)
    counts["positions"] += answer.states
    counts[answer.verdict] += 1
    counts["unsettled turns"] += answer.turns.count(None)
    wrong = [
        f"{name}: {other.verdict}, cost {other.cost}, {other.states} states, {len(other.turns)} turns"
        for name, other in answers.items()
        if other != answer
    ]
    if answer.verdict != "unknown":
        wrong += filter(None, [searched(level, answer, counts)])
    return "; ".join(wrong)


def kinds(level: Level) -> Iterator[str]:
    """Yield the kinds of rules and options that a game has."""
    made = level.game
    rows = [row for rule in made.rules for row in rule.left]
    names = {term.name for row in rows for cell in row for term in cell or ()}
    commands = {command for rule in made.rules for command in rule.commands}
    has = {
        **{command: command in commands for command in ("again", "cancel", "restart", "win")},
        "late": any(rule.late for rule in made.rules),
        "rigid": any(rule.rigid for rule in made.rules),
        "ellipsis": any(None in row for row in rows),
        "several rows": any(len(rule.left) > 1 for rule in made.rules),
        "loops": bool(made.loops or made.late_loops),
        "properties": not names <= set(made.objects),
        "aggregates in conditions": any(win.subject_all or win.on_all for win in made.wins),
        "action": made.has_action,
        "run_rules_on_level_start": made.run_rules_on_level_start,
        "require_player_movement": made.require_player_movement,
    }
    yield from (name for name, value in has.items() if value)


def main() -> None:
    """Compare on random levels."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--games", type=int, default=40, help="that are drawn")
    parser.add_argument("--each", type=int, default=50, help="levels of a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=60, help="the most positions of a level")
    chosen = parser.parse_args()
    chance, started = random.Random(chosen.seed), time.process_time()
    counts, features = Counter[str](), Counter[str]()
    for games in (drawn_games(chance, chosen.games, chosen.each), given_games(chosen.files, chance, chosen.each)):
        for levels in games:
            counts["games"] += 1
            features.update(kinds(levels[0]))
            for level in levels:
                counts["levels"] += 1
                wrong = compare(level, chosen.states, counts)
                if wrong:
                    counts["DIFFERENT"] += 1
                    print(f"{level.game.text}\n{level.width}x{level.height} {level.cells}\n{wrong}")
    seconds = time.process_time() - started
    print(", ".join(f"{count} {name}" for name, count in features.most_common()))
    print(f"{', '.join(f'{count:,} {name}' for name, count in counts.items())}, in {seconds:.0f} s")
    sys.exit(counts["DIFFERENT"] > 0)


if __name__ == "__main__":
    main()
