"""The report of a level whose states are not analysed: a game of two sides, or a level with chance.

Of a game, it says who wins, in how many turns, and how. There are too many states, so all statements come from a
strategy checked by the plain rules. Of a level with chance, it has the answer to one question about chance. An
input may lead to several positions there, so a state is not lost or safe as in other levels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from puzzlemc.encodings.puzzle.questions import TwoSides
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.games.chance import LUCKY, QUESTIONS, SURELY
from puzzlemc.mc.games.strategy import GameProof
from puzzlemc.mc.lexicographic import first
from puzzlemc.reports.formats.traces import Played
from puzzlemc.reports.output.words import counted, number
from puzzlemc.reports.page.html import costs_of, page, replayed
from puzzlemc.reports.page.report import engine_facts, ran_out
from puzzlemc.reports.solve.options import ALMOST, PROBABILITY
from puzzlemc.reports.solve.result import Result


@dataclass(frozen=True)
class GameReport:
    """The known facts about a game: `played` is the main line, without moves if nothing is decided."""

    entry: Entry
    game: TwoSides
    result: Result
    played: Played

    line_title = "Main line"
    remark = strategy = ""
    footer = (
        "A side <em>wins</em> if it can force a win against every defence. In the main line, the winner follows "
        "its strategy, and the other side delays the end as long as it can. In a <em>draw</em>, each side has a "
        "strategy by which it never loses; in the main line, both follow theirs, until a position comes again."
    )

    @property
    def frames(self) -> list[str]:
        """The positions of the main line, drawn."""
        return self.played.frames

    @property
    def to_move(self) -> str:
        """The side that moves first in the level."""
        rules, level = self.game.rules, self.entry.level
        return self.game.sides[rules.turn(level, rules.start(level))]

    @property
    def winner(self) -> str | None:
        """The side that wins; None if it is unknown, or if neither does."""
        return None if self.result.game is None else self.result.game["winner"]

    @property
    def is_draw(self) -> bool:
        """Is it known that neither side can force a win?"""
        return self.result.game is not None and bool(self.result.game.get("draw"))

    @property
    def over(self) -> str:
        """Why the game is over at the start, as a sentence; empty if it goes on."""
        over = self.game.over(self.entry.level, self.game.rules.start(self.entry.level))
        return over and f"{over[:1].upper()}{over[1:]}."

    @property
    def turns(self) -> str:
        """The number of own turns that the winner needs."""
        return "" if self.winner is None or self.result.game is None else self._counted(self.result.game["turns"])

    @property
    def refuted(self) -> str:
        """The number of turns within which the side to move cannot win, if no winner is known."""
        return self._counted((self.result.bound or 1) - 1)

    @property
    def first_moves(self) -> Sequence[str]:
        """All moves with which the side to move wins in the fewest turns; none if not all are known."""
        moves = None if self.result.game is None else self.result.game.get("first_moves")
        return moves if isinstance(moves, list) else ()

    @property
    def first_moves_title(self) -> str:
        """The heading of the list of first moves."""
        return f"The first moves by which {self.to_move} wins in {self.turns}"

    @property
    def headline(self) -> str:
        """The verdict in a few words."""
        if self.is_draw:
            return "A draw"
        if self.winner is None:
            return "Unknown"
        if not self.played.moves:
            return f"{self.winner.capitalize()} has won"
        return f"{self.winner.capitalize()} wins in {self.turns}"

    @property
    def proof(self) -> str:
        """The evidence of the verdict, in a sentence."""
        result = self.result
        by = ", by code that knows no engine" if result.checked else ""
        if self.is_draw:
            return self.over or (
                f"{self.to_move.capitalize()} is to move. The plain rules have checked the strategies by which "
                f"each side never loses, against every reply{by}."
            )
        if self.winner is None:
            first = f"Who wins is not known: {ran_out(result.reason)} first."
            return f"{first} {self.to_move.capitalize()} cannot force a win within {self.refuted}."
        if not self.played.moves:
            return self.over
        has_defence = isinstance(result.proof, GameProof) and len(result.proof.strategies) > 1
        least = (
            "A strategy of the other side, checked as well, shows that no win is quicker."
            if has_defence
            else "The search found no quicker win; a certificate says whether that is proved."
        )
        return (
            f"{self.to_move.capitalize()} is to move. The plain rules have checked the strategy against every "
            f"defence{by}. {least}"
        )

    @property
    def missing(self) -> list[str]:
        """The unknown facts, one sentence for each."""
        sentences = []
        if self.winner is None and not self.is_draw:
            sentences.append(f"Who wins: {ran_out(self.result.reason)} first; {self.refuted} were searched.")
        if self.result.note:
            sentences.append(f"The proof: {self.result.note}.")
        if self.result.game is not None and self.result.game.get("first_moves", ()) is None:
            sentences.append("The first moves that win: time ran out first.")
        return sentences

    @property
    def cards(self) -> list[tuple[str, str, str, str]]:
        """The cards at the top: for each a question, the answer, a remark, and `good`, `bad` or nothing."""
        mover = f"{self.to_move} is to move"
        if self.is_draw:
            return [("Who wins?", "Neither side", mover, ""), ("Why?", "A draw", "neither can force a win", "")]
        if self.winner is None:
            least = f"{self.to_move} cannot win within {self.refuted}"
            return [("Who wins?", "Not known", mover, ""), ("How soon?", "Not known", least, "")]
        mood = "good" if self.winner == self.to_move else "bad"
        cards = [("Who wins?", self.winner.capitalize(), mover, mood)]
        cards.append(("How soon?", f"In {self.turns}", "of its own, against the best defence", ""))
        if self.first_moves:
            cards.append(("How many first moves do that?", number(len(self.first_moves)), "listed below", ""))
        return cards

    def _counted(self, turns: object) -> str:
        return counted(turns if isinstance(turns, int) else 0, self.result.metric or "")


class Words(NamedTuple):
    """What a report says of a question about chance.

    asked       the question
    solvable, unsolvable  the headlines
    confirmed   what the plain rules have done if the level is solvable, as a sentence
    none        what does not exist if it is unsolvable
    line_title  the heading of the moves
    """

    asked: str
    solvable: str
    unsolvable: str
    confirmed: str
    none: str
    line_title: str


CHANCE_WORDS = {
    LUCKY: Words(
        "Can a lucky player win?",
        "Solvable",
        "Unsolvable",
        "The solution was replayed by the plain rules.",
        "No moves win, whatever is drawn",
        "Solution",
    ),
    SURELY: Words(
        "Does a strategy always win?",
        "Solvable whatever is drawn",
        "No strategy always wins",
        "The plain rules have checked the strategy against all that may be drawn.",
        "No strategy wins whatever is drawn",
        "Longest play of the strategy",
    ),
    ALMOST: Words(
        "Does a strategy win with probability 1?",
        "Won with probability 1",
        "No strategy wins with probability 1",
        "The plain rules have confirmed the strategy: it can win from each position that it comes to.",
        "No strategy wins with probability 1",
        "Shortest win of the strategy",
    ),
    PROBABILITY: Words(
        "What is the best probability of winning?",
        "Best probability of winning",
        "Best probability of winning: 0",
        "The probability was checked in exact arithmetic, and the outcomes of the strategy by the plain rules.",
        "No draws win",
        "Shortest win of the strategy",
    ),
}


@dataclass(frozen=True)
class ChanceReport:
    """The known facts about a level with chance: `played` has the moves, if some are known.

    asked     the question about chance; LUCKY if draws decide nothing
    has_luck  the moves name what must be drawn
    """

    entry: Entry
    result: Result
    played: Played
    asked: str
    has_luck: bool

    first_moves = ()
    footer = (
        "Something is drawn by chance in this level. A <em>lucky player</em> has the draws that the moves name: "
        "<code>right:2</code> is the second outcome of <code>right</code>. A <em>strategy</em> has an input for "
        "each position that it may come to."
    )

    @property
    def words(self) -> Words:
        """What is said of the question."""
        return CHANCE_WORDS[self.asked]

    @property
    def line_title(self) -> str:
        """The heading of the moves."""
        return self.words.line_title

    @property
    def strategy(self) -> str:
        """The strategy that wins whatever is drawn, a line for each position; empty without one."""
        return "" if self.result.plan is None else "\n".join(self.result.plan.lines())

    @property
    def frames(self) -> list[str]:
        """The positions of the solution, drawn."""
        return self.played.frames

    @property
    def remark(self) -> str:
        """What an index says of the verdict: the question, or that it needs luck."""
        if self.asked == LUCKY:
            return "needs luck" if self.has_luck else ""
        known = self.result.probability
        return f"asked: {self.asked}" if known is None else f"{self.asked} {known}"

    @property
    def headline(self) -> str:
        """The verdict in a few words."""
        result = self.result
        if result.verdict == "unsolvable":
            return self.words.unsolvable
        if result.verdict != "solvable":
            return result.verdict.capitalize()
        if self.asked == PROBABILITY:
            return f"{self.words.solvable}: {result.probability}"
        luck = " with luck" if self.has_luck and self.asked == LUCKY else ""
        turns = result.cost_in_words(first(result.metric or "")) if result.trace else ""
        return f"{self.words.solvable}{luck}{turns and f' in {turns}'}"

    @property
    def proof(self) -> str:
        """The evidence of the verdict, in a sentence."""
        result = self.result
        is_proved = result.checked and not result.uncertified  # a report asks for a certificate
        by = "the proof was checked by the plain rules" if is_proved else "the proof was not checked"
        if result.verdict == "unknown":
            return f"{self.words.asked} Not known: {ran_out(result.reason)} first."
        if result.verdict == "unsolvable":
            return f"{self.words.none}: {by}."
        if not result.optimal or not result.cost:
            return self.words.confirmed
        better = "strategy wins" if self.asked == SURELY else "moves and draws win"
        return f"{self.words.confirmed} No {better} in fewer turns: {by}."

    @property
    def missing(self) -> list[str]:
        """The unknown facts, one sentence for each."""
        result, sentences = self.result, []
        if result.verdict == "unknown":
            sentences.append(f"{self.words.asked} Not known: {ran_out(result.reason)} first.")
        if result.uncertified and self.asked in QUESTIONS:  # answers to others have no certificates
            sentences.append(f"The proof: {result.uncertified}.")
        return sentences

    @property
    def cards(self) -> list[tuple[str, str, str, str]]:
        """The cards at the top, as for a game."""
        result = self.result
        is_solved = result.verdict == "solvable"
        answer, mood = {"solvable": ("Yes", "good"), "unsolvable": ("No", "bad")}.get(
            result.verdict, ("Not known", "")
        )
        if self.asked == PROBABILITY and result.probability is not None:
            answer, mood = str(result.probability), ""
        how = {
            LUCKY: "the moves name what must be drawn" if self.has_luck else "the moves name no draw",
            SURELY: "the moves are its longest play",
        }.get(self.asked, "by playing on as long as it takes")
        others = {LUCKY: [SURELY], SURELY: [LUCKY]}.get(self.asked, [LUCKY, SURELY])
        unasked = [
            (CHANCE_WORDS[each].asked, "Not asked", f"--chance {each} says", "")
            for each in others
            if not (is_solved and each == LUCKY)
        ]
        lucky = [(CHANCE_WORDS[LUCKY].asked, "Yes", "", "good")] if is_solved and LUCKY in others else []
        return [(self.words.asked, answer, how if is_solved else "", mood), *lucky, *unasked]


def chance_report(entry: Entry, result: Result, asked: str = LUCKY) -> ChanceReport:
    """The report on a result of a level with chance, of which that is asked.

    Raises Refuted if its moves are no solution.
    """
    rules, level = entry.puzzle, entry.level
    chance, moves = rules.chance(level), tuple(result.trace or ())
    assert chance is not None
    has_moves = result.verdict == "solvable" and result.trace is not None
    run = rules.replay(level, moves) if has_moves else rules.play(level, ())
    has_luck = not set(moves) <= set(chance.rules.inputs(level))
    return ChanceReport(
        entry, result, Played(entry, result, moves, run), asked if chance.decides else LUCKY, has_luck
    )


def game_report(entry: Entry, result: Result) -> GameReport:
    """The report on a result of a game. Raises Refuted if its main line is not legal by the plain rules."""
    game = entry.puzzle.game
    assert game is not None
    line = result.game.get("line") if result.game is not None else ()
    moves = tuple(line) if isinstance(line, list) else ()
    return GameReport(entry, game, result, Played(entry, result, moves, entry.puzzle.play(entry.level, moves)))


def game_html(report: GameReport | ChanceReport) -> str:
    """The page."""
    played, rules = report.played, report.entry.puzzle
    costs = costs_of(rules, report.entry.level, played)
    return page(
        "game.html.jinja",
        {
            **replayed(report.entry, report.result, played.pictures, played.moves, costs),
            "report": report,
            "headline": report.headline,
            "proof": report.proof,
            "heading": f"The {report.line_title.lower()}, step by step" if played.moves else "The position",
            "written": "",
            "missing": report.missing,
            "cards": report.cards,
            "engine_facts": list(engine_facts(report.result)),
        },
    )
