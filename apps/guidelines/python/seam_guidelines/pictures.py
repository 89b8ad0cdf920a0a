"""Pictures of the violations, by Matplotlib.

For each violating group an overview of the medians of both sides on logarithmic axes, and for each violation
the times of the runs as boxes, normalized to the median of medians of the left side, whose whiskers end at
the least and the largest time.
"""

import multiprocessing
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .placed import real_number
from .tables import Group

LEFT, RIGHT = "tab:red", "tab:blue"
TITLE_WIDTH, LABEL_WIDTH = 84, 60
"""Letters of a line of a title and of a label beside an axis, which the figure has room for."""

# Browsers write the text of pictures in fonts of their own: outlines of all letters take long.
matplotlib.rcParams["svg.fonttype"] = "none"


def draw_pictures(groups: list[Group], varied: str, plots: Path, suffix: str) -> None:
    """Draws all pictures into the folder `plots`, as files with the suffix svg or png."""
    tasks: list[tuple[Callable[..., Figure], tuple[Any, ...], Path]] = []
    for number, group in enumerate(groups, 1):
        overview = plots / f"{_name_of(number, group, 'overview')}.{suffix}"
        tasks.append((overview_of, (group, varied), overview))
        for point in group["points"]:
            if point["violation"]:
                focus = plots / f"{_name_of(number, group, point['x'])}.{suffix}"
                tasks.append((focus_of, (group, varied, point), focus))
    with multiprocessing.Pool() as pool:
        pool.starmap(_draw, tasks)


def overview_of(group: Group, varied: str) -> Figure:
    """Draws the medians of both sides of a group along the varied column."""
    figure, axes = _make_axes(_title_of(group), f"{group['deployment']}, {group['group']}")
    points = group["points"]
    numbers = all(real_number(point["x"]) for point in points)
    places = [float(point["x"]) if numbers else k for k, point in enumerate(points)]
    for key, color, marker in (("a", LEFT, "o"), ("b", RIGHT, "s")):
        medians = [point[key] * 1e6 for point in points]
        axes.plot(places, medians, color=color, marker=marker, label=group[key])
    for place, point in zip(places, points):
        if point["violation"]:
            axes.axvline(place, color="0.8", zorder=0)
    axes.set_yscale("log")
    if numbers and len(points) > 1:
        axes.set_xscale("log", base=2)
    axes.set_xticks(places, [point["x"] for point in points], rotation=45, fontsize=7)
    axes.minorticks_off()
    axes.set_xlabel(varied)
    axes.set_ylabel("median of medians [us]")
    figure.legend(fontsize=7, loc="lower right")
    return figure


def focus_of(group: Group, varied: str, point: dict[str, Any]) -> Figure:
    """Draws the times of the runs of both sides of a violation as boxes."""
    where = f"{varied} {point['x']}, {group['deployment']}, {group['group']}"
    figure, axes = _make_axes(_title_of(group), f"{where}: v = {point['v']:.3f}, p = {point['p']:.1e}")
    _draw_boxes(axes, point["boxes_a"], LEFT, -0.2, group["a"])
    _draw_boxes(axes, point["boxes_b"], RIGHT, 0.2, group["b"])
    runs = range(1, 1 + max(len(point["boxes_a"]), len(point["boxes_b"])))
    axes.set_xticks(runs, [str(run) for run in runs], fontsize=7)
    axes.axhline(1, color="0.8", zorder=0)
    axes.autoscale_view()
    axes.set_xlabel("run")
    label = f"time / median of medians of {group['a']}"
    axes.set_ylabel(textwrap.fill(label, LABEL_WIDTH), fontsize=7)
    figure.legend(fontsize=7, loc="lower right")
    return figure


def _name_of(number: int, group: Group, what: str) -> str:
    name = re.sub(r"[^A-Za-z0-9.-]", "_", f"{group['guideline']}-{group['deployment']}-{what}")
    return f"{number:03d}-{name}"


def _title_of(group: Group) -> str:
    return f"{group['guideline']}: {group['a']} <= {group['b']}"


def _make_axes(*titles: str) -> tuple[Figure, Axes]:
    """Makes a figure with room for all lines of its titles. Its other margins are fixed: to fit them to the
    text would draw each figure twice."""
    title = "\n".join(textwrap.fill(text, TITLE_WIDTH) for text in titles)
    figure = Figure(figsize=(6, 4))
    bottom, line = 0.23, 0.034
    height = 0.97 - line * (1 + title.count("\n")) - bottom
    axes = figure.add_axes((0.13, bottom, 0.84, height))
    axes.set_title(title, fontsize=8)
    return figure, axes


def _draw_boxes(axes: Axes, boxes: list[list[float]], color: str, offset: float, label: str) -> None:
    """Draws all boxes of a side as two collections of lines, the medians wider than the rest."""
    lines, medians = [], []
    for number, (least, q1, median, q3, most) in enumerate(boxes, 1):
        x = number + offset
        left, right = x - 0.175, x + 0.175
        lines.append([(left, q1), (right, q1), (right, q3), (left, q3), (left, q1)])
        lines += [[(x, least), (x, q1)], [(x, q3), (x, most)]]
        lines += [[(x - 0.09, end), (x + 0.09, end)] for end in (least, most)]
        medians.append([(left, median), (right, median)])
    axes.add_collection(LineCollection(lines, colors=color, linewidths=1, label=label))
    axes.add_collection(LineCollection(medians, colors=color, linewidths=2))


def _draw(make: Callable[..., Figure], arguments: tuple[Any, ...], path: Path) -> None:
    figure = make(*arguments)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
