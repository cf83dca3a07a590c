"""What the steps of a line were chosen from, against a search by the plain rules."""

import random
from collections.abc import Hashable

import pytest
from oracle import dijkstra

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.play.answers import Map

# A level (empty: the first one to draw), the length of lines, and the kinds of their steps.
LEVELS = {
    "sokoban": (
        "########\n#   #  #\n#  $ . #\n# # $  #\n#  @ . #\n########",
        80,
        {"loses", "lost", "best", "branch", "detour"},
    ),
    "folding": ("", 8, {"only", "branch"}),
}


@pytest.mark.parametrize("name", LEVELS)
def test_choices_are_those_of_the_plain_rules(name: str) -> None:
    rules, (text, longest, expected) = puzzle(name), LEVELS[name]
    assert rules.drawing is not None
    (level,) = rules.screen.parse(text or rules.drawing().first, "level")
    metric = rules.metrics[0]
    encoded = rules.encode_faithfully(level)
    known = Map(encoded, metric, explore(encoded.model, Budget()))
    start = rules.rules.start(level)
    graph: dict[Hashable, list[tuple[Hashable, int]]] = {}
    waiting = [start]
    while waiting:
        if (here := waiting.pop()) not in graph:
            graph[here] = [(each.position, each.costs[metric]) for each in rules.rules.steps(level, here)]
            waiting += [there for there, _ in graph[here]]
    back: dict[Hashable, list[tuple[Hashable, int]]] = {position: [] for position in graph}
    for here, edges in graph.items():
        for there, cost in edges:
            back[there].append((here, cost))
    left = dijkstra([each for each in graph if rules.rules.solved(level, each)], lambda each: back[each])

    def kinds(line: list[str]) -> list[tuple[int, int, str, int, int, int]]:
        found, begin, here = [], 0, start
        for end, move in enumerate(line, 1):
            step = rules.rules.reply(level, here, move)
            assert step is not None
            if cost := step.costs[metric]:
                region = dijkstra([here], lambda each: [(there, 0) for there, paid in graph[each] if not paid])
                options = {there: paid for each in region for there, paid in graph[each] if paid and there != each}
                kept = [each for each in options if each in left]
                best = [each for each in kept if left[each] + options[each] == left[here]]
                if here not in left:
                    kind = "lost"
                elif step.position not in left:
                    kind = "loses"
                elif step.position not in best:
                    kind = "detour"
                else:
                    kind = "only" if len(kept) == 1 else "best" if len(best) == 1 else "branch"
                found.append((begin, end, kind, len(options), len(kept), len(best)))
                begin = end
                assert cost == options[step.position]
            here = step.position
        return found

    seen = set[str]()
    rng = random.Random(1)
    for _ in range(40):
        line, here = list[str](), start
        for _ in range(longest):
            steps = list(rules.rules.steps(level, here))
            kept = [each for each in steps if each.position in left]
            short = [each for each in kept if left[each.position] + each.costs[metric] == left[here]]
            wanted = rng.choices([short, kept, steps], [8, 3, 1])[0] or steps
            if not wanted:
                break
            step = rng.choice(wanted)
            line.append(step.name)
            here = step.position
        assert [tuple(each) for each in known.choices(line)] == kinds(line)
        seen |= {each.kind for each in known.choices(line)}
    assert seen >= expected
