#!/usr/bin/env python3
"""Draws the violations of a campaign: python3 plot.py FOLDER [svg|png]

Reads FOLDER/analysis/plots.json. Writes into FOLDER/plots, for each violating group, an overview of
the medians of both sides on logarithmic axes, and for each violation the times of the runs as boxes,
normalized to the median of medians of the left side, whose whiskers end at the least and the largest
time. contact.html shows all of them without any other file.
"""
import base64
import html
import json
import multiprocessing
import pathlib
import shutil
import sys

try:
    import matplotlib

    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
except ImportError:
    sys.exit(3)

LEFT, RIGHT = "tab:red", "tab:blue"

# Browsers write the text of pictures in fonts of their own: outlines of all letters take long.
matplotlib.rcParams["svg.fonttype"] = "none"


def name_of(number, group, what):
    letters = f"{group['guideline']}-{group['deployment']}-{what}"
    return f"{number:03d}-" + "".join(c if c.isalnum() or c in "-." else "_" for c in letters)


def is_number(text):
    try:
        return float(text) > 0
    except ValueError:
        return False


def title_of(group):
    return f"{group['guideline']}: {group['a']} <= {group['b']}"


def make_axes():
    """A figure whose margins are fixed: to fit them to the text would draw each figure twice."""
    figure = Figure(figsize=(6, 4))
    return figure, figure.add_axes((0.13, 0.23, 0.84, 0.64))


def draw_overview(group, varied, path):
    figure, axes = make_axes()
    points = group["points"]
    numbers = all(is_number(point["x"]) for point in points)
    places = [float(p["x"]) if numbers else k for k, p in enumerate(points)]
    for key, color, marker in (("a", LEFT, "o"), ("b", RIGHT, "s")):
        axes.plot(places, [p[key] * 1e6 for p in points], color=color, marker=marker,
                  label=group[key])
    for place, point in zip(places, points):
        if point["violation"]:
            axes.axvline(place, color="0.8", zorder=0)
    axes.set_yscale("log")
    if numbers and len(points) > 1:
        axes.set_xscale("log", base=2)
    axes.set_xticks(places, [p["x"] for p in points], rotation=45, fontsize=7)
    axes.minorticks_off()
    axes.set_xlabel(varied)
    axes.set_ylabel("median of medians [us]")
    axes.set_title(f"{title_of(group)}\n{group['deployment']}, {group['group']}", fontsize=8)
    figure.legend(fontsize=7, loc="lower right")
    save(figure, path)


def draw_boxes(axes, boxes, color, offset, label):
    """Draws all boxes of a side as two collections of lines, the medians wider than the rest."""
    lines, medians = [], []
    for k, (least, q1, median, q3, most) in enumerate(boxes):
        x = k + 1 + offset
        left, right = x - 0.175, x + 0.175
        lines.append([(left, q1), (right, q1), (right, q3), (left, q3), (left, q1)])
        lines += [[(x, least), (x, q1)], [(x, q3), (x, most)]]
        lines += [[(x - 0.09, end), (x + 0.09, end)] for end in (least, most)]
        medians.append([(left, median), (right, median)])
    axes.add_collection(LineCollection(lines, colors=color, linewidths=1, label=label))
    axes.add_collection(LineCollection(medians, colors=color, linewidths=2))


def draw_focus(group, varied, point, path):
    figure, axes = make_axes()
    draw_boxes(axes, point["boxes_a"], LEFT, -0.2, group["a"])
    draw_boxes(axes, point["boxes_b"], RIGHT, 0.2, group["b"])
    runs = max(len(point["boxes_a"]), len(point["boxes_b"]))
    axes.set_xticks(range(1, runs + 1), range(1, runs + 1), fontsize=7)
    axes.axhline(1, color="0.8", zorder=0)
    axes.autoscale_view()
    axes.set_xlabel("run")
    axes.set_ylabel(f"time / median of medians of {group['a']}", fontsize=7)
    axes.set_title(f"{title_of(group)}\n{varied} {point['x']}, {group['deployment']}, "
                   f"{group['group']}: v = {point['v']:.3f}, p = {point['p']:.1e}", fontsize=8)
    figure.legend(fontsize=7, loc="lower right")
    save(figure, path)


def save(figure, path):
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def embedded(path):
    kind = "svg+xml" if path.suffix == ".svg" else "png"
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{html.escape(path.stem)}" src="data:image/{kind};base64,{data}">'


def write_sheet(campaign, figures, path):
    body = "\n".join(f"<figure>{embedded(p)}<figcaption>{html.escape(p.name)}</figcaption></figure>"
                     for p in figures) or "<p>There are no violations.</p>"
    path.write_text(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(campaign)}</title><style>body{{font-family:sans-serif}}"
        "figure{display:inline-block;margin:.5em}img{max-width:30em}figcaption{font-size:small}"
        f"</style></head><body>\n<main>\n{body}\n</main>\n</body></html>\n")


def main(folder, suffix="svg"):
    data = json.loads((folder / "analysis" / "plots.json").read_text())
    plots = folder / "plots"
    shutil.rmtree(plots, ignore_errors=True)
    plots.mkdir()
    overviews, focuses, figures = [], [], []
    for number, group in enumerate(data["groups"], 1):
        figures.append(plots / f"{name_of(number, group, 'overview')}.{suffix}")
        overviews.append((group, data["varied"], figures[-1]))
        for point in group["points"]:
            if point["violation"]:
                figures.append(plots / f"{name_of(number, group, point['x'])}.{suffix}")
                focuses.append((group, data["varied"], point, figures[-1]))
    with multiprocessing.Pool() as pool:
        pool.starmap(draw_overview, overviews)
        pool.starmap(draw_focus, focuses)
    write_sheet(data["campaign"], figures, plots / "contact.html")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:3])
