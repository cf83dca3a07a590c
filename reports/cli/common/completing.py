"""Shell completion: commands, options, and values of options and arguments.

The scripts that shells load are those of typer, and so is their protocol: variables of the environment. The
answer is written here. Titles of levels and names of files may contain any character, and shells
evaluate the answer, so every character that is not plain is escaped.
"""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from puzzlemc.reports.cli.common.helping import summary
from puzzlemc.reports.output.plain import plain

VARIABLE = "_PUZZLEMC_COMPLETE"  # set by a shell that asks: to `complete_bash`, and its like
MOST_HELP = 60  # characters of what stands beside a value
_BREAKS = ":="  # where bash begins a new word, though no blank is there
_UNSAFE = re.compile(r"(?![A-Za-z0-9_./,@%+#-])[\x00-\x7f]")  # may have a meaning to a shell within a word


class Offer(NamedTuple):
    """A word that may replace the last one, with its description."""

    value: str
    help: str = ""


class Line(NamedTuple):
    """The words before the one to complete, without the name of the program, and that word as typed so far."""

    before: Sequence[str]
    word: str


def is_asked(environment: Mapping[str, str]) -> bool:
    """Does a shell ask a question that is answered here?"""
    return environment.get(VARIABLE, "").removeprefix("complete_") in SHELLS


def answer(program: Any, environment: Mapping[str, str]) -> tuple[str, int]:
    """The answer for the shell: a text, and an exit code."""
    return SHELLS[environment[VARIABLE].removeprefix("complete_")](program, environment)


def offers(program: Any, line: Line) -> list[Offer]:
    """The possible completions; none for a file, a number or free text."""
    begun = [each for each in line.before if not each.startswith("-")]
    if not begun:
        return _named(program, line.word) or _commands(program, line.word)
    command = program.commands.get(begun[0])
    if command is None:
        return []
    words = list(line.before[line.before.index(begun[0]) + 1 :])
    option, sign, value = line.word.partition("=")
    takes = {name: each for each in command.params if _takes_value(each) for name in each.opts}
    if sign and option in takes:
        return [
            Offer(f"{option}={each.value}", each.help) for each in _values(command, words, takes[option], value)
        ]
    if words and words[-1] in takes:
        return _values(command, words[:-1], takes[words[-1]], line.word)
    if line.word.startswith("-") and "--" not in words:
        return _named(command, line.word)
    argument = _argument(command, takes, words)
    return [] if argument is None else _values(command, words, argument, line.word)


def _commands(program: Any, word: str) -> list[Offer]:
    known = program.commands.items()
    return [Offer(name, summary(each.help or "")) for name, each in known if name.startswith(word)]


def _named(command: Any, word: str) -> list[Offer]:
    """The options that start with the word, in their long form; in the short form if the word has it."""
    if not word.startswith("-"):
        return []
    options = [each for each in command.params if each.param_type_name == "option" and not each.hidden]
    names = [(name, each) for each in options for name in each.opts if name.startswith(word)]
    return [Offer(name, each.help or "") for name, each in names if name.startswith("--") or name == word]


def _takes_value(param: Any) -> bool:
    return bool(param.param_type_name == "option" and not param.is_flag and not param.count)


def _argument(command: Any, takes: Mapping[str, Any], words: Sequence[str]) -> Any | None:
    """The argument at the place of the word."""
    given = 0
    for place, word in enumerate(words):
        is_value = place > 0 and words[place - 1] in takes
        given += not is_value and (not word.startswith("-") or word == "-" or word.startswith(("-#", "-/")))
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    if given < len(arguments):
        return arguments[given]
    return arguments[-1] if arguments and arguments[-1].nargs == -1 else None


def _values(command: Any, words: Sequence[str], param: Any, word: str) -> list[Offer]:
    """The values of a parameter that start with the word."""
    with command.make_context(command.name, list(words), resilient_parsing=True) as context:
        found = [Offer(each.value, each.help or "") for each in param.shell_complete(context, word)]
    return [each for each in found if each.value.isprintable()]


def _split(text: str) -> list[str]:
    """The words of a line without quotes and escapes. The last one may be incomplete."""
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quote is open, or the line ends with an escape
        words.append(lexer.token)
    return words


def _line(environment: Mapping[str, str]) -> Line:
    """The whole line up to the cursor, if the shell gives it."""
    text = environment.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(text)[1:]
    return Line(words, "") if text.endswith(" ") or not words else Line(words[:-1], words[-1])


def _bash(program: Any, environment: Mapping[str, str]) -> tuple[str, int]:
    """The words, one per line, which bash inserts as they are.

    Bash splits words at `=` and `:`, and replaces only the last part.
    """
    pieces = environment.get("COMP_WORDS", "").split("\n")[1 : int(environment.get("COMP_CWORD", "0")) + 1]
    words, joined = [""], False
    for piece in pieces:
        breaks = bool(piece) and not piece.strip(_BREAKS)
        if breaks or joined:
            words[-1] += piece
        else:
            words.append(piece)
        joined = breaks
    replaced = "" if joined or not pieces else pieces[-1]
    prefix = _unquoted(words[-1].removesuffix(replaced))
    line = Line([_unquoted(word) for word in words[1:-1]], prefix + _unquoted(replaced))
    quote = replaced[0] if replaced[:1] in ("'", '"') else ""
    return "\n".join(_for_bash(each.value[len(prefix) :], quote) for each in offers(program, line)), 0


def _unquoted(word: str) -> str:
    return "".join(_split(word))


def _for_bash(value: str, quote: str) -> str:
    """A value in the form that bash inserts: after an open quote, or with escapes."""
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote:
        return re.sub(r'["$`\\]', r"\\\g<0>", value)
    return _UNSAFE.sub(r"\\\g<0>", value)


def _zsh(program: Any, environment: Mapping[str, str]) -> tuple[str, int]:
    """Code that zsh evaluates. Zsh first merges several blanks into one, so each blank is escaped."""
    rows = []
    for value, help in offers(program, _line(environment)):
        value = value.replace("\\", "\\\\").replace(":", "\\:")
        row = f"{value}:{_short(help)}" if help else value
        rows.append("$'" + _UNSAFE.sub(lambda found: f"\\x{ord(found[0]):02x}", row) + "'")
    if not rows:
        return "_files", 0
    return f"local -a offered; offered=({' '.join(rows)}); _describe -V value offered", 0


def _fish(program: Any, environment: Mapping[str, str]) -> tuple[str, int]:
    """One line per word, with its description after a tab. Fish offers files if there is no word."""
    found = offers(program, _line(environment))
    if environment.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        return "", int(not found)
    return "\n".join(f"{each.value}\t{_short(each.help)}" for each in found), 0


def _short(text: str) -> str:
    text = plain(" ".join(text.split()))
    return text if len(text) <= MOST_HELP else f"{text[: MOST_HELP - 1]}…"


SHELLS: Mapping[str, Callable[[Any, Mapping[str, str]], tuple[str, int]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
