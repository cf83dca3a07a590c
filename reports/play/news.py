"""The messages below the board: what is known about the position, the hint, and the end of the game."""

from collections.abc import Mapping

from puzzlemc.reports.play import words
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.answers import Advice
from puzzlemc.reports.play.levels import Levels
from puzzlemc.reports.play.referee import Referee
from puzzlemc.reports.play.session import Session
from puzzlemc.reports.play.words import Message


def messages_of_puzzle(session: Session, advisor: Advisor, *, hinted: bool, distance: bool) -> list[Message]:
    """The messages for a position of a puzzle; `distance` says whether to show the cost of a solution."""
    if advisor.failed:
        return [Message(advisor.failed, "bad")]
    advice = advisor.look(session.moves, session.positions)
    settled = advisor.is_settled(session.position)
    if advice is not None and advice.solvable is False:
        no_hint = [words.hint(session, advice, settled=True)] if hinted else []
        return [*no_hint, _lost(session, advisor, advice)]
    is_unknown = settled and advice is not None and advice.solvable is None
    distance = distance and not (hinted and is_unknown)  # the hint says the same
    found = [words.solvability(advice, session.puzzle.metrics[0], settled=settled)] if distance else []
    if hinted:
        found.append(words.hint(session, advice, settled=settled))
    return found


def messages_when_solved(session: Session, advisor: Advisor, levels: Levels, number: int) -> list[Message]:
    """The messages after level `number` is solved."""
    found = [words.solved(session, advisor.known(session.positions[0]))]
    if (many := len(levels.names)) > 1:
        onward = "; N goes to the next" if number + 1 < many else ""
        found.append(Message(f"{levels.solved} of {many} levels are solved{onward}."))
    return found


def messages_of_game(
    session: Session, referee: Referee, notice: Message | None, *, hinted: bool, paused: bool
) -> list[Message]:
    """The messages for a position of a game of two sides.

    notice  comes before them
    hinted  the user wants to know who wins by force
    paused  bots wait
    """
    game = session.puzzle.game
    assert game is not None
    found = [] if notice is None else [notice]
    if referee.failed:
        return [Message(referee.failed, "bad")]
    if session.is_over:
        return [*found, words.won(session, game)]
    if hinted:
        return [words.by_force(session, game, referee.known(session.position))]
    if session.side in referee.bots:
        text = "waits; n lets it move." if paused else "is thinking …"
        found.append(Message(f"{name_of_side(session, referee.bots, session.side)} {text}"))
    return found


def name_of_side(session: Session, bots: Mapping[int, str], side: int) -> str:
    """The name of a side, with that of its bot."""
    game = session.puzzle.game
    assert game is not None
    bot = f" ({bots[side]})" if side in bots else ""
    return f"{game.sides[side].capitalize()}{bot}"


def _lost(session: Session, advisor: Advisor, advice: Advice) -> Message:
    """The message that a position is lost, with the losing move and the reason if they are known."""
    positions = session.positions
    if first := advisor.lost_by(positions):
        return words.lost_by(session, first, advisor.reason(positions))
    start = advisor.known(positions[0])
    if start is not None and start.solvable is False:
        return words.unsolvable(advisor.reason(positions), advisor.states)
    return words.solvability(advice, "", settled=True)
