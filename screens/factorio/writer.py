"""Factorio levels and layouts in the plain form."""

from string import ascii_uppercase

from puzzlemc.screens.factorio.level import FREE, MAXIMIZE_OUTPUT, Layout, Level, area

BELTS = {"north": "↑", "east": "→", "south": "↓", "west": "←"}
INSERTERS = {"north": "⇡", "east": "⇢", "south": "⇣", "west": "⇠"}


def draw(level: Level, position: Layout | None = None) -> str:
    """Write a level in the plain form, or a layout of it with arrows; no newline at the end.

    Belts are `→` and inserters are `⇢`. An assembler shows the letter of its recipe; the first recipe is `a`.
    """
    if position is not None:
        return _arrows(level, position)
    lines = [f"Title: {level.title}"] if level.title else []
    lines += [f"Author: {level.author}"] if level.author else []
    lines.append("Factorio")
    for recipe in level.recipes:
        takes = " + ".join(f"{rate} {item}" for item, rate in recipe.takes)
        lines.append(f"recipe {recipe.name}: {takes} = {recipe.gives[1]} {recipe.gives[0]}")
    grid = [[FREE] * level.width for _ in range(level.height)]
    letters = iter(ascii_uppercase + ascii_uppercase.lower())
    for kind, ports in (("in", level.inputs), ("out", level.outputs)):
        for item in dict.fromkeys(port.item for port in ports):
            letter = next(letters)
            lines.append(f"{kind} {letter}: {item}")
            for port in ports:
                if port.item == item:
                    grid[port.cell[0]][port.cell[1]] = letter
    if level.optimize != MAXIMIZE_OUTPUT:
        lines.append(f"optimize: {level.optimize}")
    return "\n".join(lines + ["".join(row) for row in grid])


def _arrows(level: Level, layout: Layout) -> str:
    grid = [[FREE] * layout.width for _ in range(layout.height)]
    names = [recipe.name for recipe in level.recipes]
    for centre, name in layout.assemblers:
        for row, column in area(centre):
            grid[row][column] = chr(ord("a") + names.index(name) % 26) if name in names else "?"
    for row in range(layout.height):
        for column in range(layout.width):
            for words, arrows in ((layout.belts, BELTS), (layout.inserters, INSERTERS)):
                if words[row][column]:
                    grid[row][column] = arrows[words[row][column]]
    return "\n".join("".join(row) for row in grid)
