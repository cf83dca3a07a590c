"""In a worker: a level that is played. Every question has all moves, so any worker can answer it.

The plain rules play the moves. Advice comes from the map of the level (see `puzzlemc.reports.play.answers`) if it
is small, else from an engine that solves the level from the position. When the position is lost, bisection finds
the move that lost it: all positions after a lost one are lost.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from random import Random
from threading import Event
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.by_hand import ByHand
from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, ModelError, Refuted
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.ask.pasted import Judged, judged
from puzzlemc.reports.crew.identity import identify
from puzzlemc.reports.documents.levels import SOURCE, entry
from puzzlemc.reports.formats.shapes import picture
from puzzlemc.reports.play.answers import Advice, Map, drawn, solved_from
from puzzlemc.reports.play.listed import listed
from puzzlemc.reports.serve.answers import Send, explain_unsolvable, faults
from puzzlemc.reports.serve.questions import MOST_MOVES, Play, Solution
from puzzlemc.screens.base.errors import LevelError

MAP_SECONDS = 1.0
MAP_BYTES = 1 << 27
ADVICE_SECONDS = 30.0
MEMORY = 1 << 30
MOST_WINNING = 8  # winning moves of a proof that the page shows
MOST_LETTERS = 60_000  # of the names of moves that the page sends back with each question
MOST_LISTED = 200  # legal moves that the page shows
MOST_DRAWN = 50_000  # states of a graph whose nodes are counted
MOST_NODES = 2000  # of a graph that is drawn


class Played(NamedTuple):
    """Moves that the plain rules have played."""

    moves: list[str]
    positions: list[Any]
    hand: Any
    costs: dict[str, int]


def play(asked: Play, send: Send, wanted: Event) -> None:
    """Answer with the position after the moves and the input, then with advice."""
    try:
        found, done = _started(entry(asked.puzzle, asked.text, asked.level), asked.moves)
    except (LevelError, Refuted) as error:
        send(
            {
                "kind": "faults",
                "faults": faults(error) if isinstance(error, LevelError) else [{"message": str(error)}],
            }
        )
        return
    if asked.node is not None:
        done = _at_node(asked, found, done, asked.node, wanted)
    rules, level = found.puzzle, found.level
    before = done
    done = _with_input(found, done, asked)
    if asked.pointer is not None and rules.pointing is not None and done.moves == before.moves:
        top, left, row, column = asked.pointer
        words = rules.pointing().refusal(level, done.positions[-1], (top, left), (row, column))
        send({"kind": "refused", "words": words})
    if asked.bot and rules.game is not None and asked.bot in rules.game.bots:
        done = _with_bot(found, done, asked.bot)
    position = done.positions[-1]
    solved = rules.game is None and rules.rules.solved(level, position)
    hand = rules.by_hand or listed(rules)
    marks = None if hand.marks is None else hand.marks(level, position, done.hand)
    shown = position if marks is None else marks.shown
    send(
        {
            "kind": "position",
            "moves": done.moves,
            "picture": picture(rules.picture(level, shown), board=asked.board),
            "costs": done.costs,
            "solved": solved,
            "legal": []
            if asked.explore or (rules.pointing and done.hand is None) or marks
            else _legal(rules, level, position),
            "pad": {key: _moves(hand, level, position, done.hand, key) for key in hand.pad(level)},
            "chosen": [] if solved else list(hand.chosen(level, position, done.hand)),
            "marks": None if marks is None else [marks.cursor, list(marks.legal), list(marks.seen)],
            "prompt": hand.prompt(level, position, done.hand),
            "over": None if rules.game is None else rules.game.over(level, position),
            "turn": None if rules.game is None else rules.game.rules.turn(level, position),
        }
    )
    is_own = asked.own and solved and bool(done.moves)
    if asked.record or is_own:
        own = {"costs": done.costs, "moves": done.moves} if is_own else {}
        send({"kind": "record", "level": _content(asked.puzzle, asked.text, asked.level), **own})
    if asked.prove and rules.game is not None and not rules.game.over(level, position):
        _prove(found, position, send, wanted)
    if asked.choices and rules.game is None:
        _choices(asked, found, done, send, wanted)
    if asked.explore and rules.game is None:
        _explore(asked, found, done, send, wanted)
    if asked.advice and rules.game is None and rules.optimisation is None:
        _advise(asked, found, done, send, wanted)


def check(asked: Solution, send: Send, wanted: Event) -> None:
    """Answer with the judgement of a solution as text; without one, with the text of moves."""
    try:
        found = entry(asked.puzzle, asked.text, asked.level)
        if not asked.solution.strip():
            send({"kind": "written", "text": joined(found.puzzle.text.write_moves(asked.moves))})
            return
        done = _judged(found, asked.solution)
    except LevelError as error:
        send({"kind": "checked", "fault": faults(error)[0]})
        return
    except Refuted as error:
        send({"kind": "checked", "fault": {"message": str(error)}})
        return
    fault = None if done.fault is None else faults(done.fault)[0]
    long = len(done.moves) > MOST_MOVES or sum(map(len, done.moves)) > MOST_LETTERS
    moves = None if long else done.moves
    send({"kind": "checked", **done._asdict(), "moves": moves, "fault": fault})


def _judged(found: Entry, text: str) -> Judged:
    """The judgement of a solution of the level as it is played on a page, or as it is."""
    done = judged(as_played(found), text, SOURCE)
    if done.solved or as_played(found) is found:
        return done
    other = judged(found, text, SOURCE)
    return max(done, other, key=lambda each: (each.solved, each.read))


def as_played(found: Entry) -> Entry:
    """The level as it is played with a pointer."""
    level = found.level if found.puzzle.pointing is None else found.puzzle.pointing().level(found.level)
    return found if level == found.level else Entry(found.id, found.title, found.puzzle, level)


@lru_cache(maxsize=4)
def _content(puzzle: str, text: str, number: int) -> str:
    """The digest of a level, which is equal for levels with the same moves."""
    return identify(entry(puzzle, text, number)).content.hex()


def _steps(rules: Puzzle) -> Callable[..., Any]:
    return rules.rules.steps if rules.game is None else rules.game.rules.steps


def _started(found: Entry, moves: Sequence[str]) -> tuple[Entry, Played]:
    """The level as it is played on a page, and the game after moves. Raises LevelError and Refuted.

    Moves that were found for the level itself, such as those of a counterexample, may be others.
    """
    other = as_played(found)
    if other is not found:
        with suppress(Refuted):
            return other, _played(other, moves)
    return found, _played(found, moves)


def _played(found: Entry, moves: Sequence[str]) -> Played:
    """Play moves by the plain rules. Raises Refuted for an illegal one."""
    rules, level = found.puzzle, found.level
    plain = rules.rules if rules.game is None else rules.game.rules
    by_hand = rules.by_hand or listed(rules)
    done = Played([], [plain.start(level)], None, dict.fromkeys(rules.metrics, 0))
    hand = by_hand.hand(level, done.positions[0], None)
    for move in moves:
        hand = _add(plain, level, done, move, by_hand, hand)
    return done._replace(hand=hand)


def _add(plain: Any, level: Any, done: Played, move: str, by_hand: Any, hand: Any) -> Any:
    """Play a move; returns the hand after it. Raises Refuted."""
    step = plain.reply(level, done.positions[-1], move)
    if step is None:
        raise Refuted(f"{move} is not a legal move")
    done.moves.append(move)
    done.positions.append(step.position)
    for metric, cost in step.costs.items():
        done.costs[metric] += cost
    return by_hand.hand(level, step.position, hand)


def _with_input(found: Entry, done: Played, asked: Play) -> Played:
    """The game after the keys and the pointer of a question."""
    rules, level = found.puzzle, found.level
    plain = rules.rules if rules.game is None else rules.game.rules
    by_hand, hand = rules.by_hand or listed(rules), done.hand
    for key in asked.keys:
        pressed = by_hand.press(level, done.positions[-1], hand, key)
        if pressed is None:
            continue
        hand, move = pressed
        if move:
            hand = _add(plain, level, done, move, by_hand, hand)
    if asked.pointer is not None and rules.pointing is not None:
        top, left, row, column = asked.pointer
        for move in rules.pointing().moves(level, done.positions[-1], (top, left), (row, column)):
            hand = _add(plain, level, done, move, by_hand, hand)
    return done._replace(hand=hand)


def _with_bot(found: Entry, done: Played, bot: str) -> Played:
    """The game after a move of a bot. The same game gets the same reply."""
    rules, level = found.puzzle, found.level
    assert rules.game is not None
    if rules.game.over(level, done.positions[-1]):
        return done
    move = rules.game.bots[bot](level, done.positions[-1], Random(len(done.moves)))
    hand = _add(rules.game.rules, level, done, move, rules.by_hand or listed(rules), done.hand)
    return done._replace(hand=hand)


def _prove(found: Entry, position: Any, send: Send, wanted: Event) -> None:
    """Answer with the side that can force a win from a position, and by which moves."""
    game, at = found.puzzle.game, found.puzzle.starting_at
    if game is None or at is None:
        return
    level = at(found.level, position)
    budget = Budget(Limits(ADVICE_SECONDS, MEMORY), None, 0, wanted)
    message: dict[str, Any] = {"kind": "proof", "winner": None, "draw": False, "moves": []}
    try:
        outcome = game.decide(level, None, budget)
        message |= {"winner": outcome.winner, "draw": outcome.is_draw, "turns": outcome.turns}
        if outcome.winner == game.rules.turn(level, position) and outcome.turns:
            moves = islice(game.openings(level, outcome.turns, budget), MOST_WINNING)
            say = (found.puzzle.by_hand or listed(found.puzzle)).say
            message["moves"] = [[move, say(level, move)] for move in moves]
    except LIMITS:
        pass
    if not wanted.is_set():
        send(message)


def _legal(rules: Puzzle, level: Any, position: Any) -> list[list[str]]:
    """The legal moves, with words for them."""
    by_hand = rules.by_hand or listed(rules)
    names = [step.name for step in _steps(rules)(level, position)][:MOST_LISTED]
    return [[name, by_hand.say(level, name)] for name in names]


def _moves(by_hand: ByHand, level: Any, position: Any, hand: Any, key: str) -> bool:
    """Does a key make a move?"""
    pressed = by_hand.press(level, position, hand, key)
    return pressed is not None and pressed[1] != ""


def _advise(asked: Play, found: Entry, done: Played, send: Send, wanted: Event) -> None:
    """Is the position solvable, at what cost, by which next move? If it is lost, since which move, and why?"""
    rules, oracle = found.puzzle, _oracle(asked, found, wanted)
    try:
        advice = oracle(done, len(done.moves))
    except (Refuted, ModelError, *LIMITS):
        return
    if wanted.is_set():
        return
    message: dict[str, Any] = {"kind": "advice", "at": len(done.moves), "solvable": advice.solvable}
    if advice.solvable is not False:
        here = done.positions[-1]
        message |= {"left": advice.cost, "optimal": advice.optimal, "sure": advice.sure}
        message["next"] = drawn(rules, found.level, here, advice)
        send(message | _hint(found, here, advice))
        return
    solvable, lost = -1, len(done.moves)
    message["positions"] = len(done.positions)
    if _map(asked, found, wanted) is None and lost > 0:  # the move that lost it may take long to find
        send(message | {"since": lost, "exact": False})
    while lost - solvable > 1 and not wanted.is_set():
        middle = (solvable + lost) // 2
        verdict = oracle(done, middle).solvable
        if verdict is None:
            break
        solvable, lost = (middle, lost) if verdict else (solvable, middle)
    exact = lost - solvable == 1
    if wanted.is_set():
        return
    send(message | {"since": lost, "exact": exact})
    if rules.starting_at is not None:
        at = rules.starting_at(found.level, done.positions[-1])
        reason = rules.explanation.obvious(at)
        explain_unsolvable(Entry(found.id, found.title, rules, at), reason, send, wanted)


def _hint(found: Entry, position: Any, advice: Advice) -> dict[str, Any]:
    """Moves in words, and the cells that they change: on the way, and before and after the last move.

    What the input of a strategy changes is not known before it is drawn.
    """
    rules, level, moves = found.puzzle, found.level, advice.moves
    by_hand, plain = rules.by_hand or listed(rules), rules.rules
    steps = []
    for move in () if advice.sure else moves:
        step = plain.reply(level, position, move)
        assert step is not None
        steps.append(rules.display.moved(level, position, step.position))
        position = step.position
    said = [by_hand.say(level, move) for move in moves]
    way = [cell for each in steps[:-1] for cell in each.after]
    return {
        "say": said,
        "way": way,
        "from": steps[-1].before if steps else (),
        "to": steps[-1].after if steps else (),
    }


def _explore(asked: Play, found: Entry, done: Played, send: Send, wanted: Event) -> None:
    """Answer with the moves from a position and the distances behind them, which large levels do not have."""
    mapped, rules = _map(asked, found, wanted), found.puzzle
    by_hand = rules.by_hand or listed(rules)
    around: Sequence[tuple[str, int | None, int]]
    if mapped is None:
        around = [(step.name, None, 0) for step in _steps(rules)(found.level, done.positions[-1])]
    else:
        around = mapped.around(done.moves)
    home = mapped.quotient.home if mapped is not None and _is_drawn(mapped) else None
    ways = [
        [name, by_hand.say(found.level, name), left, None if home is None else int(home[there])]
        for name, left, there in around[:MOST_LISTED]
    ]
    path = [] if mapped is None or home is None else home[mapped.numbers(done.moves)].tolist()
    states = None if mapped is None else len(mapped)
    send({"kind": "around", "ways": ways, "states": states, "metric": rules.metrics[0], "path": path})
    if asked.graph:
        send({"kind": "graph"} | ({} if mapped is None or home is None else _drawing(mapped)))


def _choices(asked: Play, found: Entry, done: Played, send: Send, wanted: Event) -> None:
    """Answer with the choices along the line of the page, which large levels do not have."""
    mapped = _map(asked, found, wanted)
    line = [*asked.moves, *asked.line]
    if line[: len(done.moves)] != done.moves:
        line = done.moves
    if mapped is not None:
        with suppress(Refuted):  # a move that changes nothing is in no graph
            send({"kind": "choices", "of": len(line), "steps": mapped.choices(line)})


def _is_drawn(mapped: Map) -> bool:
    """Is the graph of a level small enough for a drawing?"""
    return len(mapped) <= MOST_DRAWN and len(mapped.quotient.sizes) <= MOST_NODES


def _drawing(mapped: Map) -> dict[str, Any]:
    """The nodes of a graph, with their places in layers by depth, and its edges."""
    from puzzlemc.mc.graph.layers import layered

    nodes = mapped.quotient
    depths, edges = nodes.depths.tolist(), nodes.edges.tolist()
    return {
        "places": [(round(x), round(y)) for x, y in layered(depths, edges)],
        "kinds": mapped.kinds(),
        "sizes": nodes.sizes.tolist(),
        "depths": depths,
        "edges": edges,
    }


def _at_node(asked: Play, found: Entry, done: Played, node: int, wanted: Event) -> Played:
    """The game after the fewest moves to a node of the drawing; as it was if there is none such."""
    mapped = _map(asked, found, wanted)
    if mapped is None or not _is_drawn(mapped) or node >= len(mapped.quotient.sizes):
        return done
    return _played(found, mapped.way_to(node))


Oracle = Callable[[Played, int], Advice]
_kept: tuple[tuple[str, str, int, Any], Map | None] | None = (
    None  # the map of the last level; None if it is too large
)
_known: dict[Hashable, Advice] = {}  # positions of the last level


def _map(asked: Play, found: Entry, wanted: Event) -> Map | None:
    """The map of a level; None if it is too large, or if the question is not wanted any more."""
    global _kept
    rules, level = found.puzzle, found.level
    key = asked.puzzle, asked.text, asked.level, level
    if _kept is None or _kept[0] != key:
        _known.clear()
        made = None
        try:
            encoded = rules.encode_faithfully(level)
            graph = explore(encoded.model, Budget(Limits(MAP_SECONDS, MAP_BYTES), None, 0, wanted))
            if graph.reason is None and graph.initial == 1:
                made = Map(encoded, rules.metrics[0], graph)
        except (ModelError, *LIMITS):
            pass
        if wanted.is_set():
            return None
        _kept = key, made
    return _kept[1]


def _oracle(asked: Play, found: Entry, wanted: Event) -> Oracle:
    """The function that gives advice about the position after some of the moves."""
    mapped = _map(asked, found, wanted)
    if wanted.is_set():
        return lambda done, at: Advice(None)

    def advise(done: Played, at: int) -> Advice:
        position = done.positions[at]
        if position in _known:
            return _known[position]
        if mapped is None:
            return _solve(found, position, at, wanted)
        _known[position] = mapped.advice(done.moves[:at], position)
        return _known[position]

    return advise


def _solve(found: Entry, position: Any, played: int, wanted: Event) -> Advice:
    """The advice of an engine, which solves the level from a position; kept for all positions on the way."""
    rules = found.puzzle
    if rules.starting_at is None and position != rules.rules.start(found.level):
        return Advice(None)
    limits = Limits(ADVICE_SECONDS, MEMORY)
    results = solved_from(found, position, played, rules.metrics[0], limits, wanted)
    _known.update((at, advice) for at, advice in results if advice.solvable is not None)
    return results[0][1]
