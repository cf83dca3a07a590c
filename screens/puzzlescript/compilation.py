"""Makes a game of the sections of its text: concrete rules, loops, win conditions, players and background."""

import re
from math import inf

from puzzlemc.screens.puzzlescript.colours import USUAL, colour, is_colour, palette_of
from puzzlemc.screens.puzzlescript.expansion import MAX_RULES, concrete_rules
from puzzlemc.screens.puzzlescript.game import RANDOM, RANDOM_DIRECTION, Game, Rule, Sprite, Win
from puzzlemc.screens.puzzlescript.names import Names, names_of
from puzzlemc.screens.puzzlescript.sections import SIDE
from puzzlemc.screens.puzzlescript.source import Faults, Source
from puzzlemc.screens.puzzlescript.written_rules import Loop, WrittenRule, written_rules

_QUANTIFIERS = {"all": "all", "no": "no", "some": "some", "any": "some"}
_SECONDS = re.compile(r"\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_UNKNOWN = "#ff00ff"  # the colour of pixels whose colour is not known


def compiled(source: Source, text: str, name: str, most: int = MAX_RULES) -> Game:
    """Return the game of a source that was read from `text`. Raises LevelError, of the source `name`.

    With `most`, only about the first `most` concrete rules are made and checked.
    """
    faults = source.faults
    written, loops = written_rules(source.rules, source.declared, faults, source.cut_rules)
    _check_commands(written, "run_rules_on_level_start" in source.metadata, faults)
    faults.check(name)
    if not source.layers:
        faults.error(0, 0, "found no collision layers, expected each object in one")
    names = names_of(source)
    players, players_all = _players(names, source)
    background = _background(names, source)
    wins = _wins(source, names)
    faults.check(name)
    rules = concrete_rules(written, names, faults, most)
    faults.check(name)
    drawn = {rule.group for rule in rules if rule.random}
    # Others have only sounds; in a random group, such a rule may be the one that is drawn.
    rules = [rule for rule in rules if rule.right or rule.commands or rule.group in drawn]
    groups = _groups(rules, late=False), _groups(rules, late=True)
    _check_clock(source)
    palette = palette_of(_value(source, "color_palette").lower()) or USUAL
    return Game(
        title=_value(source, "title"),
        author=_value(source, "author"),
        objects=names.objects,
        layers=_layers(names),
        properties={key: frozenset(members) for key, members in names.properties.items()},
        aggregates={key: frozenset(members) for key, members in names.aggregates.items()},
        synonyms=names.synonyms,
        signs=_signs(source, names),
        players=players,
        players_all=players_all,
        background=background,
        rules=tuple(rule for side in groups for group in side for rule in group),
        loops=_loops(loops, groups[0]),
        late_loops=_loops(loops, groups[1]),
        wins=wins,
        run_rules_on_level_start="run_rules_on_level_start" in source.metadata,
        require_player_movement="require_player_movement" in source.metadata,
        has_action="noaction" not in source.metadata,
        has_clock=_has_clock(source),
        has_undo="noundo" not in source.metadata,
        has_restart="norestart" not in source.metadata,
        sprites={key: _sprite(source, key, palette) for key in names.objects},
        background_colour=_colour(source, "background_color", "black", palette),
        warnings=faults.warnings,
        text=text,
    )


def _value(source: Source, key: str) -> str:
    return source.metadata.get(key, ("", 0))[0]


def _has_clock(source: Source) -> bool:
    """Does the clock of a game tick? An interval that is no number above 0 never ends in the original."""
    value = _value(source, "realtime_interval")
    return _SECONDS.fullmatch(value) is not None and 0 < float(value) < inf


def _check_clock(source: Source) -> None:
    """Warn of a clock that never ticks, and of moves that may have to wait for a tick."""
    if "realtime_interval" not in source.metadata:
        return
    value, line = source.metadata["realtime_interval"]
    if not _has_clock(source):
        message = f"found {value[:20]!r}, expected a number of seconds above 0: nothing happens between moves"
        source.faults.warn(line, 0, message)
    elif "throttle_movement" in source.metadata:
        message = "found throttle_movement beside realtime_interval: where equal moves follow each other, a tick"
        rest = "may have to come between them, and a solution may not be playable; `unsolvable` is not affected"
        source.faults.warn(source.metadata["throttle_movement"][1], 0, f"{message} {rest}")


def _check_commands(rules: list[WrittenRule], has_start: bool, faults: Faults) -> None:
    """Refuse rules that go back to a board which another rule keeps, where the position alone does not decide.

    That is so if rules apply at the start, and there again, and for draws in turns of several rounds. Otherwise
    a restart leads back to the position after an earlier turn, and neither wins nor reaches anything new; where a
    turn goes on behind a checkpoint, searches leave its end open. Warn of rules that may seem to win and do not.
    """
    commands = {command: rule.line for _, rule in rules for command in rule.commands}
    terms = (term for _, rule in rules for row in rule.right for cell in row for term in cell or ())
    has_chance = any(rule.random for _, rule in rules) or any(
        t.movement in (RANDOM, RANDOM_DIRECTION) for t in terms
    )
    why = "rules apply at the start of the level" if has_start else ""
    if has_chance and "again" in commands:
        why = why or "there are rules with chance and again"
    if why and "checkpoint" in commands and "restart" in commands:
        other = f"as the rule of line {commands['restart']} restarts, and {why}"
        faults.error(commands["checkpoint"], 0, f"found a rule with a checkpoint, expected none {other}")
    if "win" in commands and "message" in commands:
        other = f"found a rule with a message beside the rule of line {commands['win']} with win"
        faults.warn(commands["message"], 0, f"{other}: a turn does not win by this command if it shows a message")


def _layers(names: Names) -> tuple[tuple[str, ...], ...]:
    layers: dict[int, list[str]] = {}
    for name in names.objects:
        layers.setdefault(names.layer[name], []).append(name)
    return tuple(tuple(layers[number]) for number in sorted(layers))


def _players(names: Names, source: Source) -> tuple[frozenset[str], bool]:
    name = "player"
    if name in names.layer:
        return frozenset([name]), False
    if name in names.aggregates:
        return frozenset(names.aggregates[name]), True
    found = names.properties.get(name) or ((names.synonyms[name],) if name in names.synonyms else ())
    if not found:
        message = "found no player, expected an object or a name of the legend of that name"
        source.faults.error(source.legend, 0, message, missing=True)
    return frozenset(found), False


def _background(names: Names, source: Source) -> str:
    """Return the object that fills cells without a background."""
    name, faults = "background", source.faults
    if name in names.aggregates:
        faults.error(*source.line_of(name), "found an aggregate as background, expected an object or a property")
        return ""
    members = names.members(names.synonyms.get(name, name))
    if not members or members[0] not in names.layer:
        message = "found no background, expected an object or a name of the legend of that name"
        faults.error(source.legend, 0, message, missing=True)
        return ""
    if not any(set(members) <= set(layer) for layer in source.layers):
        faults.error(*source.line_of(name), "found backgrounds in several layers, expected all in one")
    layer = names.layer[members[0]]
    others = [each for each in names.objects if names.layer[each] == layer and each not in members]
    if others:
        line, column = source.objects[others[0]]
        message = f"found {others[0]!r} in the layer of the background, expected a layer for the background alone"
        faults.warn(line, column, f"{message}: a cell has one of both")
    return members[0]


def _wins(source: Source, names: Names) -> tuple[Win, ...]:
    found = []
    for line, text in source.wins:
        words = list(re.finditer(r"\S+", text))
        if not words:
            message = "found a comment before a win condition, expected comments behind win conditions only"
            source.faults.error(line, len(text) + 1, message)
            continue
        column = words[0].start() + 1
        quantifier = _QUANTIFIERS.get(words[0][0])
        if len(words) == 3 and words[2][0] == "on":
            message = "found no object after `on`, expected one: the word is left out"
            source.faults.warn(line, words[2].start() + 1, message)
            del words[2]
        is_formed = len(words) == 2 or (len(words) == 4 and words[2][0] == "on")
        if quantifier is None or not is_formed or not all(re.fullmatch(r"\w+", word[0]) for word in words):
            form = "all, some or no, an object, and possibly `on` and an object"
            source.faults.error(line, column, f"found the win condition {text.strip()[:40]!r}, expected {form}")
            continue
        sides: list[tuple[frozenset[str], bool]] = []
        for word in words[1::2]:
            if word[0] in names.meanings:
                sides.append((names.meanings[word[0]], False))
            elif word[0] in names.aggregates:
                sides.append((frozenset(names.aggregates[word[0]]), True))
            else:
                message = f"found {word[0]!r} in a win condition, expected the name of an object"
                source.faults.error(line, word.start() + 1, message)
        if len(sides) == len(words) // 2:
            on, on_all = sides[1] if len(sides) == 2 else (None, False)
            found.append(Win(quantifier, *sides[0], on, on_all, line))
    return tuple(found)


def _signs(source: Source, names: Names) -> dict[str, frozenset[str]]:
    """Return the objects of each character of a level. A name of one character is a sign unless it is a property.

    Of objects of one layer in an aggregate, the first counts.
    """
    found = {name: frozenset([name]) for name in names.objects}
    changed = True
    while changed:
        changed = False
        for name in source.synonyms:
            if name.name not in found and name.members[0] in found:
                found[name.name], changed = found[name.members[0]], True
        for name in source.aggregates:
            if name.name not in found and all(member in found for member in name.members):
                first: dict[int, str] = {}
                for member in name.members:
                    first.setdefault(names.layer[member], member)
                found[name.name], changed = frozenset(first.values()), True
    return {name: objects for name, objects in found.items() if len(name) == 1}


def _groups(rules: list[Rule], late: bool) -> list[list[Rule]]:
    groups: dict[int, list[Rule]] = {}
    for rule in rules:
        if rule.late == late:
            groups.setdefault(rule.group, []).append(rule)
    return [groups[key] for key in sorted(groups)]


def _loops(loops: list[Loop], groups: list[list[Rule]]) -> tuple[tuple[int, int], ...]:
    """Return the first and the last group of each loop. The line of the first rule of a group decides."""
    found = []
    for start, end in loops:
        inside = [number for number, group in enumerate(groups) if start <= group[0].line <= end]
        if inside:
            found.append((inside[0], inside[-1]))
    return tuple(found)


def _sprite(source: Source, name: str, palette: str) -> Sprite:
    words, rows = source.sprites[name]
    colours = tuple(colour(word, palette) for word in words)
    if not rows:
        return Sprite(colours[:1] or (_UNKNOWN,), None)
    known = (*colours, _UNKNOWN)
    pixels = []
    for row in [*rows[:SIDE], *[""] * (SIDE - len(rows))]:
        numbers = [None if sign == "." else min(int(sign), len(colours)) for sign in row[:SIDE]]
        pixels.append((*numbers, *[None] * (SIDE - len(numbers))))
    return Sprite(known if any(len(colours) in row for row in pixels) else colours, tuple(pixels))


def _colour(source: Source, key: str, usual: str, palette: str) -> str:
    word = _value(source, key).lower()
    return colour(word if is_colour(word) else usual, palette)
