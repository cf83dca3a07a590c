"""Small unusual levels as text: in plain form, and in the various forms found in files.

Sokoban      rooms out of reach, boxes outside, spare boxes, more goals than boxes, corridors, solved boards
Folding      boards with holes, disconnected colours, no colour, solved boards, huge numbers
Tetravex     one tile, equal tiles, games of put and swap, solved and unsolvable levels
"""

import random

Text = str


PUZZLES = ("sokoban", "folding", "tetravex")  # the puzzles that the judge knows


def odd_level(choice: random.Random, puzzle: str) -> Text:
    """The plain text of a random level."""
    return {"sokoban": sokoban, "folding": folding, "tetravex": tetravex}[puzzle](choice)


def sokoban(choice: random.Random) -> Text:
    """A room, sometimes with unusual contents around it."""
    kind = choice.choice(["room"] * 4 + ["corridor", "solved", "hungry", "spare", "rooms", "rooms", "outside"])
    height, width = choice.randint(1, 4), choice.randint(2, 5)
    if kind == "corridor":
        height, width = 1, choice.randint(2, 14)
        if choice.random() < 0.3:
            height, width = width, height
    cells = [(r, c) for r in range(1, height + 1) for c in range(1, width + 1)]
    grid = {(r, c): "#" for r in range(height + 2) for c in range(width + 2)} | dict.fromkeys(cells, " ")
    choice.shuffle(cells)
    boxes = min(choice.choice([0, 1, 1, 2, 2, 3, 3, 4]), len(cells) - 1)
    goals = choice.randint(0, boxes) if kind != "hungry" else choice.randint(1, len(cells))
    walls = int(choice.choice([0, 0, 0.15, 0.3]) * len(cells))
    grid[cells[0]] = "@"
    for cell in cells[1 : 1 + boxes]:
        grid[cell] = "$"
    for cell in cells[1 + boxes : 1 + boxes + walls]:
        grid[cell] = "#"
    open_cells = [cell for cell in cells if grid[cell] != "#"]
    choice.shuffle(open_cells)
    if kind in {"solved", "spare"}:
        open_cells.sort(key=lambda cell: grid[cell] != "$")
        goals = max(1, boxes - (kind == "spare"))
    for cell in open_cells[:goals]:
        grid[cell] = {"@": "+", "$": "*", " ": "."}[grid[cell]]
    rows = ["".join(grid[r, c] for c in range(width + 2)) for r in range(height + 2)]
    if kind == "rooms":
        other = ["".join(choice.choice("  *#.$"[: choice.choice([4, 4, 6])]) for _ in range(3)) for _ in rows[2:]]
        rows = [
            row + end for row, end in zip(rows, ["####", *(f"{inside}#" for inside in other), "####"], strict=True)
        ]
    if kind == "outside":
        rows = [choice.choice(["", "  ", "* ", "$", " .", "-"]) + row for row in rows]
        wide = max(map(len, rows))
        rows = [row.ljust(wide) + choice.choice(["", "", "#", " *", "  $"]) for row in rows]
    return "\n".join(row.rstrip() for row in rows)


def folding(choice: random.Random) -> Text:
    """A board of up to four by four cells, or a corridor of up to ten."""
    height, width = choice.randint(1, 4), choice.randint(1, 4)
    if choice.random() < 0.2:
        height, width = choice.choice([(1, choice.randint(1, 10)), (choice.randint(1, 10), 1)])
    kind = choice.choice(["full", "plain", "plain", "plain", "plain", "torn", "torn", "colourless", "solved"])
    colours = choice.choice([[1], [1, 2], [1, 2, 3], [7, 3], [1, 1_000_000_000], [2, 5, 11, 12]])
    weights = {
        "plain": (0, 9, 2),
        "torn": (3, 6, 2),
        "colourless": (1, 4, 0),
        "solved": (1, 0, 4),
        "full": (0, 1, 4),
    }[kind]
    values = choice.choices([-1, 0, None], weights, k=height * width)
    cells = [choice.choice(colours) if value is None else value for value in values]
    if kind == "plain" and choice.random() < 0.5:  # reverse a fold, so that the level may be solvable
        for cell in range(0, len(cells) - 1, 2):
            if cells[cell] > 0:
                cells[cell + 1] = 0
    return "\n".join(" ".join(map(str, cells[r * width : (r + 1) * width])) for r in range(height))


def tetravex(choice: random.Random) -> Text:
    """A game of up to two by two tiles, or a constraint of up to three by three."""
    rules = choice.choice(["", "", "Put", "Swap"])
    side = choice.choice([1, 2, 2, 2] if rules else [1, 2, 2, 2, 2, 2, 2, 3])
    colours = choice.choice([1, 2, 2, 3, 4]) + (side > 2)
    # Random edges make a solvable level; then changed numbers and repeated tiles can make it unsolvable.
    across = [[choice.randrange(colours) for _ in range(side + 1)] for _ in range(side)]
    down = [[choice.randrange(colours) for _ in range(side)] for _ in range(side + 1)]
    tiles = [
        [down[r][c], down[r + 1][c], across[r][c + 1], across[r][c]] for r in range(side) for c in range(side)
    ]
    if choice.random() < 0.7:
        choice.shuffle(tiles)
    for _ in range(choice.choice([0, 0, 1, 2])):
        choice.choice(tiles)[choice.randrange(4)] = choice.choice([0, 1, colours, 10**9])
    if choice.random() < 0.2:
        tiles[choice.randrange(len(tiles))] = list(choice.choice(tiles))
    lines = [f"Tetravex {side}", *(" ".join(map(str, tile)) for tile in tiles)]
    if rules:
        board = list(range(1, side * side + 1))
        if choice.random() < 0.8:
            choice.shuffle(board)
        if rules == "Put":
            kept = choice.choice([0, 0.2, 0.5, 1])
            board = [tile if choice.random() < kept else 0 for tile in board]
        lines += [rules, *(" ".join(map(str, board[r * side : (r + 1) * side])) for r in range(side))]
    return "\n".join(lines)


def dressed(choice: random.Random, puzzle: str, text: Text) -> Text:
    """The same level with the line ends, comments, headers and notations of other programs."""
    lines = text.split("\n")
    title = choice.choice(["", "", "Title: odd", f"Title: {odd_text(choice)}"])
    if puzzle == "sokoban":
        if choice.random() < 0.3:
            floor = choice.choice("-_")
            lines = [line.replace(" ", floor) for line in lines]
        if choice.random() < 0.3:
            lines = [line + " " * choice.randint(0, 3) for line in lines]
        if choice.random() < 0.2:
            lines = ["".join(_runs(line)) for line in lines]
        lines = [line if line.strip() else "-" for line in lines]
        if choice.random() < 0.1:
            lines = ["|".join(lines)]
        if choice.random() < 0.3:
            lines = [f"; {choice.choice(['17', 'a level', '44 (Duh!)'])}", "", *lines]
        lines += [title] if title else []
    elif puzzle == "folding":
        between = choice.choice([" ", "  ", "\t", ",", ", ", ";"])
        lines = [between.join(line.split()) for line in lines]
        lines = ([title] if title else []) + lines
        if choice.random() < 0.3:
            lines = ["% a comment", "", *lines]
    else:
        if len(lines) == 1 + int(lines[0].split()[1]) ** 2 and choice.random() < 0.3:
            side = lines[0].split()[1]
            numbers = ",\n".join(line.replace(" ", ",") for line in lines[1:])
            lines = [f"N = {side};  % odd", f"puzzle = array2d(1..N*N, 1..4, [\n{numbers}]);"]
        else:
            lines = ([title] if title else []) + lines
    end = choice.choice(["\n", "\n", "\r\n", "\r"])
    return end.join("\n".join(lines).split("\n")) + choice.choice(["", end, end * 3])


def odd_text(choice: random.Random) -> str:
    """A few characters that terminals, XML or files may handle wrongly, without line ends."""
    parts = [
        "a",
        "Zoë",
        "\x9b31;5m",
        "\u202eabc",
        "<script>",
        "]]>",
        "&amp;",
        '"',
        "|",
        "`",
        "日本",
        "\ufeff",
        "\u2028",
        "%s",
    ]
    return "".join(choice.choice(parts) for _ in range(choice.randint(1, 5)))


def _runs(line: str) -> list[str]:
    """The line, run-length encoded."""
    out: list[str] = []
    at = 0
    while at < len(line):
        end = at
        while end < len(line) and line[end] == line[at]:
            end += 1
        out.append(f"{end - at if end - at > 1 else ''}{line[at]}")
        at = end
    return out
