"""What may come of a turn of a PuzzleScript game with chance, for check_strategies.py.

A state is the objects of each cell, the movements of each cell, and the queued commands. What may be drawn is a
set of states, in which equal ones are one.
"""

from itertools import product

from game_rules import ACTION, BITS, STEP, NotChecked

ROUNDS = 200  # passes of a group, and ways back of the loops of a phase
MOST_STATES = 1 << 14


class Turns:
    """The outcomes of turns of a level: sets of states, in which equal ones are one."""

    def __init__(self, game):
        """Keep the level, and what was computed."""
        self.game, self.known = game, {}
        self.phases = [(game.early, game.back[False]), (game.late, game.back[True])]
        self.still = (0,) * len(game.board)

    def outcomes(self, board, name, *, starts=False):
        """The boards on which the level may go on, those on which it may be won; may it restart, or be stuck?"""
        key = board, name, starts
        if key not in self.known:
            self.known[key] = self.explore(board, name, starts)
        return self.known[key]

    def explore(self, board, name, starts):
        """Play rounds until the turn has ended in all ways."""
        settled, won, restarts, after, ends = set(), set(), False, {}, set()
        waiting, first = [(board, name, starts)], True
        while waiting:
            here, given, is_start = waiting.pop()
            node = None if first else here
            first = False
            after.setdefault(node, set())
            for cells, commands in self.rounds(here, given, is_start):
                if cells is not None and "restart" in commands and not is_start:
                    self.need_no_win_by_restart()
                    restarts = True
                    ends.add(node)
                elif not is_start and cells is not None and ("win" in commands or self.game.won(cells)):
                    won.add(cells)
                    ends.add(node)
                elif cells is None or "again" not in commands or cells == here:
                    settled.add(here if cells is None else cells)
                    ends.add(node)
                else:
                    dry = {self.does_something(cells, *each) for each in self.rounds(cells, "", False)}
                    if False in dry:
                        settled.add(cells)
                        ends.add(node)
                    if True in dry:
                        after[node].add(cells)
                        if cells not in after:
                            after[cells] = set()
                            waiting.append((cells, "", False))
                if len(settled) + len(won) + len(after) > MOST_STATES:
                    raise NotChecked("a turn draws too much")
        stuck = any(not self.may_end(node, after, ends) for node in after if node is not None)
        return settled, won, restarts, stuck

    @staticmethod
    def may_end(node, after, ends):
        """Does a way lead from a board between rounds to the end of the turn?"""
        seen, waiting = {node}, [node]
        for each in waiting:
            if each in ends:
                return True
            waiting += after[each] - seen
            seen |= after[each]
        return False

    def need_no_win_by_restart(self):
        """Raise NotChecked if the level may be won as soon as it starts again."""
        game = self.game
        boards = {game.board}
        if "run_rules_on_level_start" in game.flags:
            boards = {game.board if cells is None else cells for cells, _ in self.rounds(game.board, "", True)}
        if any(map(game.won, boards)):
            raise NotChecked("a restart that wins")

    @staticmethod
    def does_something(before, cells, commands):
        """Would a round that `again` asks for do anything?"""
        if cells is None:
            return len(commands) > 1
        return cells != before or bool(commands & {"win", "restart"})

    def rounds(self, board, name, is_start):
        """The ends of a round: the board, None if it is taken back, and the commands."""
        game, moves = self.game, list(self.still)
        places = [at for at, cell in enumerate(board) if cell & game.players]
        if name not in ("", "tick"):
            for at in places:
                for number, layer in enumerate(game.layers):
                    if board[at] & game.players & layer:
                        moves[at] |= BITS[name] << 5 * number
        found = set()
        moved = {self.move(state) for state in self.phase({(board, tuple(moves), frozenset())}, 0)}
        for cells, _, commands in self.phase(moved, 1):
            needs = name not in ("", "tick") and "require_player_movement" in game.flags and places
            if needs and not any(game.players & board[at] & ~cells[at] for at in places):
                found.add((None, frozenset()))
            elif "cancel" in commands:
                found.add((None, commands))
            else:
                found.add((cells, commands))
        return found

    def move(self, state):
        """Carry out the movements, column by column, until nothing can move any more."""
        cells, moves, commands = list(state[0]), list(state[1]), state[2]
        game, again = self.game, True
        height, width = game.height, game.width
        while again:
            again = False
            for x in range(width):
                for y in range(height):
                    at = y * width + x
                    for number, layer in enumerate(game.layers):
                        way = moves[at] >> 5 * number & 31
                        if not way:
                            continue
                        dy, dx = STEP[way]
                        if not (0 <= y + dy < height and 0 <= x + dx < width):
                            continue
                        to = at + dy * width + dx
                        if way != ACTION:
                            if cells[to] & layer:
                                continue
                            cells[to] |= cells[at] & layer
                            cells[at] &= ~layer
                        moves[at] &= ~(31 << 5 * number)
                        again = True
        return tuple(cells), self.still, commands

    def phase(self, states, number):
        """The states after all groups of a phase."""
        groups, back = self.phases[number]
        waiting = [(0, 0, False, state) for state in states]
        seen, done = set(waiting), set()
        for at, loops, changed, state in waiting:
            if at == len(groups) or loops > ROUNDS:
                done.add(state)
                continue
            for after, new in self.group(state, *groups[at]):
                is_changed = changed or new
                step = (
                    (back[at], loops + 1, False, after)
                    if is_changed and at in back
                    else (at + 1, loops, is_changed, after)
                )
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
            if len(seen) > 16 * MOST_STATES:
                raise NotChecked("a turn draws too much")
        return done

    def group(self, state, is_random, rules):
        """The states after a group, and whether anything has changed on the way."""
        if is_random:
            found = set()
            for way, rows, changes, commands in rules:
                for match in self.matches(state, way, rows):
                    for after, new in self.apply(state, rows, match) if changes else [(state, False)]:
                        found.add((self.queue(after, commands), new))
            return found or {(state, False)}
        live, done = {state}, set()
        for number in range(ROUNDS):
            following = set()
            for each in live:
                for after, new in self.passed(each, rules):
                    if new:
                        following.add(after)
                    else:
                        done.add((after, number > 0))
            before, live = live, following
            if live in (before, set()):
                break
            if len(live) > MOST_STATES:
                raise NotChecked("a turn draws too much")
        return done | {(each, True) for each in live}

    def passed(self, state, rules):
        """The states after each rule of a group in its order."""
        found = {(state, False)}
        for way, rows, changes, commands in rules:
            after = set()
            for each, new in found:
                matches = self.matches(each, way, rows)
                part = {(each, new)}
                for number, match in enumerate(matches if changes else ()):
                    next_part = set()
                    for here, made in part:
                        if number and not self.holds(here, rows, match):
                            next_part.add((here, made))
                        else:
                            next_part |= {(then, made or more) for then, more in self.apply(here, rows, match)}
                    part = next_part
                    if len(part) > MOST_STATES:
                        raise NotChecked("a turn draws too much")
                after |= {(self.queue(here, commands), made) for here, made in part} if matches else part
            found = after
        return found

    def matches(self, state, way, rows):
        """The cells of each row, for all combinations of matches; those of the first row vary fastest."""
        found = [[match for line in self.game.lines[way] for match in on_line(state, row, line)] for row in rows]
        return [match[::-1] for match in product(*reversed(found))]

    @staticmethod
    def holds(state, rows, match):
        """Does a match that was found before hold in this state?"""
        return all(
            fits(state, at, cell[0])
            for row, line in zip(rows, match, strict=True)
            for at, cell in zip(line, filter(None, row), strict=True)
        )

    @staticmethod
    def apply(state, rows, match):
        """The states after a rule is applied to a match, and whether it has changed anything."""
        places = [
            (at, cell[1])
            for row, line in zip(rows, match, strict=True)
            for at, cell in zip(line, filter(None, row), strict=True)
        ]
        for drawn in product(*(effects for _, effects in places)):
            cells, moves, changed = list(state[0]), list(state[1]), False
            for (at, _), (gone, come, lost, given) in zip(places, drawn, strict=True):
                objects, movements = cells[at] & ~gone | come, moves[at] & ~lost | given
                changed |= objects != cells[at] or movements != moves[at]
                cells[at], moves[at] = objects, movements
            yield (tuple(cells), tuple(moves), state[2]), changed

    @staticmethod
    def queue(state, commands):
        """The state with more commands: `cancel` and `restart` drop others, and after them few are taken."""
        cells, moves, queued = state
        if "cancel" in queued or ("restart" in queued and "cancel" not in commands):
            return state
        return cells, moves, commands if commands & {"cancel", "restart"} else queued | commands


def fits(state, at, condition):
    """Does a cell meet a condition?"""
    there, absent, moving, still, some = condition
    cell, movement = state[0][at], state[1][at]
    if cell & there != there or cell & absent or movement & moving != moving or movement & still:
        return False
    return all(cell & each for each in some)


def on_line(state, row, line):
    """Yield the matches of a row that start where a line starts, by the lengths of their gaps."""
    if not row:
        yield ()
    elif row[0] is None:
        for gap in range(len(line) + 1):
            yield from on_line(state, row[1:], line[gap:])
    elif line and fits(state, line[0], row[0][0]):
        for match in on_line(state, row[1:], line[1:]):
            yield (line[0], *match)
