"""Writes random PuzzleScript games, in as much of the language as turns depend on, with small levels.

    python benchmarks/written_games.py SEED

writes the game of that seed. `reference.py` uses many of them.
"""

import random
import sys
from collections.abc import Sequence

RELATIVE = ("> ", "< ", "^ ", "v ")
ABSOLUTE = ("up ", "down ", "left ", "right ")
VAGUE = (
    "moving ",
    "stationary ",
    "parallel ",
    "perpendicular ",
    "orthogonal ",
    "horizontal ",
    "vertical ",
    "action ",
)
WAYS = ("up", "down", "left", "right", "horizontal", "vertical", "orthogonal")
PRELUDE = (
    *(
        "noundo",
        "norestart",
        "throttle_movement",
        "again_interval 0.1",
        "key_repeat_interval 0.2",
        "flickscreen 3x3",
    ),
    *("zoomscreen 4x4", "color_palette arnecolors", "background_color blue", "text_color #fff", "author somebody"),
)
SOUNDS = (
    "sfx0 1234",
    "sfx1 77",
    "thing move 36772507",
    "mover create 5",
    "undo 9",
    "closemessage 4",
    "mover cantmove up 8",
)


class Writer:
    """A game that is being written.

    layers      the objects, by layers
    properties  name -> objects, of one layer or of several
    wholes      name -> objects of several layers, all of which are meant
    names       what rules may name
    places      name -> the numbers of its layers
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        count = chance.randint(4, 9)
        self.objects = [f"o{number}" for number in range(count)]
        if chance.random() < 0.1:
            self.objects += [f"extra{number}" for number in range(chance.choice((30, 60)))]
        movers = ["mover"] if chance.random() < 0.7 else ["mover", "walker"]
        self.objects += movers
        self.layers: list[list[str]] = []
        for name in chance.sample(self.objects, len(self.objects)):
            if self.layers and chance.random() < 0.6:
                chance.choice(self.layers).append(name)
            else:
                self.layers.append([name])
        layer = {name: number for number, names in enumerate(self.layers) for name in names}
        some = [chance.sample(self.objects[:count], chance.randint(2, 3)) for _ in range(3)]
        self.properties = {f"any{number}": names for number, names in enumerate(some)}
        wide = max(self.layers, key=len)
        if len(wide) > 1:
            self.properties["same"] = wide[:3]
        self.properties["thing"] = [*movers, *some[0]]
        apart = [chance.choice(names) for names in chance.sample(self.layers, min(2, len(self.layers)))]
        self.wholes = {"both": apart} if len(apart) > 1 else {}
        self.synonyms = {"alias": self.objects[0]}
        kind = chance.random()
        if len(movers) == 1:
            self.synonyms["player"] = "mover"
        elif kind < 0.4 and layer["mover"] != layer["walker"]:
            self.wholes["player"] = movers
        else:
            self.properties["player"] = movers
        self.names = [
            *self.objects[:count],
            *movers,
            *self.properties,
            *self.wholes,
            *self.synonyms,
            "player",
            "player",
        ]

        self.places = {name: {layer[name]} for name in self.objects}
        for name, parts in (self.properties | self.wholes | {k: [v] for k, v in self.synonyms.items()}).items():
            self.places[name] = {layer[part] for part in parts}

    def is_free(self, name: str, terms: Sequence[str]) -> bool:
        """Is no layer of a name taken by other terms of a cell? Seldom, this does not matter."""
        taken = {place for term in terms if not term.startswith("no ") for place in self.places[term.split()[-1]]}
        return taken.isdisjoint(self.places[name]) or self.chance.random() < 0.02

    def term(self, *, late: bool, movements: Sequence[str]) -> str:
        """An object with or without a movement."""
        movement = "" if late or self.chance.random() < 0.5 else self.chance.choice(movements)
        return movement + self.chance.choice(self.names)

    def cell(self, *, late: bool) -> list[str]:
        """The terms of a cell of a left side."""
        terms: dict[str, str] = {}
        for _ in range(self.chance.choice((0, 1, 1, 1, 2, 3))):
            term = self.term(late=late, movements=(*RELATIVE, *ABSOLUTE, *VAGUE, *RELATIVE))
            name = term.split()[-1]
            if name in terms:
                continue
            if self.chance.random() < 0.2 and name not in self.wholes:
                terms[name] = f"no {name}"
            elif self.is_free(name, list(terms.values())):
                terms[name] = term
        return list(terms.values())

    def changed(self, before: list[str], *, late: bool) -> list[str]:
        """The terms of the cell of the right side: few of them differ, so that most rules are correct."""
        chance, after = (
            self.chance,
            [term for term in before if not term.startswith("no ") or self.chance.random() < 0.3],
        )
        kind = chance.random()
        if kind < 0.3:
            return after
        if kind < 0.45:
            return []
        if kind < 0.6 and after:
            after.pop(chance.randrange(len(after)))
        if kind > 0.7 and after and not late:
            number = chance.randrange(len(after))
            name = after[number].split()[-1]
            after[number] = chance.choice((*RELATIVE, *ABSOLUTE, "", "stationary ", "action ")) + name
        if kind > 0.8 or not after:
            name = chance.choice((*self.objects[:5], "mover", *self.wholes, "alias"))
            if self.is_free(name, after):
                after.append(("" if late else chance.choice((*RELATIVE, *ABSOLUTE, "", "", ""))) + name)
        return after

    def commands(self) -> str:
        """The commands of a rule."""
        kind = self.chance.random()
        if kind < 0.75:
            return ""
        single = ("again", "again", "again", "again", "cancel", "restart", "win", "checkpoint", "sfx0", "sfx1")
        if kind < 0.9:
            return self.chance.choice(single)
        if kind < 0.95:
            return " ".join(self.chance.sample(("again", "win", "sfx0", "cancel", "restart"), 2))
        before = self.chance.choice(("", "", "again ", "win ", "cancel ", "restart ", "sfx1 "))
        return before + self.chance.choice(("message hello [ again | win ]", "message", "message ... win"))

    def rule(self) -> str:
        """A rule. Now and then it has errors."""
        chance = self.chance
        late = chance.random() < 0.3
        head = ["late"] * late + ["rigid"] * (not late and chance.random() < 0.12)
        if chance.random() < 0.4:
            head.append(chance.choice(WAYS))
        if chance.random() < 0.1:
            chance.shuffle(head)
        left, right = [], []
        for _ in range(chance.choice((1, 1, 1, 1, 2, 2, 3))):
            cells = [self.cell(late=late) for _ in range(chance.choice((1, 2, 2, 2, 3, 4)))]
            after = [self.changed(cell, late=late) for cell in cells]
            texts, others = [" ".join(cell) for cell in cells], [" ".join(cell) for cell in after]
            for _ in range(chance.choice((0, 0, 0, 0, 0, 1, 2))):
                if len(cells) > 1:
                    at = chance.randrange(1, len(texts))
                    if "..." not in (texts[at - 1], texts[at]):
                        texts.insert(at, "...")
                        others.insert(at, "...")
            left.append(f"[ {' | '.join(texts)} ]")
            right.append(f"[ {' | '.join(others)} ]")
        commands = self.commands()
        if commands and chance.random() < 0.5:
            right = []
        text = " ".join([*head, *left, "->", *right, commands])
        return text.upper() if chance.random() < 0.05 and "message" not in text else text

    def rules(self) -> list[str]:
        """The lines of the rules."""
        chance, lines = self.chance, list[str]()
        if chance.random() < 0.6:
            lines.append(f"[ > player | {self.objects[0]} ] -> [ > player | > {self.objects[0]} ]")
        inside = False
        for _ in range(chance.randint(1, 7)):
            if not inside and chance.random() < 0.1:
                lines.append("startloop")
                inside = True
            joined = bool(lines) and lines[-1] not in ("startloop", "endloop") and chance.random() < 0.2
            lines.append("+ " * joined + self.rule())
            if inside and chance.random() < 0.4:
                lines.append("endloop")
                inside = False
        return [*lines, "endloop"] if inside else lines

    def wins(self) -> list[str]:
        """The lines of the win conditions."""
        lines = []
        for _ in range(self.chance.choice((0, 1, 1, 1, 2))):
            line = f"{self.chance.choice(('all', 'some', 'no', 'any'))} {self.chance.choice(self.names)}"
            lines.append(line + (f" on {self.chance.choice(self.names)}" if self.chance.random() < 0.6 else ""))
        return lines

    def level(self, signs: str) -> str:
        """The rows of a level. `signs` begins with the background, and ends with the players."""
        chance = self.chance
        width, height = chance.choice(((3, 3), (4, 3), (6, 1), (1, 5), (4, 4), (5, 4), (7, 5), (11, 7)))
        density = chance.choice((0.2, 0.4, 0.6))
        cells = [chance.choice(signs) if chance.random() < density else "." for _ in range(width * height)]
        for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 3))):
            cells[chance.randrange(len(cells))] = signs[-1]
        return "\n".join("".join(cells[row * width : (row + 1) * width]) for row in range(height))

    def text(self) -> str:
        """The game."""
        chance = self.chance
        prelude = ["title t", *chance.sample(PRELUDE, chance.choice((0, 0, 1, 2)))]
        likely = (("run_rules_on_level_start", 0.35), ("require_player_movement", 0.25), ("noaction", 0.4))
        prelude += [word for word, part in likely if chance.random() < part]
        objects = [f"{name}\nred" for name in ("background", *self.objects)]
        legend = [". = background"]
        named = {f"{number}": name for number, name in enumerate(self.objects[:9])}
        legend += [f"{sign} = {name}" for sign, name in named.items()]
        legend += [f"{name} = {' or '.join(names)}" for name, names in self.properties.items()]
        legend += [f"{name} = {' and '.join(names)}" for name, names in self.wholes.items()]
        legend += [f"{name} = {other}" for name, other in self.synonyms.items()]
        signs = "." + "".join(named)
        if self.wholes:
            legend.append("& = both")
            signs += "&"
        legend.append("p = player" if "player" in self.wholes else "p = mover")
        layers = ["background", *(", ".join(names) for names in self.layers)]
        levels = [self.level(signs + "p")]
        if chance.random() < 0.3:
            levels += ["message in between", self.level(signs + "p")]
        sections = {
            "OBJECTS": "\n\n".join(objects),
            "LEGEND": "\n".join(legend),
            "SOUNDS": "\n".join(chance.sample(SOUNDS, chance.choice((0, 0, 2)))),
            "COLLISIONLAYERS": "\n".join(layers),
            "RULES": "\n".join(self.rules()),
            "WINCONDITIONS": "\n".join(self.wins()),
            "LEVELS": "\n\n".join(levels),
        }
        return "\n\n".join(["\n".join(prelude), *(f"{name}\n\n{body}" for name, body in sections.items())]) + "\n"


def written(seed: int) -> str:
    """The game of a seed."""
    return Writer(random.Random(seed)).text()


if __name__ == "__main__":
    print(written(int(sys.argv[1])), end="")
