"""Messages about a game, in a line for people."""

from typing import NamedTuple

from puzzlemc.encodings.puzzle.questions import TwoSides
from puzzlemc.reports.output.words import counted, none_better
from puzzlemc.reports.play.answers import Advice
from puzzlemc.reports.play.referee import Forced
from puzzlemc.reports.play.session import Session


class Message(NamedTuple):
    """A line of text, and its kind: `good`, `bad` or `plain`."""

    text: str
    kind: str = "plain"


def solvability(advice: Advice | None, metric: str, *, settled: bool) -> Message:
    """Whether the position can be solved, and the cost of a solution; `settled` if no more will be known."""
    if advice is None:
        return Message("" if settled else "Still solvable? Searching …")
    if advice.solvable is None:
        return Message(f"Still solvable? Unknown: {advice.reason}" if settled else "Still searching …")
    if not advice.solvable:
        return Message("Lost: no solution from here. u takes a move back.", "bad")
    if not advice.cost:
        return Message("Still solvable.", "good")
    if advice.sure:
        return Message(f"Won within {counted(advice.cost, metric)}, whatever is drawn.", "good")
    if advice.sure is False:
        turns = counted(advice.cost, metric)
        return Message(f"Solvable in {turns} with luck; no strategy is sure to win from here.")
    return Message(
        f"Still solvable in {'' if advice.optimal else 'at most '}{counted(advice.cost, metric)}.", "good"
    )


def lost_by(session: Session, first: int, reason: str | None) -> Message:
    """That move number `first` lost the game, and the reason; None while the reason is being searched for."""
    move = session.say(session.moves[first - 1])
    if first == session.at:
        return Message(f"Lost by this move, {move}. u takes it back.{_because(reason)}", "bad")
    return Message(
        f"Lost by move {first}, {move}. U goes back to the position before it.{_because(reason)}", "bad"
    )


def unsolvable(reason: str | None, states: int) -> Message:
    """That the level has no solution, and the reason, or the number of all positions; 0 if it is not known."""
    why = _because(reason)
    if not why and states:
        why = f" None of the {states} reachable positions is solved."
    return Message(f"Lost from the start: this level has no solution.{why}", "bad")


def _because(reason: str | None) -> str:
    return " Why? Searching …" if reason is None else f" Why: {reason}." if reason else ""


def hint(session: Session, advice: Advice | None, *, settled: bool) -> Message:
    """The next moves."""
    if session.is_over:
        return Message("The game is over.")
    if advice is None or (advice.solvable is None and not settled):
        return Message("Hint: searching …")
    if advice.solvable is None:
        return Message(f"No hint: it is unknown whether a solution exists ({advice.reason}).")
    if not advice.solvable:
        return Message("No hint: no move leads to a solution.", "bad")
    if not advice.moves:
        return Message("No hint: the level is solved.")
    *way, last = advice.moves
    text = session.say(advice.moves[0])
    if way and len(advice.moves) > 1:
        text += f", then on to {session.say(last)}" if advice.cost else ""
    how = ", whatever comes" if advice.sure else ", with luck" if advice.sure is False else ""
    return Message(f"Hint: {text}{how}. n plays it.", "good")


def solved(session: Session, best: Advice | None) -> Message:
    """The costs of a finished game, compared with the best solution."""
    metric = session.puzzle.metrics[0]
    costs = ", ".join(counted(cost, name) for name, cost in session.costs.items() if cost)
    text = f"Solved{f' in {costs}' if costs else ''}!"
    # A strategy says how many turns it takes at most, and luck may need fewer.
    if best is not None and best.solvable and best.optimal and not best.sure and session.costs[metric]:
        more = session.costs[metric] - best.cost
        least = counted(best.cost, metric)
        text += f" A solution with {least} exists." if more else f" N{none_better(metric)[1:]}."
    return Message(text, "good")


def won(session: Session, game: TwoSides) -> Message:
    """The winner of a game, and why it is over."""
    side = session.winner
    why = game.reason_of_end(session.level, session.position)
    result = "A draw" if side is None else f"{game.sides[side].capitalize()} has won"
    return Message(f"{result}: {why}." if why else f"{result}.", "good")


def by_force(session: Session, game: TwoSides, found: Forced | None) -> Message:
    """The side that wins by force, or the current state of the search."""
    metric = session.puzzle.metrics[0]
    mover = game.sides[session.side]
    if found is None or not (found.reason or found.is_decided):
        so_far = f": {mover} cannot within {counted(found.refuted, metric)}" if found and found.refuted else ""
        return Message(f"Who wins by force? Searching …{so_far}")
    if found.is_draw:
        holds = f" {session.say(found.move)} holds it; n plays it." if found.move else ""
        return Message(f"A draw, if both sides play well: neither can force a win.{holds}")
    if found.winner is None:
        turns = counted(found.refuted, metric)
        return Message(
            f"{mover.capitalize()} has no forced win within {turns}; unknown beyond that: {found.reason}"
        )
    winner = game.sides[found.winner].capitalize()
    if found.winner != session.side:
        return Message(
            f"{winner} wins by force within {counted(found.turns, metric)}, whatever {mover} does.", "bad"
        )
    text = f"{winner} wins by force within {counted(found.turns, metric)}: {session.say(found.move)}. n plays it."
    return Message(text, "good")
