"""The terminal that a game is played on: a thin face of session and advisor."""

import asyncio
import os
import signal
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.timer import Timer
from textual.widgets import Input, Static

from puzzlemc.encodings.puzzle.by_hand import Line, Scene, Span, scene
from puzzlemc.mc.errors import Refuted
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.play import words
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.answers import Advice
from puzzlemc.reports.play.driver import Terminal
from puzzlemc.reports.play.levels import Levels, Opened
from puzzlemc.reports.play.referee import Referee
from puzzlemc.reports.play.view import Corner, Size, corner, picture
from puzzlemc.reports.play.words import Told
from puzzlemc.screens.base.errors import LevelError

# What everybody's keys do, for people; `_KEYS` has the names that textual gives them.
KEYS = (
    ("u, backspace", "take the last move back"),
    ("r, ctrl+y", "play it again"),
    ("R", "restart"),
    ("U", "back to before the level was lost"),
    ("h", "hint: the next move of a shortest solution from here"),
    ("n", "play the move of the hint"),
    ("f", "how far it is to a solution: show, or do not"),
    ("S, ctrl+s", "save the game"),
    ("L, ctrl+o", "load a game"),
    ("t", "light or dark"),
    ("?", "these keys"),
    ("q, ctrl+c", "quit"),
)
SHORT_KEYS = UNDO, REDO, HINT, NEXT = ("u", "undo"), ("r", "redo"), ("h", "hint"), ("n", "next")
LEVEL_KEYS = (
    ("N, page down", "next level"),
    ("P, page up", "previous level"),
    ("G", "the levels: which are solved, at what least cost; enter goes to one"),
)
LEVEL = ("N P", "level")
SPARE_KEYS = (REDO, NEXT, UNDO, LEVEL, HINT)  # in the order in which they are left out where the line is narrow
LAST_KEYS = (("?", "keys"), ("q", "quit"))  # never left out
NAME_KEYS = (("ctrl+c", "quit"),)
ASKS = {
    "save": "Save as (enter to save, escape to cancel)",
    "load": "Load from (enter to load, escape to cancel)",
}
_KEYS = {
    "u": "undo", "backspace": "undo", "ctrl+z": "undo", "r": "redo", "ctrl+y": "redo", "R": "restart",
    "U": "undo_loss", "h": "hint", "n": "follow", "f": "how_far", "S": "save", "ctrl+s": "save", "L": "load",
    "ctrl+o": "load", "t": "theme", "?": "help", "q": "quit", "ctrl+d": "quit", "ctrl+q": "quit",
    "N": "next_level", "pagedown": "next_level", "P": "previous_level", "pageup": "previous_level", "G": "list",
}  # fmt: skip
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
LOOKS = {"good": ("#2f7d43", "#7bd88f"), "bad": ("#c0341d", "#ff7a66"), "plain": ("#47505c", "#aab4c2")}
SCROLLS = {"up": -1, "down": 1}
BOT_SECONDS = 0.3  # between two moves of bots
THEMES = ("textual-light", "textual-dark")


class Board(Static):
    """Where the position is drawn: anew when there is more or less room for it."""

    def on_resize(self, event: events.Resize) -> None:
        """Draw what there is room for now."""
        cast(Play, self.app).show()


class Play(App[int]):
    """A game on the terminal. It returns the exit code."""

    CSS = """
    Screen { layout: vertical; }
    #head { height: 1; text-style: bold; }
    #board { height: 1fr; }
    #news { height: auto; max-height: 5; }
    #prompt, #keys { height: auto; max-height: 2; }
    #prompt { color: $text-muted; }
    #keys { height: 1; color: $text-muted; }
    #name { display: none; height: 1; border: none; padding: 0; }
    """
    BINDINGS: ClassVar = [Binding("ctrl+c", "interrupt", show=False, priority=True)]  # whatever keys are for
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""  # keys are for the game

    def __init__(self, levels: Levels, number: int, opened: Opened, *, dark: bool) -> None:
        """Of the level of that number, which is open."""
        super().__init__(driver_class=Terminal)
        self._levels = levels
        self._dark = dark
        self._shows_far = True
        self._clock: Timer | None = None  # until a bot's move
        self._helping: int | None = None  # the line of the keys that is in view, while they are shown
        self._listing: int | None = None  # the level that is chosen in the list of levels, while that is shown
        self._is_due = False  # a drawing
        self._doing = ""  # `save` or `load` while a name is asked for
        self._sure = ""  # the file that may be overwritten
        self._set(number, opened)

    def _set(self, number: int, opened: Opened) -> None:
        """Have the level of that number on the terminal from now on."""
        self._number = number
        self.session = opened.session
        self.helper = opened.make(self._news_from_elsewhere)
        self._named = opened.title
        self._record = opened.record
        self._hand: Any = None
        self._corner = Corner()
        self._paused = False  # bots wait, after a move was taken back
        self._hinted = False  # a hint was asked for at this position
        self._notice: Told | None = None  # in the place of all other news, until the next key

    def compose(self) -> ComposeResult:
        """Head, board, news, prompt, keys."""
        yield Static(id="head")
        yield Board(id="board")
        yield Static(id="news")
        yield Static(id="prompt")
        yield Input(id="name", compact=True)
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Begin."""
        self.theme = THEMES[self._dark]
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(ValueError, RuntimeError):  # not in the main thread
                asyncio.get_running_loop().add_signal_handler(number, self.exit, 128 + number)
        self._begin()

    def _begin(self) -> None:
        self._hand = self._by_hand.hand(self.session.level, self.session.position, None)
        self.helper.start()
        self._look()

    def _news_from_elsewhere(self) -> None:
        if self.is_running:
            self.call_later(self._heard)

    def _heard(self) -> None:
        self._bots_turn()
        self.show()

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Do what the key is for."""
        if self._doing:
            if event.key == "escape":
                self._asked()
            return
        key = event.character if event.is_printable and event.character != " " and event.character else event.key
        event.stop()
        self._notice = None
        does = _KEYS.get(key)
        if self._helping is not None and does != "quit":
            self._helping = max(0, self._helping + SCROLLS[key]) if key in SCROLLS else None
        elif self._listing is not None and does != "quit":
            self._choose(self._listing, key)
        elif does:
            getattr(self, f"_{does}")()
        elif not self.session.is_over and not self._bot:
            self._press(key)
        self.show()

    def _press(self, key: str) -> None:
        session = self.session
        pressed = self._by_hand.press(session.level, session.position, self._hand, key)
        if pressed is not None:
            self._hand, move = pressed
            if move:
                self._paused = False
                self._play(move)

    def _play(self, move: str) -> None:
        try:
            self.session.play(move)
        except Refuted as error:
            self._notice = Told(str(error), "bad")
            return
        self._look()

    def _undo(self) -> None:
        if self.session.undo():
            while self._bot and self.session.at and len(self._bots) == 1:  # back to a turn of the person
                self.session.undo()
            self._paused = True
            self._look()

    def _redo(self) -> None:
        if self.session.redo():
            while self._bot and len(self._bots) == 1 and self.session.redo():
                pass
            self._paused = True
            self._look()

    def _restart(self) -> None:
        if self.session.restart():
            self._paused = True
            self._look()
            self._notice = Told("Restarted. r plays the moves again.")

    def _undo_loss(self) -> None:
        first = self._first_lost()
        if first and self.session.undo(first - 1):
            self._look()

    def _hint(self) -> None:
        self._hinted = True
        if isinstance(self.helper, Referee) and not self.session.is_over and not self._bot:
            self.helper.ask(self.session.position)

    def _follow(self) -> None:
        if self._bot:
            self._paused = False
            self._look()
        elif moves := self._hint_moves():
            self._play(moves[0])
            if isinstance(self.helper, Advisor):
                self._hinted = True  # and the next one
        else:
            self._hint()

    def _hint_moves(self) -> tuple[str, ...]:
        """The moves of the hint, as far as it is known."""
        if isinstance(self.helper, Advisor):
            advice = self.helper.known(self.session.position)
            return advice.moves if advice is not None else ()
        found = self.helper.known(self.session.position)
        return (found.move,) if found is not None and found.move else ()

    @property
    def _bots(self) -> Mapping[int, str]:
        return self.helper.bots if isinstance(self.helper, Referee) else {}

    @property
    def _bot(self) -> str:
        """The bot whose turn it is, if it is one's."""
        return self._bots.get(self.session.side, "") if self._bots and not self.session.is_over else ""

    def _bots_turn(self) -> None:
        """Let the bot move whose turn it is, unless it has to wait."""
        if not isinstance(self.helper, Referee) or not self._bot or self._paused:
            return
        session, bot = self.session, self._bot
        move = self.helper.bots_move(session.position)
        if move is None:
            self.helper.ask_bot(session.position, bot, session.at)
        elif self._clock is None:  # not so soon that nobody sees what was before
            wait = BOT_SECONDS if len(self._bots) > 1 else 0.0
            self._clock = self.set_timer(max(wait, 0.001), partial(self._bots_move, session.position, move))

    def _bots_move(self, position: Hashable, move: str) -> None:
        self._clock = None
        if position == self.session.position and not self._paused:
            said = f"{self._name_of(self.session.side)}: {self.session.say(move)}"
            self._play(move)
            self._notice = Told(said)
            self.show()
        else:
            self._bots_turn()

    def _name_of(self, side: int) -> str:
        game = self.session.puzzle.game
        assert game is not None
        bot = f" ({self._bots[side]})" if side in self._bots else ""
        return f"{game.sides[side].capitalize()}{bot}"

    def _how_far(self) -> None:
        self._shows_far = not self._shows_far

    def _theme(self) -> None:
        self._dark = not self._dark
        self.theme = THEMES[self._dark]

    def _help(self) -> None:
        self._helping = 0

    # Levels

    def _next_level(self) -> None:
        self._go(range(self._number + 1, len(self._levels.names)), "This is the last level.")

    def _previous_level(self) -> None:
        self._go(range(self._number - 1, -1, -1), "This is the first level.")

    def _list(self) -> None:
        self._listing = self._number

    def _choose(self, at: int, key: str) -> None:
        """Do what a key is for while the levels are listed."""
        if key in SCROLLS:
            self._listing = min(max(0, at + SCROLLS[key]), len(self._levels.names) - 1)
            return
        self._listing = None
        if key == "enter" and at != self._number:
            self._go([at], "")

    def _go(self, numbers: Iterable[int], otherwise: str) -> None:
        """Go to the first of some levels that can be played, and say why those before it cannot be."""
        faults = []
        for number in numbers:
            try:
                opened = self._levels.open(number)
            except LevelError as error:
                faults.append(str(error))
                continue
            if self._clock is not None:
                self._clock.stop()
                self._clock = None
            self.helper.close()
            self._set(number, opened)
            self._begin()
            break
        else:
            faults.append(otherwise)
        if faults:
            self._notice = Told(
                " ".join(filter(None, faults)), "bad" if len(faults) > 1 or faults[0] != otherwise else "plain"
            )

    def _quit(self) -> None:
        self.exit(0)

    def action_interrupt(self) -> None:
        """End as a program does that is interrupted."""
        self.exit(INTERRUPTED)

    # Files

    def _save(self) -> None:
        self._ask("save")

    def _load(self) -> None:
        self._ask("load")

    def _ask(self, doing: str) -> None:
        self._doing, self._sure = doing, ""
        field = self.query_one("#name", Input)
        field.value = str(self._record)
        field.styles.display = "block"
        self.set_focus(field)  # now: it must not be in view before keys are for it

    def _asked(self) -> None:
        self._doing = ""
        field = self.query_one("#name", Input)
        field.styles.display = "none"
        self.set_focus(None)
        self.show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save or load under the name."""
        path = Path(event.value).expanduser()
        try:
            if self._doing == "save":
                if path.exists() and event.value != self._sure:
                    self._sure = event.value
                    self._notice = Told(f"{path} is there already: enter again writes over it.", "bad")
                    self.show()
                    return
                self.session.save(path.absolute())  # a file, where its name is - too
                self._notice = Told(f"Saved: {path}", "good")
            else:
                self.session.open(path.absolute())
                self._notice = Told(f"Loaded: {path}", "good")
                self._look()
            self._record = path
        except (LevelError, OutputError) as error:
            self._notice = Told(str(error), "bad")
        except (OSError, ValueError) as error:  # of a name that cannot be one
            self._notice = Told(f"{path}: {getattr(error, 'strerror', None) or error}", "bad")
        self._asked()

    # Looks

    @property
    def _by_hand(self) -> Any:
        return self.session.by_hand

    def _look(self) -> None:
        """A new position: what is known of it?"""
        session = self.session
        self._hinted = False
        self._hand = self._by_hand.hand(session.level, session.position, self._hand)
        if session.puzzle.game is None and session.is_over and session.at:
            self._levels.progress.solved(self._levels.digests[self._number], session.costs)
        if isinstance(self.helper, Advisor):
            self.helper.look(session.moves, session.positions)
        else:
            self.helper.ask(None)
            self._bots_turn()
        self.show()

    def _first_lost(self) -> int:
        """The number of moves after which the game is known to be lost, 0 where it is not."""
        if not isinstance(self.helper, Advisor):
            return 0
        return self.helper.lost_by(self.session.positions)

    def _news(self) -> list[Told]:
        if isinstance(self.helper, Referee):
            return self._news_of_game(self.helper)
        session, advisor = self.session, self.helper
        if self._notice is not None:
            return [self._notice]
        if advisor.failed:
            return [Told(advisor.failed, "bad")]
        if session.is_over:
            levels = self._levels
            done = [words.solved(session, advisor.known(session.positions[0]))]
            if (many := len(levels.names)) > 1:
                onward = "; N goes to the next" if self._number + 1 < many else ""
                done.append(Told(f"{levels.solved} of {many} levels are solved{onward}."))
            return done
        advice = advisor.look(session.moves, session.positions)
        settled = advisor.is_settled(session.position)
        if advice is not None and advice.solvable is False:
            no_hint = [words.hint(session, advice, settled=True)] if self._hinted else []
            return [*no_hint, self._lost(advisor, advice)]
        unknown = settled and advice is not None and advice.solvable is None
        shows_far = self._shows_far and not (self._hinted and unknown)  # the hint says that, too
        news = [words.how_far(advice, session.puzzle.metrics[0], settled=settled)] if shows_far else []
        if self._hinted:
            news.append(words.hint(session, advice, settled=settled))
        return news

    def _lost(self, advisor: Advisor, advice: Advice) -> Told:
        """That the position is lost, what lost it, and why, as far as that is known."""
        positions = self.session.positions
        if first := self._first_lost():
            return words.lost_by(self.session, first, advisor.reason(positions))
        start = advisor.known(positions[0])
        if start is not None and start.solvable is False:
            return words.unsolvable(advisor.reason(positions), advisor.states)
        return words.how_far(advice, "", settled=True)

    def _news_of_game(self, referee: Referee) -> list[Told]:
        session, game = self.session, self.session.puzzle.game
        assert game is not None
        news = [] if self._notice is None else [self._notice]
        if referee.failed:
            return [Told(referee.failed, "bad")]
        if session.is_over:
            return [*news, words.won(session, game)]
        if self._hinted:
            return [words.by_force(session, game, referee.known(session.position))]
        if self._bot:
            text = "waits: n lets it move." if self._paused else "is thinking …"
            news.append(Told(f"{self._name_of(session.side)} {text}"))
        return news

    def show(self) -> None:
        """Draw everything, once all keys that have come so far have done what they do."""
        if not self._is_due and self.is_running:
            self._is_due = True
            self.call_later(self._draw)

    def _scene(self, room: Size) -> Scene:
        """What is to be seen: the keys, or the board as large as fits."""
        if self._helping is not None:
            keys = (*self._by_hand.keys, *KEYS[:-2], *LEVEL_KEYS, *KEYS[-2:])
            wide = max(len(key) for key, _ in keys) + 2
            lines = [(Span(key.ljust(wide), "", "", True), Span(what)) for key, what in keys]
            self._helping = min(self._helping, max(0, len(lines) + 1 - room[1]))
            return scene([*lines, (Span("Any other key goes back."),)], (0, self._helping, 1, room[1]))
        if self._listing is not None:
            return self._list_of_levels(self._listing, room)
        session, hint = self.session, self._hint_moves() if self._hinted else ()
        for scale in reversed(range(self._by_hand.scales if "NO_COLOR" not in os.environ else 1)):
            shown = self._by_hand.show(session.level, session.position, self._hand, hint, scale)
            if scale == 0 or (shown.width <= room[0] and shown.height <= room[1]):
                break
        return cast(Scene, shown)

    def _list_of_levels(self, chosen: int, room: Size) -> Scene:
        """The levels around the chosen one, as many as fit: those that are solved have a mark and their costs."""
        levels, rows = self._levels, max(1, room[1] - 1)
        many = len(levels.names)
        first = max(0, min(chosen - rows // 2, many - rows))
        head = f"{levels.solved} of {many} solved. Enter goes to a level, any other key back."
        lines: list[Line] = [(Span(head[: room[0]]),)]
        for number in range(first, min(many, first + rows)):
            mark = "▸ " if number == chosen else "  "
            done = "✓ " if levels.best(number) is not None else "  "
            text = plain(f"{number + 1:>{len(str(many))}} {done}{levels.names[number]}")
            best = levels.best_in_words(number)
            left = max(0, room[0] - 4 - len(best))
            text = text if len(text) <= left else f"{text[: max(0, left - 1)]}…"
            lines.append((Span(mark), Span(f"{text}  {best}".rstrip(), "", "", number == chosen)))
        return scene(lines)

    def _draw(self) -> None:
        self._is_due = False
        session, screen = self.session, self.screen
        board = screen.query_one("#board", Static)
        room = (board.size.width, board.size.height)
        if not all(room):
            return
        shown = self._scene(room)
        at = corner(shown, room, self._corner)
        if self._helping is None and self._listing is None:
            self._corner = at
        board.update(picture(shown, room, at, dark=self._dark))
        if session.puzzle.game is None:
            costs = "  ".join(counted(cost, metric) for metric, cost in session.costs.items())
            if best := self._levels.best(self._number):
                costs += f"  (best {', '.join(map(str, best.values()))})"
        else:
            whose = "" if session.is_over else f", {self._name_of(session.side)} to move"
            costs = f"{counted(session.at, 'moves')}{whose}"
        screen.query_one("#head", Static).update(_sides(self._named, costs, room[0]))
        news = Text()
        waits = Told(f"{self.helper.waits[:1].upper()}{self.helper.waits[1:]}")
        for told in [*self._news(), *([waits] if waits.text else [])]:
            news.append(" " * bool(news) + plain(told.text), LOOKS[told.kind][self._dark])
        screen.query_one("#news", Static).update(news)
        asks = ASKS.get(self._doing, "")
        prompt = asks or self._by_hand.prompt(session.level, session.position, self._hand)
        line = screen.query_one("#prompt", Static)
        line.update(Text(prompt if asks or not (session.is_over or self._bot) else ""))
        line.styles.display = "block" if prompt else "none"
        keys = (
            _line_of(NAME_KEYS) if asks else _keys(self._by_hand.keys, room[0], many=len(self._levels.names) > 1)
        )
        screen.query_one("#keys", Static).update(keys)


def _line_of(keys: Iterable[tuple[str, str]]) -> Text:
    """Keys and what they do."""
    line = Text(no_wrap=True, overflow="ellipsis")
    for key, what in keys:
        line.append("  " * bool(line)).append(key, "bold").append(f" {what}")
    return line


def _keys(own: Sequence[tuple[str, str]], width: int, *, many: bool) -> Text:
    """The puzzle's own keys and everybody's, those of `many` levels, without the least important ones where the
    line is narrow.
    """
    shown = [*own, *SHORT_KEYS, *([LEVEL] if many else []), *LAST_KEYS]
    spare = [key for key in (*SPARE_KEYS, *reversed(own)) if key in shown]
    while spare and _line_of(shown).cell_len > width:
        shown.remove(spare.pop(0))
    return _line_of(shown)


def _sides(left: str, right: str, width: int) -> Text:
    """A line with something at either end; the left one gives way."""
    room = max(0, width - len(right) - 2)
    left = plain(left)
    shown = left if len(left) <= room else left[: max(0, room - 1)] + "…" * (room > 0)
    return Text(shown.ljust(room) + "  " + right, no_wrap=True, overflow="ellipsis")


def prefers_dark() -> bool:
    """Is the terminal dark, as far as the environment tells? Its last number is the colour of the ground."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] not in ("7", "15")
