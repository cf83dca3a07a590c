"""Matches of rules, everywhere on the board at once.

The first cells of the matches of a part are the cells where the part fits, and the planes of its terms, each
shifted back by the place of its cell in the part. Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.planes.bits import has, shifted
    from puzzlemc.encodings.puzzlescript.planes.tables import Board, Rules
    from puzzlemc.mc.words import ALL, Flag, Index, Word


def find(rules: Rules, board: Board, rule: Index) -> Flag:
    """Find the matches of a rule: the first cells of each part. Returns whether each row has a match."""
    w: Index
    for w in range(board.filled.shape[0]):
        if rules.needs[rule, w] & (ALL ^ board.filled[w]) != 0:
            return False
    row: Index
    part: Index
    first_row: Index = rules.rows[rule]
    slot: Index = 0
    for row in range(first_row, rules.rows[rule + 1]):
        first: Index = slot
        for part in range(rules.parts[row], rules.parts[row + 1]):
            if not _find_part(rules, board, part, slot):
                return False
            slot += 1
        if slot - first > 1 and not _in_line(rules, board, row, first):
            return False
    return True


def still_matches(rules: Rules, board: Board, rule: Index) -> Flag:
    """Do all terms of a rule hold at the combination of matches that is looked at?"""
    part: Index
    term: Index
    first: Index = rules.parts[rules.rows[rule]]
    for part in range(first, rules.parts[rules.rows[rule + 1]]):
        for term in range(rules.terms[part], rules.terms[part + 1]):
            if not _holds(rules, board, term, board.at[part - first] + rules.term_shift[term]):
                return False
    return True


def _find_part(rules: Rules, board: Board, part: Index, slot: Index) -> Flag:
    """Find the matches of a part, word by word: after the first term, most words have none."""
    w: Index
    term: Index
    i: Index
    any: Word = 0
    for w in range(board.words):
        here: Word = rules.starts[part, w]
        for term in range(rules.terms[part], rules.terms[part + 1]):
            there: Word = 0
            for i in range(rules.term_planes[term], rules.term_planes[term + 1]):
                there |= shifted(board.planes, rules.planes[i], rules.term_shift[term], w)
            here &= there if rules.term_holds[term] != 0 else ALL ^ there
            if here == 0:
                break
        board.found[slot, w] = here
        any |= here
    return any != 0


def _in_line(rules: Rules, board: Board, row: Index, slot: Index) -> Flag:
    """Keep the matches of parts that have matches of the parts before and behind them in line. Are there any?"""
    first: Index = rules.parts[row]
    parts: Index = rules.parts[row + 1] - first
    way: Index = rules.way[row]
    step: Index = board.step[way]
    p: Index
    w: Index
    for p in range(1, parts):  # forward: from the last cell of the part before
        for w in range(board.words):
            board.spare[0, w] = shifted(board.found, slot + p - 1, -step * (rules.length[first + p - 1] - 1), w)
        _ahead(board, way)
        any: Word = 0
        for w in range(board.words):
            board.found[slot + p, w] &= board.spare[1, w]
            any |= board.found[slot + p, w]
        if any == 0:
            return False
    for p in range(parts - 2, -1, -1):  # backward: from the first cell of the part behind
        for w in range(board.words):
            board.spare[0, w] = board.found[slot + p + 1, w]
        _ahead(board, way ^ 1)
        for w in range(board.words):
            board.found[slot + p, w] &= shifted(board.spare, 1, step * (rules.length[first + p] - 1), w)
    return True


def _ahead(board: Board, way: Index) -> None:
    """Collect in the second spare row the cells ahead of those in the first one, up to the border."""
    step: Index = board.step[way]
    w: Index
    for w in range(board.words):
        board.spare[1, w] = 0
    more: Flag = True
    while more:
        more = False
        for w in range(board.words):
            board.spare[2, w] = board.spare[0, w] & board.inner[way, w]
        for w in range(board.words):
            new: Word = shifted(board.spare, 2, -step, w) & (ALL ^ board.spare[1, w])
            board.spare[0, w] = new
            if new != 0:
                board.spare[1, w] |= new
                more = True


def _holds(rules: Rules, board: Board, term: Index, cell: Index) -> Flag:
    i: Index
    for i in range(rules.term_planes[term], rules.term_planes[term + 1]):
        if has(board.planes, rules.planes[i], cell):
            return rules.term_holds[term] != 0
    return rules.term_holds[term] == 0
