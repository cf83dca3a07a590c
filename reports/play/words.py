"""What is known of a game, in a line for people."""

from typing import NamedTuple

from puzzlemc.encodings.puzzle.two_sides import TwoSides
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.play.answers import Advice
from puzzlemc.reports.play.referee import Forced
from puzzlemc.reports.play.session import Session


class Told(NamedTuple):
    """A line and what kind of news it is: `good`, `bad` or `plain`."""

    text: str
    kind: str = "plain"


def how_far(advice: Advice | None, metric: str, *, settled: bool) -> Told:
    """Whether and how soon the position can be solved."""
    if advice is None:
        return Told("" if settled else "Can it still be solved? Looking …")
    if advice.solvable is None:
        return Told(f"Can it still be solved? Not known: {advice.reason}" if settled else "Still looking …")
    if not advice.solvable:
        return Told("Lost: no solution from here. u takes a move back.", "bad")
    if not advice.cost:
        return Told("Still solvable.", "good")
    return Told(f"Still solvable in {'' if advice.optimal else 'at most '}{counted(advice.cost, metric)}.", "good")


def lost_by(session: Session, first: int, reason: str | None) -> Told:
    """That a move of the game lost it, the one before the position of that number, and why: None while that is
    not known yet.
    """
    move = session.say(session.moves[first - 1])
    if first == session.at:
        return Told(f"Lost by this move, {move}. u takes it back.{_because(reason)}", "bad")
    return Told(f"Lost by move {first}, {move}. U goes back to before it.{_because(reason)}", "bad")


def unsolvable(reason: str | None, states: int) -> Told:
    """That the level has no solution, and why, or how many positions were searched; 0 where not all were."""
    why = _because(reason)
    if not why and states:
        why = f" None of the {states} positions that can be reached is solved."
    return Told(f"Lost from the start: this level has no solution.{why}", "bad")


def _because(reason: str | None) -> str:
    return " Why? Looking …" if reason is None else f" Why: {reason}." if reason else ""


def hint(session: Session, advice: Advice | None, *, settled: bool) -> Told:
    """The next moves."""
    if session.is_over:
        return Told("It is over.")
    if advice is None or (advice.solvable is None and not settled):
        return Told("Hint: looking …")
    if advice.solvable is None:
        return Told(f"No hint: whether it can still be solved is not known ({advice.reason}).")
    if not advice.solvable:
        return Told("No hint: no move leads to a solution.", "bad")
    if not advice.moves:
        return Told("No hint: it is solved.")
    *way, last = advice.moves
    text = session.say(advice.moves[0])
    if way and len(advice.moves) > 1:
        text += f", and so on to {session.say(last)}" if advice.cost else ""
    return Told(f"Hint: {text}. n plays it.", "good")


def solved(session: Session, best: Advice | None) -> Told:
    """What was reached, and how good that is."""
    metric = session.puzzle.metrics[0]
    costs = ", ".join(counted(cost, name) for name, cost in session.costs.items() if cost)
    told = f"Solved{f' in {costs}' if costs else ''}!"
    if best is not None and best.solvable and best.optimal and session.costs[metric]:
        more = session.costs[metric] - best.cost
        told += (
            f" It cannot be done in fewer {metric}." if not more else f" {counted(best.cost, metric)} would do."
        )
    return Told(told, "good")


def won(session: Session, game: TwoSides) -> Told:
    """Who has won a game, and why it is over."""
    side = session.winner
    why = game.reason_of_end(session.level, session.position)
    result = "A draw" if side is None else f"{game.sides[side].capitalize()} has won"
    return Told(f"{result}: {why}." if why else f"{result}.", "good")


def by_force(session: Session, game: TwoSides, found: Forced | None) -> Told:
    """Who wins by force, as far as that is known."""
    metric = session.puzzle.metrics[0]
    mover = game.sides[session.side]
    if found is None or not (found.reason or found.winner is not None):
        sofar = f": {mover} does not within {counted(found.refuted, metric)}" if found and found.refuted else ""
        return Told(f"Who wins by force? Looking …{sofar}")
    if found.winner is None:
        turns = counted(found.refuted, metric)
        return Told(f"No forced win of {mover} within {turns}; more is not known: {found.reason}")
    winner = game.sides[found.winner].capitalize()
    if found.winner != session.side:
        return Told(f"{winner} wins by force within {counted(found.turns, metric)}, whatever {mover} does.", "bad")
    text = f"{winner} wins by force within {counted(found.turns, metric)}: {session.say(found.move)}. n plays it."
    return Told(text, "good")
