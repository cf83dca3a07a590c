"""Measures how soon a game is judged after one of its rules is gone, and checks the verdicts that stay.

    python benchmarks/changed_rule.py screens/levels/puzzlescript/thaw.txt
    python benchmarks/changed_rule.py --levels 0 ../shared/puzzlescript/examples/microban.txt

The game gets more levels, its own ones mirrored and turned, until it has as many as `--levels` says; 0 adds none.
Then each line of its rules is left out in turn. For each line: how many levels cannot see that, so that their
verdicts stay; the seconds until these are known, until the first of the others is judged, half of them, and all.
The verdicts that stay are compared with those that are found anew, and so are the costs that are proved.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from starlette.testclient import TestClient

from puzzlemc.reports.serve.app import application
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.puzzlescript import cut
from puzzlemc.screens.puzzlescript.lines import read

HERE = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
WARM = 8.0  # seconds until the workers of a server have loaded all code


class Review(NamedTuple):
    """What a page knows of a text after all answers, and when it knew it."""

    keys: list[str]
    verdicts: dict[str, dict[str, Any]]  # by keys
    digests: list[str]
    keys_at: float
    judged_at: list[float]


def review(socket: Any, text: str, known: list[str], number: int) -> Review:
    """Ask about all levels of a game."""
    began = time.perf_counter()
    asked = {"ask": "review", "n": number, "puzzle": "puzzlescript", "text": text, "known": known}
    socket.send_text(json.dumps(asked))
    keys, keys_at, verdicts, digests, judged = [], 0.0, {}, list[str](), dict[int, float]()
    while True:
        answer = json.loads(socket.receive_text())
        now = time.perf_counter() - began
        if answer["n"] != number:
            continue
        if answer["kind"] == "levels":
            keys, keys_at = answer["keys"], now
        elif answer["kind"].startswith("level "):
            judged.setdefault(answer["number"], now)
            verdicts[answer["key"]] = answer
        elif answer["kind"] == "done":
            return Review(keys, verdicts, [*digests, *verdicts], keys_at, sorted(judged.values()))
        digests += [answer["look"]] if "look" in answer else []


def with_more_levels(text: str, most: int) -> str:
    """The game with levels mirrored and turned upside down, too."""
    boards = [part.text.rpartition(")\n")[2].split("\n") for part in cut(text, "game") if isinstance(part, Part)]
    mirrored = [[row[::-1] for row in board] for board in boards]
    more = [*mirrored, *(board[::-1] for board in boards), *(board[::-1] for board in mirrored)]
    made = more[: max(0, most - len(boards))]
    return "\n\n".join([text.rstrip("\n"), *("\n".join(board) for board in made)]) + "\n"


def without_rules(text: str) -> Iterator[tuple[int, str]]:
    """The game without each line of its rules."""
    lines = text.split("\n")
    for line, rule in read(text).rules:
        if "->" in rule and not rule.strip().startswith("+"):
            yield line, "\n".join([*lines[: line - 1], "", *lines[line:]])


def differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Do two verdicts contradict each other? One that a limit of time has ended says less."""
    if "unknown" in {one["verdict"], other["verdict"]}:
        return False
    if one["verdict"] != other["verdict"]:
        return True
    return bool(one["optimal"] and other["optimal"] and one["cost"] != other["cost"])


def main() -> int:
    """Leave out each rule; the exit code is 1 if a verdict that stays is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", type=Path)
    parser.add_argument("--levels", type=int, default=40, metavar="N", help="levels of the game")
    chosen = parser.parse_args()
    text = with_more_levels(chosen.game.read_text(encoding="utf-8").replace("\r\n", "\n"), chosen.levels)
    number, wrong, firsts = count(1), 0, []
    with (
        TestClient(application("secret"), base_url=HERE["origin"]) as client,
        client.websocket_connect("/secret/live", headers=HERE) as socket,
    ):
        time.sleep(WARM)
        before = review(socket, text, [], next(number))
        for line, changed in without_rules(text):
            after = review(socket, changed, before.digests, next(number))
            fresh = review(socket, changed, [], next(number))
            kept = [key for key in after.keys if key in before.verdicts]
            wrong += sum(differ(before.verdicts[key], fresh.verdicts[key]) for key in kept)
            times = after.judged_at
            firsts += times[:1]
            judged = f"{times[0]:.2f}, {times[len(times) // 2]:.2f}, {times[-1]:.2f} s" if times else "none"
            total = len(after.keys)
            print(
                f"line {line}: {len(kept)} of {total} stay ({after.keys_at:.2f} s), judged: {judged}", flush=True
            )
    print(f"first verdict after {max(firsts, default=0):.2f} s at most; {wrong} verdicts that stay are wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
