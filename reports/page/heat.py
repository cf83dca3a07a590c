"""Heat maps: for each kind of atom about places, the number of states in which it holds at each place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from puzzlemc.encodings.puzzle.encoded import Place
from puzzlemc.encodings.puzzle.explanation import name_of
from puzzlemc.mc.graph.analysis import Visits
from puzzlemc.reports.formats.drawing import css_class, extent, svg_shapes
from puzzlemc.reports.output.plain import xml
from puzzlemc.reports.output.words import number, share
from puzzlemc.reports.page.board import BOARD, fitted, view
from puzzlemc.reports.page.report import Report, families
from puzzlemc.screens.base.picture import Picture, Shape

MOST_HEAT_MAPS = 6
MOST_SHADES = 9
EDGE = 1e-6  # of a cell, which a shape inside it may exceed by rounding
TEXT_IN_CELLS = 24  # columns and rows up to which a heat map has numbers in its cells
ON_A_TELEPHONE = 15  # columns up to which these numbers can be read on a telephone, and in print


@dataclass(frozen=True)
class Scale:
    """The range of the colours of a map: the smallest and the largest number of states of a place."""

    least: int
    most: int

    def shade(self, states: int) -> int:
        """The colour of a place, from 1 to `MOST_SHADES`; the strongest if all places are equal."""
        if self.least == self.most:
            return MOST_SHADES
        return 1 + round((MOST_SHADES - 1) * (states - self.least) / (self.most - self.least))


def heat_maps(report: Report, board: Picture) -> list[dict[str, Any]]:
    """The first MOST_HEAT_MAPS maps: name, picture, legend and table of each; none if too few states are known."""
    if report.too_few:
        return []
    found = []
    every = report.analysis.states
    board = fitted(_unchanged(report, board))
    dead_places = report.dead_places
    for family, visited in list(_families(report).items())[:MOST_HEAT_MAPS]:
        dead = dead_places.get(family, [])
        nowhere = Visits(0, None if report.analysis.solvable is None else 0)
        places = dict(sorted((dict.fromkeys(dead, nowhere) | visited).items()))
        name = named(family, report)
        counts = [visits.states for place, visits in places.items() if place not in dead]
        scale = Scale(min(counts), max(counts)) if counts else None
        found.append(
            {
                "name": name,
                "svg": _heat_map(report, board, name, places, scale, frozenset(dead)),
                "dead": dead,
                "scale": scale,
                "least": share(scale.least, every) if scale else "",
                "most": share(scale.most, every) if scale else "",
                "rows": [
                    (place, number(visits.states), share(visits.states, every), _dead_share(visits))
                    for place, visits in places.items()
                ],
            }
        )
    return found


def how_many(report: Report) -> int:
    """The number of possible maps."""
    return len(_families(report))


def _families(report: Report) -> dict[str, dict[Place, Visits]]:
    """The families of atoms with their visited places, without those that are the same in all states."""
    every = report.analysis.states
    found = families(report.encoded.places, report.analysis.atoms)
    changing = {
        family: visited
        for family, visited in found.items()
        if report.dead_places.get(family) or any(visits.states != every for visits in visited.values())
    }
    return changing or found


def _unchanged(report: Report, picture: Picture) -> Picture:
    """The picture with those pieces alone that are inside cells in which no atom changes."""
    if not report.has_all_states:
        return replace(picture, pieces=())
    atoms, every = report.analysis.atoms, report.analysis.states
    steady: dict[Place, bool] = {}
    for names in report.encoded.places.values():
        for place, name in names.items():
            steady[place] = steady.get(place, True) and atoms[name].states in (0, every)

    def stays(shape: Shape) -> bool:
        left, top, right, bottom = extent(shape)
        row, column = int(top), int(left)
        return steady.get((row, column), False) and right <= column + 1 + EDGE and bottom <= row + 1 + EDGE

    return replace(picture, pieces=tuple(filter(stays, picture.pieces)))


def named(family: str, report: Report) -> str:
    """The subject of a map in words, because a number alone has no meaning."""
    return f"{report.rules.display.number_meaning} {family}".strip() if family.isdigit() else family


def _heat_map(
    report: Report,
    board: Picture,
    name: str,
    places: Mapping[Place, Visits],
    scale: Scale | None,
    dead: frozenset[Place],
) -> str:
    with_text = max(board.width, board.height) <= TEXT_IN_CELLS
    parts = [BOARD, svg_shapes(board.pieces)]
    for (row, column), visits in places.items():
        title = f"({name_of((row, column))}): {number(visits.states)} states"
        title += f", {share(visits.states, report.analysis.states)}"
        title += f", {part} of them lost" if visits.states and (part := _dead_share(visits)) else ""
        look = "heat dead" if (row, column) in dead or scale is None else f"heat h{scale.shade(visits.states)}"
        place = f'x="{column + 0.02:g}" y="{row + 0.02:g}" width=".96" height=".96"'
        # The floor again, which hides what the board shows behind the number.
        square = f'<rect class="{css_class("floor")}" {place}/><rect class="{look}" {place}/>'
        if (row, column) in dead or scale is None:
            square += f'<path class="cross" d="M{column + 0.2:g} {row + 0.2:g}l.6 .6m0-.6l-.6 .6"/>'
        elif with_text:
            text = percent_in_cell(visits.states, scale.most, report.analysis.states)
            square += f'<text class="share" x="{column + 0.5:g}" y="{row + 0.5:g}">{xml(text)}</text>'
        parts.append(f"<g>{square}<title>{xml(title)}</title></g>")
    small = "" if board.width <= ON_A_TELEPHONE else ' class="small"'
    return view(board, f"Heat map of {name}; the table below has its numbers", f"<g{small}>{''.join(parts)}</g>")


def percent_in_cell(part: int, most: int, whole: int) -> str:
    """A share in percent that fits into a cell, with more digits for larger shares.

    `most` is the largest one of the map.
    """
    unit = 1.0 if 100 * most >= 10 * whole else 0.1
    percent = 100 * part / whole
    if percent < unit:
        return "<1" if unit == 1 else "<.1"
    text = f"{percent:.{0 if unit == 1 else 1}f}"
    return ">99" if text == "100" and part < whole else text


def _dead_share(visits: Visits) -> str:
    if visits.solvable is not None:
        return share(visits.states - visits.solvable, visits.states)
    return f"at least {share(visits.known_dead, visits.states)}" if visits.known_dead else ""
