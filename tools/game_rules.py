"""The rules of a PuzzleScript game as check_strategies.py reads them, with Python's standard library alone.

A cell is two integers: one bit for each object, and five bits for the movement of each layer, which are up, down,
left, right, action. What is not known here raises NotChecked.
"""

import re
from itertools import product

UP, DOWN, LEFT, RIGHT, ACTION = 1, 2, 4, 8, 16
BITS = {"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT, "action": ACTION}
FOUR = ("up", "down", "left", "right")
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
TURNED = {"up": "left", "down": "right", "left": "down", "right": "up"}  # what ^ means in a rule of a direction
STEP = {UP: (-1, 0), DOWN: (1, 0), LEFT: (0, -1), RIGHT: (0, 1), ACTION: (0, 0)}
SEVERAL = {
    "moving": (*FOUR, "action"),
    "orthogonal": FOUR,
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
}
MOVEMENTS = {*BITS, *SEVERAL, "stationary", "no", "random", "randomdir", "parallel", "perpendicular", *"^v<>"}
COMMANDS = {"cancel", "restart", "win", "again", "message", "checkpoint"}
MESSAGE = re.compile(r"message\b")
SOUND = re.compile(r"sfx\d+")
CELLS = r"(?:\[[^\[\]]*\]\s*)"
RULE = re.compile(rf"(?P<head>[^\[\]]*)(?P<left>{CELLS}+)->\s*(?P<right>{CELLS}*)(?P<tail>[^\[\]]*)")
FLAGS = {
    *("title", "author", "homepage", "run_rules_on_level_start", "require_player_movement", "noaction", "noundo"),
    *("norestart", "norepeat_action", "realtime_interval", "again_interval", "key_repeat_interval", "debug"),
    *("background_color", "text_color", "flickscreen", "zoomscreen", "throttle_movement", "verbose_logging"),
    *("color_palette", "scanline"),
}
SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")


class NotChecked(Exception):
    """The game has something that this program does not know, or draws too much."""


class Game:
    """A level of a game: its board, rules and win conditions."""

    def __init__(self, lines):
        """Read a text with one level. Raises NotChecked for what is not known."""
        parts, self.flags, section = {name: [] for name in SECTIONS}, {}, None
        for line in lines:
            text = re.sub(r"\([^()]*\)", "", line).strip().lower()
            if text and not text.strip("="):
                continue
            if text in SECTIONS:
                section = text
            elif section is None:
                word, _, rest = text.partition(" ")
                if word and word not in FLAGS:
                    raise NotChecked(f"the word {word}")
                self.flags[word] = rest
            else:
                parts[section].append(text)
        self.read_objects(parts["objects"])
        self.read_layers(parts["collisionlayers"], parts["legend"])
        self.read_rules(parts["rules"])
        self.wins = [self.read_win(line) for line in parts["winconditions"] if line]
        self.read_level(parts["levels"])

    def read_objects(self, lines):
        """The names, in order."""
        self.objects, self.alias = [], {}
        for block in "\n".join(lines).split("\n\n"):
            rows = [row for row in block.split("\n") if row]
            if not rows:
                continue
            name, *others = rows[0].split()
            if len(rows) not in (2, 7):
                raise NotChecked(f"object {name}: expected a colour, or a sprite of five rows")
            self.objects.append(name)
            self.alias |= dict.fromkeys(others, name)

    def read_layers(self, layers, legend):
        """Layers, and what the names of the legend stand for: `every` of some objects, or `any` of them."""
        self.every, self.any = {name: [name] for name in self.objects}, {name: [name] for name in self.objects}
        for other, name in self.alias.items():
            self.every[other] = self.any[other] = [name]
        for line in filter(None, legend):
            name, _, meaning = (each.strip() for each in line.partition("="))
            words = meaning.split()
            kinds, parts = set(words[1::2]), words[::2]
            if len(kinds) > 1 or not kinds <= {"and", "or"} or len(words) % 2 == 0:
                raise NotChecked(f"legend: {line}")
            table = self.any if "or" in kinds else self.every
            if not all(part in table for part in parts):
                raise NotChecked(f"legend: {line}")
            found = list(dict.fromkeys(each for part in parts for each in table[part]))
            table[name] = found
            if len(parts) == 1:
                both = self.any if parts[0] in self.any else self.every
                self.any.pop(name, None), self.every.pop(name, None)
                for kind in (self.any, self.every):
                    if parts[0] in kind:
                        kind[name] = kind[parts[0]]
                assert name in both
        self.layer, self.layers = {}, []
        for line in filter(None, layers):
            names = [each for word in re.split(r"[\s,]+", line) if word for each in self.some(word)]
            for name in names:
                if name in self.layer:
                    raise NotChecked(f"{name} is in two layers")
                self.layer[name] = len(self.layers)
            self.layers.append(self.mask(names))

    def some(self, name):
        """The objects of a name, any of which it may mean."""
        if name not in self.any:
            raise NotChecked(f"the name {name}")
        return self.any[name]

    def mask(self, names):
        """The bits of objects."""
        return sum(1 << self.objects.index(name) for name in set(names))

    def read_win(self, line):
        """A condition: its quantifier, and tests of a cell for each side."""
        words = line.split()
        if (
            words[0] not in ("no", "all", "some", "any")
            or len(words) not in (2, 4)
            or words[2:3] not in ([], ["on"])
        ):
            raise NotChecked(f"win condition: {line}")
        tests = [
            (self.mask(self.any[name]), False) if name in self.any else (self.mask(self.every[name]), True)
            for name in words[1::2]
        ]
        return words[0], tests

    def won(self, cells):
        """Do the win conditions hold? Never without one."""

        def has(cell, tests):
            return all(cell & mask == mask if whole else cell & mask for mask, whole in tests)

        for kind, tests in self.wins:
            if kind == "no" and any(has(cell, tests) for cell in cells):
                return False
            if kind in ("some", "any") and not any(has(cell, tests) for cell in cells):
                return False
            if kind == "all" and not all(has(cell, tests) for cell in cells if has(cell, tests[:1])):
                return False
        return bool(self.wins)

    def read_level(self, lines):
        """The board. A cell without an object of the background's layer gets the background of the level.

        Messages before and after it, and empty lines, part levels from each other.
        """
        parted = "\n".join("" if MESSAGE.match(line) else line for line in lines)
        boards = [board.split("\n") for board in re.split(r"\n{2,}", parted.strip("\n")) if board]
        if len(boards) != 1 or any(len(row) != len(boards[0][0]) for row in boards[0]):
            raise NotChecked("the level: expected one, of rows of one length")
        (rows,) = boards
        self.height, self.width = len(rows), len(rows[0])
        if not all(sign in self.every for row in rows for sign in row):
            raise NotChecked("the level: a sign that means no objects")
        cells = [self.mask(self.every[sign]) for row in rows for sign in row]
        known = self.some("background")
        layer = self.layers[self.layer[known[0]]]
        columns = (cells[y * self.width + x] for x in range(self.width) for y in range(self.height))
        ground = next((cell & layer for cell in columns if cell & layer), self.mask(known[:1]))
        self.board = tuple(
            cell if cell & ground == ground else cell & ~layer | (cell & layer or ground) for cell in cells
        )
        if "player" in self.every and "player" not in self.any:
            raise NotChecked("players that are several objects")
        self.players = self.mask(self.some("player"))
        self.inputs = [*FOUR, *([] if "noaction" in self.flags else ["action"])]
        self.inputs += ["tick"] if "realtime_interval" in self.flags else []
        self.lines = {name: self.lines_of(name) for name in FOUR}

    def lines_of(self, direction):
        """The cells from which a row may start, in order, each with the cells from there on."""
        dy, dx = STEP[BITS[direction]]
        found = []
        for a in range(self.height if dx else self.width):
            for b in range(self.width if dx else self.height):
                y, x = (a, b) if dx else (b, a)
                line = []
                while 0 <= y < self.height and 0 <= x < self.width:
                    line.append(y * self.width + x)
                    y, x = y + dy, x + dx
                found.append(line)
        return found

    # Rules: from a line to concrete rules

    def read_rules(self, lines):
        """Groups of concrete rules, early and late, with the ways back of loops."""
        self.early, self.late, loop = [], [], None
        self.back = {False: {}, True: {}}
        for line in filter(None, lines):
            if line in ("startloop", "endloop"):
                if line == "startloop":
                    loop = len(self.early), len(self.late)
                else:
                    for late, groups in ((False, self.early), (True, self.late)):
                        if len(groups) > loop[late]:
                            self.back[late][len(groups) - 1] = loop[late]
                    loop = None
                continue
            follows = line.startswith("+")
            late, is_random, rules = self.expanded(line.lstrip("+ "))
            groups = self.late if late else self.early
            if follows and not (groups and groups is self.last):
                raise NotChecked(f"rule: {line}")
            if follows:
                groups[-1][1].extend(rules)
            else:
                groups.append((is_random, rules))
            self.last = groups
        texts = [
            commands for groups in (self.early, self.late) for _, rules in groups for _, _, _, commands in rules
        ]
        used = set().union(*texts)
        if "checkpoint" in used or ("message" in used and used & {"win", "cancel"}):
            raise NotChecked("checkpoints, or messages beside `win` and `cancel`")

    def expanded(self, line):
        """Is a rule late, is it random, and its concrete rules."""
        written = RULE.fullmatch(line)
        words = written["head"].split() if written else []
        if not written or "rigid" in words:
            raise NotChecked(f"rule: {line}")
        late, is_random = "late" in words, "random" in words
        ways = [word for word in words if word not in ("late", "random")]
        known = {**{name: (name,) for name in FOUR}, **SEVERAL}
        if not all(way in known and way != "moving" for way in ways):
            raise NotChecked(f"rule: {line}")
        directions = [each for way in ways for each in known[way]] or list(FOUR)
        before, after, tail = cells_of(written["left"]), cells_of(written["right"]), written["tail"].split()
        commands = frozenset(word for word in tail if not SOUND.fullmatch(word))
        if "message" in commands:
            commands = frozenset(tail[: tail.index("message") + 1]) - {w for w in tail if SOUND.fullmatch(w)}
        if not commands <= COMMANDS or (after and shape(before) != shape(after)):
            raise NotChecked(f"rule: {line}")
        relative = {*"^v<>", "parallel", "perpendicular"}
        has_way = any(len(row) > 1 for row in before) or any(
            word in relative for row in [*before, *after] for cell in row for word, _ in cell or ()
        )
        found = []
        for direction in directions if has_way else directions[:1]:
            for one in self.concrete(before, after, direction, line, late):
                rule = (*one, commands)
                found = [*(other for other in found if other != rule), rule]  # of equal ones the last one stays
        return late, is_random, found

    def concrete(self, before, after, direction, line, late):
        """Yield a direction, conditions and effects for each meaning of the names and movements of a rule."""
        places = [(r, c) for r, row in enumerate(before) for c, cell in enumerate(row) if cell is not None]
        old = {(r, c): self.plain(before[r][c], direction) for r, c in places}
        new = {(r, c): self.plain(after[r][c], direction) for r, c in places} if after else None
        # A property of one layer stays as it is if each cell on the right that names it does so on the left, too.
        named = {(place, name) for place, terms in old.items() for movement, name in terms if movement != "no"}
        elsewhere = {
            name
            for place, terms in (new or {}).items()
            for movement, name in terms
            if movement not in ("no", "random") and (place, name) not in named
        }
        kept = {
            name
            for _, name in named
            if len({self.layer[each] for each in self.some(name)}) == 1 and name not in elsewhere
        }
        # What is open: movements that mean several ones, and other properties.
        open_terms = []
        for place in places:
            for number, (movement, name) in enumerate(old[place]):
                if movement in SEVERAL:
                    open_terms.append((place, number, "movement", SEVERAL[movement]))
                if movement != "no" and len(self.some(name)) > 1 and name not in kept:
                    open_terms.append((place, number, "name", tuple(self.some(name))))
        for chosen in product(*(choices for *_, choices in open_terms)):
            left = {place: list(terms) for place, terms in old.items()}
            right = None if new is None else {place: list(terms) for place, terms in new.items()}
            for (place, number, what, _), value in zip(open_terms, chosen, strict=True):
                movement, name = left[place][number]
                written, called = old[place][number]
                left[place][number] = (value, name) if what == "movement" else (movement, value)
                if right is not None:
                    self.put(right, new, old, place, what, (written, called), value, line)
            if right is not None and any(m in SEVERAL for terms in right.values() for m, _ in terms):
                raise NotChecked(f"rule: {line}")
            asked = [[self.layer_of(name) for m, name in terms if m != "no"] for terms in left.values()]
            if any(len(set(each)) < len(each) for each in asked):
                continue  # two objects of one layer are never in a cell
            has_gap = any(cell is None for row in before for cell in row)
            way = direction if has_gap else {"up": "down", "left": "right"}.get(direction, direction)
            rows = []
            for r, row in enumerate(before):
                order = range(len(row)) if way == direction else range(len(row) - 1, -1, -1)
                rows.append(
                    tuple(
                        None  # any number of cells
                        if row[c] is None
                        else (
                            self.condition(left[r, c]),
                            None if right is None else self.effects(left[r, c], right[r, c], line, late),
                        )
                        for c in order
                    )
                )
            yield way, tuple(rows), right is not None

    def plain(self, cell, direction):
        """The terms of a cell without relative movements, synonyms and aggregates."""
        here = {">": direction, "<": OPPOSITE[direction], "^": TURNED[direction], "v": OPPOSITE[TURNED[direction]]}
        flat = direction in ("left", "right")
        here |= {
            "parallel": "horizontal" if flat else "vertical",
            "perpendicular": "vertical" if flat else "horizontal",
        }
        found = []
        for movement, name in cell:
            names = self.every[name] if name in self.every and name not in self.any else [name]
            if movement in ("no",) and len(names) > 1:
                raise NotChecked(f"no {name}")
            found += [(here.get(movement, movement), each) for each in names]
        return found

    def put(self, right, new, old, place, what, term, value, line):
        """Put a chosen movement or object of the left side into the right side, where that names it, too."""
        movement, name = term
        if what == "name":
            uses = [
                (p, n)
                for p, terms in new.items()
                for n, (m, called) in enumerate(terms)
                if called == name and m not in ("no", "random")
            ]
            many = sum(called == name and m != "no" for terms in old.values() for m, called in terms)
        else:
            uses = [(p, n) for p, terms in new.items() for n, (m, called) in enumerate(terms) if m == movement]
            many = sum(m == movement for terms in old.values() for m, _ in terms)
            uses = [(p, n) for p, n in uses if new[p][n][1] == name or many == 1]
        for there, number in uses:
            if there == place or many == 1:
                m, called = right[there][number]
                right[there][number] = (value, called) if what == "movement" else (m, value)
            elif not any(t == name if what == "name" else (m, t) == term for m, t in old[there]):
                raise NotChecked(f"rule: {line}")

    def layer_of(self, name):
        """The layer of an object, or of a property of one layer."""
        return self.layer[self.some(name)[0]]

    def shift(self, name):
        """Where the movement of the layer of a name is among the bits of a cell."""
        return 5 * self.layer_of(name)

    def condition(self, terms):
        """Objects and movements that are there or are not, and sets of objects of which one is there."""
        there = absent = moving = still = 0
        some = []
        for movement, name in terms:
            if movement == "no":
                absent |= self.mask(self.some(name))
                continue
            if len(self.some(name)) > 1:
                some.append(self.mask(self.some(name)))
            else:
                there |= self.mask(self.some(name))
            if movement == "stationary":
                still |= 31 << self.shift(name)
            elif movement:
                moving |= BITS[movement] << self.shift(name)
        return there, absent, moving, still, tuple(some)

    def effects(self, left, right, line, late):
        """What a cell becomes, for each draw: objects that go and come, movements that go and come."""
        gone = come = lost = set_ = 0
        named = {self.layer[each] for _, name in left for each in self.some(name)}
        right = [term for term in right if term[0] != "no" or term not in left]
        stated = {self.layer_of(name): name for movement, name in right if movement not in ("no", "random")}
        layers = {self.layer[self.some(name)[0]] for movement, name in right if movement not in ("no", "random")}
        for movement, name in left:
            if movement == "no":
                continue
            if self.layer_of(name) not in layers:
                gone |= self.layers[self.layer_of(name)]
                lost |= 31 << self.shift(name)
            elif movement not in ("", "stationary"):
                lost |= BITS[movement] << self.shift(name)
        drawn, turning = [], []
        for movement, name in right:
            if movement == "random":
                drawn += self.some(name)
                continue
            if movement == "no":
                gone |= self.mask(self.some(name))
                continue
            is_object = len(self.some(name)) == 1
            if not is_object and (movement, name) not in left and not any(called == name for _, called in left):
                raise NotChecked(f"rule: {line}")
            if is_object:
                gone |= self.layers[self.layer_of(name)]
                come |= self.mask(self.some(name))
            if movement or not (late or self.layer_of(name) in named):
                lost |= 31 << self.shift(
                    name
                )  # what comes to a layer that the left side does not name stands still
            if movement in BITS:
                set_ |= BITS[movement] << self.shift(name)
            turning += [self.shift(name)] * (movement == "randomdir")
        if drawn and (stated.keys() & {self.layer[name] for name in drawn}):
            raise NotChecked(f"rule: {line}")
        found = []
        for ways in product((UP, DOWN, LEFT, RIGHT), repeat=len(turning)):
            turned = set_ | sum(way << at for way, at in zip(ways, turning, strict=True))
            for name in dict.fromkeys(drawn) or [None]:
                if name is None:
                    found.append((gone, come, lost, turned))
                else:
                    found.append(
                        (
                            gone | self.layers[self.layer[name]],
                            come | self.mask([name]),
                            lost | 31 << self.shift(name),
                            turned,
                        )
                    )
        return tuple(found)


def cells_of(text):
    """The rows of a side of a rule: cells of pairs of a movement, which may be empty, and a name; None: `...`."""
    rows = []
    for row in re.findall(r"\[([^\]]*)\]", text):
        cells = []
        for cell in row.split("|"):
            words, terms = cell.split(), []
            if words == ["..."]:
                cells.append(None)
                continue
            while words:
                movement = words.pop(0) if words[0] in MOVEMENTS else ""
                if not words:
                    raise NotChecked(f"rule: a movement without an object in {text}")
                terms.append((movement, words.pop(0)))
            cells.append(terms)
        rows.append(cells)
    return rows


def shape(rows):
    """Where a side of a rule has cells and ellipses."""
    return [[cell is None for cell in row] for row in rows]
