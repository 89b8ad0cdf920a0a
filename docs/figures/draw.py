"""Draws the figures of docs/performance.md from the CSV files beside this script, and the axes of the tutorial.

    python3 docs/figures/draw.py          # writes docs/pictures/figure-*.svg and axes.svg

Colors tell seam from its rivals, and markers repeat what colors say."""
import csv
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "seam", "svg.fonttype": "none", "font.size": 10,
                            "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
                            "grid.alpha": 0.3, "legend.frameon": False})
from matplotlib import pyplot  # after the backend has been chosen

here = pathlib.Path(__file__).parent
ours, fused, rivals = "#1b6ca8", "#7fb7dd", ["#d1603d", "#b08d57", "#8a8a8a", "#6b4c7a", "#3d7f5f"]


def read(name):
    """The columns of a file by their heads; the first is text, empty numbers are None."""
    with open(here / f"{name}.csv") as file:
        head, *rows = csv.reader(line for line in file if not line.startswith("#"))
    first, *others = zip(*rows)
    return dict(zip(head, [first, *[[float(x) if x else None for x in column] for column in others]]))


def save(figure, name):
    figure.tight_layout()
    figure.savefig(here.parent / "pictures" / f"{name}.svg", metadata={"Date": None})


def curves(axes, columns, mine=()):
    x, *lines = columns
    other = iter(rivals)
    for marker, line in zip("osvD^<", lines):
        axes.plot([float(value) for value in columns[x]], columns[line], marker=marker, label=line,
                  color=ours if line in mine else next(other), linewidth=2.5 if line in mine else 1.5)


def halo():
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axes, name, title in (left, "halo", "by messages"), (right, "halo-node", "through the memory of a node"):
        curves(axes, read(name), ["seam"])
        axes.set(xscale="log", yscale="log", title=title, xlabel="n, of n³ cells for each rank")
        axes.set_xticks([16, 32, 64, 128, 256], ["16", "32", "64", "128", "256"], minor=False)
        axes.minorticks_off()
        axes.legend(fontsize=8)
    left.set_ylabel("microseconds for a halo")
    save(figure, "figure-halo")


def steps():
    table = read("steps")
    names, rate = table["problem"], table["loops by hand [1e9 updates/s]"]
    figure, axes = pyplot.subplots(figsize=(9, 3.8))
    places = range(len(names))
    for shift, color, label, ratio in (-0.27, rivals[0], "loops by hand", [1] * len(names)), \
            (0, ours, "steps", table["steps"]), (0.27, fused, "steps, 8 fused", table["fused"]):
        axes.bar([p + shift for p in places], [r / q if q else 0 for r, q in zip(rate, ratio)], 0.27,
                 color=color, label=label)
    axes.set(yscale="log", ylabel="1e9 updates per second")
    axes.set_xticks(places, [name.replace(", ", "\n").replace(" of order 8", "") for name in names], fontsize=7)
    axes.legend(fontsize=8)
    save(figure, "figure-updates")


def fusion():
    table = read("steps")
    chosen = [i for i, value in enumerate(table["fused"]) if value]
    figure, axes = pyplot.subplots(figsize=(9, 3.4))
    axes.bar([i - 0.2 for i in range(len(chosen))], [table["steps"][i] for i in chosen], 0.4, color=ours,
             label="kernels one after another")
    axes.bar([i + 0.2 for i in range(len(chosen))], [table["fused"][i] for i in chosen], 0.4, color=fused,
             label="8 steps fused")
    axes.axhline(1, color=rivals[0], label="loops by hand")
    axes.set_xticks(range(len(chosen)),
                    [table["problem"][i].replace(", ", "\n").replace(" of order 8", "") for i in chosen], fontsize=8)
    axes.set(ylabel="time over loops by hand", ylim=(0, 1.45))
    axes.legend(fontsize=8, ncol=3, loc="upper center")
    save(figure, "figure-fusion")


def scaling():
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6))
    curves(left, read("scaling"), ["halo in 3D"])
    left.set(xscale="log", xlabel="ranks", ylabel="messages of the busiest rank in a step", title="counted")
    left.set_xticks([4, 16, 64, 256], ["4", "16", "64", "256"])
    curves(right, read("efficiency"), ["step of Life"])
    right.set(xscale="log", xlabel="ranks", ylabel="weak-scaling efficiency", ylim=(0, 1.05), title="predicted")
    right.set_xticks([1024, 4096, 65536, 1048576], ["1,024", "4,096", "65,536", "1,048,576"], fontsize=8)
    for axes in left, right:
        axes.minorticks_off()
        axes.legend(fontsize=8)
    save(figure, "figure-scaling")


def collectives():
    figure, axes = pyplot.subplots(figsize=(9, 3.4))
    curves(axes, read("collectives"))
    axes.axhline(1, color="black", linewidth=1, label="best rival")
    axes.set(xscale="log", yscale="log", xlabel="bytes of a block", ylabel="time over the best rival")
    axes.set_xticks([8, 512, 8192, 131072, 1048576], ["8", "512", "8 K", "128 K", "1 M"])
    axes.set_yticks([0.05, 0.1, 0.2, 0.5, 1], ["0.05", "0.1", "0.2", "0.5", "1"])
    axes.minorticks_off()
    axes.legend(fontsize=8)
    save(figure, "figure-collectives")


def axes_of_plate():
    """The tutorial's picture, which its program writes, with the names of its axes here and in ParaView."""
    plate = pyplot.imread(here.parent / "pictures" / "plate.png")
    figure, both = pyplot.subplots(1, 2, figsize=(9, 2.9))
    for axes, right, up in (both[0], "axis 1, x[1]  (contiguous)", "axis 0, x[0]"), (both[1], "X", "Y"):
        axes.imshow(plate, extent=(0, 2, 0, 1), aspect="equal")
        axes.set(xlabel=f"{right}  →", ylabel=f"{up}  →", xticks=[0, 1, 2], yticks=[0, 1])
        axes.grid(False)
    both[0].set_title("in seam: write_png, cells(i, j)")
    both[1].set_title("in ParaView: the same file")
    save(figure, "axes")


for draw in halo, steps, fusion, scaling, collectives, axes_of_plate:
    draw()
