"""Plots of an analysis as SVG for a page: their colours are the page's CSS variables, so they follow its theme."""

import re
from collections.abc import Sequence
from io import StringIO
from itertools import accumulate
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator, NullFormatter

from puzzlemc.mc.graph.analysis import ByMetric

BINS = 40  # the most bins of a distribution
LEAST = 1e-4  # seconds; smaller times are shown as this one
WIDTH, HEIGHT = 4.8, 2.5  # inches of 72 points
# The colours given to matplotlib, and the CSS variables that replace them on the page.
VARIABLES = {
    "#010101": "var(--text)",
    "#020202": "var(--soft)",
    "#030303": "var(--edge)",
    "#040404": "var(--live)",
    "#050505": "var(--bad)",
    "#060606": "var(--accent)",
}
INK, MUTED, RULE, LIVE, DEAD, ACCENT = VARIABLES
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": RULE,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "grid.color": RULE,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def by_depth(profile: ByMetric, metric: str) -> str:
    """New states at each depth: the size of the frontier, and its lost states."""
    figure, axes = _axes(f"depth in {metric}", "new states")
    depths = range(len(profile.states))
    if profile.dead is None:
        _steps(axes, depths, profile.states, LIVE, "states")
    else:
        _steps(axes, depths, profile.states, LIVE, "solvable")
        _steps(axes, depths, profile.dead, DEAD, "lost")
    return _svg(figure, axes, f"{metric}-by-depth")


def reached(profile: ByMetric, metric: str) -> str:
    """States reached up to each depth, and the lost ones among them."""
    figure, axes = _axes(f"depth in {metric}", "states reached so far")
    depths = range(len(profile.states))
    for name, counts, colour, line in [("all", profile.states, ACCENT, "-"), ("lost", profile.dead, DEAD, "--")]:
        if counts is not None:
            axes.plot(depths, list(accumulate(counts)), colour, linestyle=line, linewidth=2, label=name)
    axes.set_ylim(bottom=0)
    return _svg(figure, axes, f"{metric}-reached")


def losing(profile: ByMetric, metric: str) -> str:
    """Losing actions by the depth of their source state; empty if that is unknown."""
    if profile.losing is None:
        return ""
    figure, axes = _axes(f"depth in {metric}", "losing actions")
    _steps(axes, range(len(profile.losing.by_depth)), profile.losing.by_depth, DEAD, "losing actions")
    return _svg(figure, axes, f"{metric}-losing", legend=False)


def distribution(
    values: Sequence[float], across: str, name: str, *, unit: str = "", steps_by_factor: bool = False
) -> str:
    """The numbers of levels by value; with a logarithmic axis if values differ by powers of ten."""
    figure, axes = _axes(across, "levels")
    numbers = np.asarray(values, np.float64)
    if steps_by_factor:
        low = max(numbers[numbers > 0].min(initial=np.inf), LEAST)
        low = low if np.isfinite(low) else 1.0
        high = max(numbers.max(), low * 1.01)
        edges = np.geomspace(low, high * 1.001, BINS + 1)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(EngFormatter(unit, sep=" " if unit else ""))
        axes.xaxis.set_minor_formatter(NullFormatter())
        numbers = np.maximum(numbers, low)
    else:
        step = max(1, int(np.ceil((numbers.max() - numbers.min() + 1) / BINS)))
        edges = np.arange(numbers.min() - 0.5, numbers.max() + step + 0.5, step)
    counts, _ = np.histogram(numbers, edges)
    axes.stairs(counts, edges, fill=True, color=LIVE)
    return _svg(figure, axes, name, legend=False)


def curve(values: Sequence[float], across: str, up: str) -> str:
    """Values in their order, from 1 on."""
    figure, axes = _axes(across, up)
    axes.plot(range(1, len(values) + 1), values, color=ACCENT, linewidth=1.5)
    axes.set_ylim(0, None)
    return _svg(figure, axes, f"{up}-by-{across}", legend=False)


def _axes(across: str, up: str) -> tuple[Figure, Axes]:
    with mpl.rc_context(STYLE):
        figure = Figure((WIDTH, HEIGHT), layout="constrained")
        axes = figure.add_subplot()
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_formatter(EngFormatter(sep=""))
        axes.grid(axis="y", linewidth=0.6)
        axes.set_axisbelow(True)
    return figure, axes


def _steps(axes: Axes, depths: Sequence[int], counts: Sequence[int], colour: str, label: str) -> None:
    """A bar for each depth, without gaps, drawn as one filled outline."""
    edges = [depth - 0.5 for depth in (*depths, len(depths))]
    axes.stairs(counts, edges, fill=True, color=colour, alpha=0.9, label=label)


def _svg(figure: Figure, axes: Axes, name: str, *, legend: bool = True) -> str:
    """The figure as an element of a page; `name` makes its ids unique."""
    with mpl.rc_context(STYLE | {"svg.hashsalt": name}):
        if legend:
            axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, 1.16), ncols=2, borderaxespad=0)
        file = StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", text)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r'\1 aria-hidden="true"', text, count=1)
    text = re.sub(r"#(0[1-6])\1\1", lambda match: VARIABLES[match[0]], text)
    return re.sub(r"\s*\n\s*", "\n", text)
