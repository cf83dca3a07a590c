"""The terminal user interface of a game; session, advisor and referee do the work."""

import asyncio
import os
import signal
from collections.abc import Hashable, Iterable, Mapping
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

from puzzlemc.encodings.puzzle.by_hand import Scene
from puzzlemc.mc.errors import Refuted
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.driver import Terminal
from puzzlemc.reports.play.keys import (
    ACTIONS,
    NAME_KEYS,
    SCROLLS,
    key_line,
    key_list,
    level_list,
    line_of,
    two_sided,
)
from puzzlemc.reports.play.levels import Levels, Opened
from puzzlemc.reports.play.listed import ERASE
from puzzlemc.reports.play.news import messages_of_game, messages_of_puzzle, messages_when_solved, name_of_side
from puzzlemc.reports.play.referee import Referee
from puzzlemc.reports.play.view import Corner, Size, corner, picture
from puzzlemc.reports.play.words import Message
from puzzlemc.screens.base.errors import LevelError

ASKS = {
    "save": "Save as (enter to save, escape to cancel)",
    "load": "Load from (enter to load, escape to cancel)",
}
LOOKS = {"good": ("#2f7d43", "#7bd88f"), "bad": ("#c0341d", "#ff7a66"), "plain": ("#47505c", "#aab4c2")}
BOT_SECONDS = 0.3  # between two moves of bots
THEMES = ("textual-light", "textual-dark")


class Board(Static):
    """The picture of the position; it is drawn again when its size changes."""

    def on_resize(self, event: events.Resize) -> None:
        """Draw the picture for the new size."""
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
    BINDINGS: ClassVar = [Binding("ctrl+c", "interrupt", show=False, priority=True)]  # in every mode
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""  # the game gets all keys

    def __init__(self, levels: Levels, number: int, opened: Opened, *, dark: bool) -> None:
        """Start with level `number`, which is `opened`."""
        super().__init__(driver_class=Terminal)
        self._levels = levels
        self._dark = dark
        self._shows_distance = True
        self._clock: Timer | None = None  # before the move of a bot
        self._helping: int | None = None  # the first line of the list of keys, while it is shown
        self._listing: int | None = None  # the chosen level in the list of levels, while it is shown
        self._is_due = False  # a drawing has been requested
        self._doing = ""  # `save` or `load` while the user types a name
        self._sure = ""  # the file that the user may overwrite with another enter
        self._set(number, opened)

    def _set(self, number: int, opened: Opened) -> None:
        """Change to level `number`."""
        self._number = number
        self.session = opened.session
        self.helper = opened.make(self._changed_elsewhere)
        self._named = opened.title
        self._record = opened.record
        self._hand: Any = None
        self._corner = Corner()
        self._paused = False  # bots wait after a move was taken back
        self._hinted = False  # the user wants a hint at this position
        self._notice: Message | None = None  # replaces all other messages until the next key

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
            with suppress(ValueError, RuntimeError, NotImplementedError):  # not in the main thread, or Windows
                asyncio.get_running_loop().add_signal_handler(number, self.exit, 128 + number)
        self._begin()

    def _begin(self) -> None:
        self._hand = self._by_hand.hand(self.session.level, self.session.position, None)
        self.helper.start()
        self._look()

    def _changed_elsewhere(self) -> None:
        if self.is_running:
            self.call_later(self._heard)

    def _heard(self) -> None:
        self._bots_turn()
        self.show()

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Handle a key."""
        if self._doing:
            if event.key == "escape":
                self._asked()
            return
        key = event.character if event.is_printable and event.character != " " and event.character else event.key
        event.stop()
        self._notice = None
        does = "" if self._is_typed(key) else ACTIONS.get(key)
        if self._helping is not None and does != "quit":
            self._helping = max(0, self._helping + SCROLLS[key]) if key in SCROLLS else None
        elif self._listing is not None and does != "quit":
            self._choose(self._listing, key)
        elif does:
            getattr(self, f"_{does}")()
        elif not self.session.is_over and not self._bot:
            self._press(key)
        self.show()

    def _is_typed(self, key: str) -> bool:
        """Is the key part of a text that the player types into the hand?"""
        if self._helping is not None or self._listing is not None or self.session.is_over or self._bot:
            return False
        return (len(key) == 1 or key in ERASE) and self._by_hand.types(self._hand)

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
            self._notice = Message(str(error), "bad")
            return
        self._look()

    def _undo(self) -> None:
        if self.session.undo():
            while self._bot and self.session.at and len(self._bots) == 1:  # to the last turn of a person
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
            self._notice = Message("Restarted. r redoes the moves.")

    def _undo_loss(self) -> None:
        if not isinstance(self.helper, Advisor):
            return
        first = self.helper.lost_by(self.session.positions)
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
            if isinstance(self.helper, Advisor):
                self._play(self.helper.to_play(self.session.position))
                self._hinted = True  # show the next hint, too
            else:
                self._play(moves[0])
        else:
            self._hint()

    def _hint_moves(self) -> tuple[str, ...]:
        """The moves of the hint that are known."""
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
        """The name of the bot to move; empty if it is not the turn of a bot."""
        return self._bots.get(self.session.side, "") if self._bots and not self.session.is_over else ""

    def _bots_turn(self) -> None:
        """Let a bot move if it is its turn, unless bots wait."""
        if not isinstance(self.helper, Referee) or not self._bot or self._paused:
            return
        session, bot = self.session, self._bot
        move = self.helper.bots_move(session.position)
        if move is None:
            self.helper.ask_bot(session.position, bot, session.at)
        elif self._clock is None:  # a pause, so that the user sees the move before
            wait = BOT_SECONDS if len(self._bots) > 1 else 0.0
            self._clock = self.set_timer(max(wait, 0.001), partial(self._bots_move, session.position, move))

    def _bots_move(self, position: Hashable, move: str) -> None:
        self._clock = None
        if position == self.session.position and not self._paused:
            text = f"{name_of_side(self.session, self._bots, self.session.side)}: {self.session.say(move)}"
            self._play(move)
            self._notice = Message(text)
            self.show()
        else:
            self._bots_turn()

    def _toggle_distance(self) -> None:
        self._shows_distance = not self._shows_distance

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
        """Handle a key while the levels are listed."""
        if key in SCROLLS:
            self._listing = min(max(0, at + SCROLLS[key]), len(self._levels.names) - 1)
            return
        self._listing = None
        if key == "enter" and at != self._number:
            self._go([at], "")

    def _go(self, numbers: Iterable[int], otherwise: str) -> None:
        """Go to the first playable level, and show the errors of those before it; or show `otherwise`."""
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
            is_bad = faults != [otherwise]
            self._notice = Message(" ".join(filter(None, faults)), "bad" if is_bad else "plain")

    def _quit(self) -> None:
        self.exit(0)

    def action_interrupt(self) -> None:
        """Quit with the exit code of an interrupted program."""
        self.exit(128 + signal.SIGINT)

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
        self.set_focus(field)  # at once: keys must not reach the game any more

    def _asked(self) -> None:
        self._doing = ""
        field = self.query_one("#name", Input)
        field.styles.display = "none"
        self.set_focus(None)
        self.show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save or load the game under this name."""
        path = Path(event.value).expanduser()
        try:
            if self._doing == "save":
                if path.exists() and event.value != self._sure:
                    self._sure = event.value
                    self._notice = Message(f"{path} exists: enter again overwrites it.", "bad")
                    self.show()
                    return
                self.session.save(path.absolute())  # absolute, so that the name - is a file, too
                self._notice = Message(f"Saved: {path}", "good")
            else:
                self.session.open(path.absolute())
                self._notice = Message(f"Loaded: {path}", "good")
                self._look()
            self._record = path
        except (LevelError, OutputError) as error:
            self._notice = Message(str(error), "bad")
        except (OSError, ValueError) as error:  # of an invalid name
            self._notice = Message(f"{path}: {getattr(error, 'strerror', None) or error}", "bad")
        self._asked()

    # Looks

    @property
    def _by_hand(self) -> Any:
        return self.session.by_hand

    def _look(self) -> None:
        """Show a new position, and ask for what is known about it."""
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

    def _messages(self) -> list[Message]:
        """The messages below the board."""
        if isinstance(self.helper, Referee):
            how = {"hinted": self._hinted, "paused": self._paused}
            return messages_of_game(self.session, self.helper, self._notice, **how)
        if self._notice is not None:
            return [self._notice]
        if self.session.is_over:
            return messages_when_solved(self.session, self.helper, self._levels, self._number)
        return messages_of_puzzle(self.session, self.helper, hinted=self._hinted, distance=self._shows_distance)

    def show(self) -> None:
        """Draw everything after all pending keys are handled."""
        if not self._is_due and self.is_running:
            self._is_due = True
            self.call_later(self._draw)

    def _scene(self, room: Size) -> Scene:
        """The scene to draw: the keys, the levels, or the board as large as it fits."""
        if self._helping is not None:
            shown, self._helping = key_list(self._by_hand.keys_in(self.session.level), self._helping, room)
            return shown
        if self._listing is not None:
            return level_list(self._levels, self._listing, room)
        session, hint = self.session, self._hint_moves() if self._hinted else ()
        for scale in reversed(range(self._by_hand.scales if "NO_COLOR" not in os.environ else 1)):
            shown = self._by_hand.show(session.level, session.position, self._hand, hint, scale)
            if scale == 0 or (shown.width <= room[0] and shown.height <= room[1]):
                break
        return shown

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
            whose = "" if session.is_over else f", {name_of_side(session, self._bots, session.side)} to move"
            costs = f"{counted(session.at, 'moves')}{whose}"
        screen.query_one("#head", Static).update(two_sided(self._named, costs, room[0]))
        news = Text()
        for message in self._messages():
            news.append(" " * bool(news) + plain(message.text), LOOKS[message.kind][self._dark])
        screen.query_one("#news", Static).update(news)
        asks = ASKS.get(self._doing, "")
        prompt = asks or self._by_hand.prompt(session.level, session.position, self._hand)
        line = screen.query_one("#prompt", Static)
        line.update(Text(prompt if asks or not (session.is_over or self._bot) else ""))
        line.styles.display = "block" if prompt else "none"
        own = self._by_hand.keys_in(session.level)
        keys = line_of(NAME_KEYS) if asks else key_line(own, room[0], many=len(self._levels.names) > 1)
        screen.query_one("#keys", Static).update(keys)
