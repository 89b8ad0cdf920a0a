#!/usr/bin/env python3
"""Compares tables of seam-bench-scale: how costs grow, and what a model predicts for more ranks.

    growth.py 1.csv 2.csv 64.csv 128.csv 256.csv
    growth.py 2.csv 64.csv 256.csv --predict --latency 1e-6 --plot scale.svg
    growth.py 2.csv 8.csv --verify hosts.csv --cores 2

Prints exponents of P, of the cells or of the edges of a rank, and fails if a cost of 64 ranks and
more grows faster with P than it may. docs/scale.md explains the model:

    step     T(P, n) = (1 - f) n c + max(f n c, L + (s - 1) g + b(n) / B) + k d L
    RIB      T(P, n) = l (n c + k d L) + (b0 + (l - l0 + m) b) / B
    b(n) ~ n^((D - 1) / D), f = (1 - 2 / n^(1/D))^D, m = 2 P / 4096 beyond 4096 parts
"""

import argparse
import csv
import math
import sys
from dataclasses import dataclass

NAMES = (
    "operation,transport,ranks,cells,edges,seconds,sends,collectives,messages,bytes,allocations,"
    "kept,peak,others,process"
).split(",")
LEAST_FITTED = 4  # with fewer ranks blocks have other numbers of neighbors
LEAST_JUDGED = 64  # with fewer ranks all blocks lie at borders
SIZES = {
    "O(1)": lambda ranks: 1,
    "O(log P)": math.log2,
    "O(log^2 P)": lambda ranks: math.log2(ranks) ** 2,
    "O(P^1/3)": math.cbrt if hasattr(math, "cbrt") else lambda ranks: ranks ** (1 / 3),
    "O(P)": lambda ranks: ranks,
}
FIXED, LOG, LOG2, ROOT, EACH = SIZES
STEADY = (FIXED,) * 5
SPREAD = (LOG, LOG, FIXED, FIXED, FIXED)
BY_NODE = (LOG, EACH, FIXED, FIXED, FIXED)  # a call of all finds who shares a node
PLANNED = (LOG, EACH, FIXED, EACH, FIXED)  # rank 0 plans: it knows the place of every rank
TABLED = (LOG, EACH, EACH, EACH, EACH)  # a number for every rank: places, counters, nodes
MOVED = (ROOT, LOG, FIXED, FIXED, FIXED)
QUANTITIES = {"messages": 8, "bytes": 2048, "kept": 2048, "peak": 2048, "others": 2048}
# How messages, bytes sent, bytes kept, peak, and the peak of ranks but rank 0 may grow; the numbers
# of QUANTITIES are noise.
ALLOWED = {
    "Runtime": BY_NODE,
    "message": STEADY,
    "16 messages": STEADY,
    "message of 32 KiB": STEADY,
    "communicator": SPREAD,
    "communicator and node": BY_NODE,
    "graph": SPREAD,
    "placement": TABLED,
    "mapping of a grid": PLANNED,
    "mapping of a graph": PLANNED,
    "sparse automatic": SPREAD,
    "sparse consensus": SPREAD,
    "sparse counts": TABLED,
    "sparse two_level": TABLED,
    "sparse cached": SPREAD,
    "Grid<2>": PLANNED,
    "Grid<3>": PLANNED,
    "step of Life": STEADY,
    "field": (LOG, EACH, FIXED, EACH, EACH),
    "halo": BY_NODE,
    "run of a halo": STEADY,
    "step of Jacobi": SPREAD,
    "save": (LOG, EACH, FIXED, EACH, EACH),  # pieces of a MiB, each with its checksum
    "load": (EACH, EACH, FIXED, EACH, EACH),
    "Mesh": MOVED,
    "RIB": (LOG2, EACH, FIXED, EACH, EACH),  # histograms of all parts, from 4096 parts on
    "migration": MOVED,
    "halo of a mesh": BY_NODE,
    "step of mesh diffusion": STEADY,
}


def refuse(line):
    sys.exit(f"growth: {line}")


class Table(dict):
    """The rows of one number of ranks: (operation, transport) to a row by NAMES."""

    def __init__(self, path):
        super().__init__()
        try:
            with open(path, newline="", encoding="utf-8") as file:
                lines = list(csv.reader(file))
        except (OSError, UnicodeError) as problem:
            refuse(f"'{path}': {problem}")
        if not lines or lines[0] != NAMES:
            first = ",".join(lines[0])[:40] if lines else ""
            refuse(f"{path}:1: '{first}' (expected the names of columns that --csv writes)")
        for number, words in enumerate(lines[1:], 2):
            try:
                row = dict(zip(NAMES, words[:2] + [float(word) for word in words[2:]], strict=True))
            except ValueError:
                refuse(f"{path}:{number}: '{','.join(words)[:40]}' (expected two names and 13 numbers)")
            self[row["operation"], row["transport"]] = row
        if not self:
            refuse(f"{path}: no rows (expected a table that --csv has written)")
        row = next(iter(self.values()))
        self.ranks, self.cells, self.edges = (int(row[name]) for name in ("ranks", "cells", "edges"))


def variable_of(tables):
    """The variable in which tables differ: ranks, if these do; else cells, or edges."""
    for along in ("ranks", "cells", "edges"):
        if len({getattr(table, along) for table in tables}) == len(tables):
            break
    else:
        refuse("tables of the same ranks, cells and edges (expected that one differs)")
    last = tables[-1]
    for table in tables if along == "ranks" else []:
        if table.ranks >= LEAST_FITTED and (table.cells, table.edges) != (last.cells, last.edges):
            refuse(
                f"{table.cells} cells and {table.edges} edges on {table.ranks} ranks (expected "
                f"{last.cells} and {last.edges} as on {last.ranks} ranks)"
            )
    return along


@dataclass
class Trend:
    """The growth of a number of an operation."""

    exponent: float  # p of the fit a x^p
    slope: float  # of the last two tables
    is_too_fast: bool

    def __str__(self):
        return f"{self.exponent:8.2f}{'!' if self.is_too_fast else ' '}"


def exponent_of(points):
    logs = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    n = len(logs)
    sum_x, sum_y = sum(x for x, _ in logs), sum(y for _, y in logs)
    spread = n * sum(x * x for x, _ in logs) - sum_x**2
    return (n * sum(x * y for x, y in logs) - sum_x * sum_y) / spread if spread > 0 else 0


def trend_of(points, allowed, noise):
    """The trend of points (x, y); `allowed` is None if they are not of ranks."""
    slope = 0
    if len(points) > 1:
        (x0, y0), (x1, y1) = points[-2:]
        slope = (y1 - y0) / (x1 - x0)
    is_too_fast = False
    judged = [point for point in points if allowed and point[0] >= LEAST_JUDGED]
    if judged:
        (x0, y0), (x1, y1) = judged[0], judged[-1]
        tolerance = 1.5  # lists that grow by doubling may be half empty
        is_too_fast = y1 > tolerance * SIZES[allowed](x1) / SIZES[allowed](x0) * y0 + noise
    return Trend(exponent_of(points), slope, is_too_fast)


def judge(tables, along):
    """(operation, transport) to the trends of QUANTITIES."""
    fitted = [table for table in tables if along != "ranks" or table.ranks >= LEAST_FITTED]
    verdicts = {}
    for key in tables[-1]:
        if key[0] not in ALLOWED:
            refuse(f"'{key[0]}' (expected an operation of seam-bench-scale)")
        verdicts[key] = {
            name: trend_of(
                [(getattr(table, along), table[key][name]) for table in fitted if key in table],
                allowed if along == "ranks" else None,
                noise,
            )
            for (name, noise), allowed in zip(QUANTITIES.items(), ALLOWED[key[0]])
        }
    return verdicts


def compare(tables):
    """Prints how costs grow, and fails if one grows too fast."""
    along = variable_of(tables)
    verdicts = judge(tables, along)
    heads = "".join(f"{name:>9}" for name in QUANTITIES)
    print(f"{'operation':<24}{'transport':<10}{heads}{'kept/each':>12}{'peak/each':>12}")
    wrong = ""
    for (operation, transport), trends in verdicts.items():
        is_wrong = any(trend.is_too_fast for trend in trends.values())
        numbers = "".join(str(trend) for trend in trends.values())
        slopes = f"{trends['kept'].slope:12.1f}{trends['peak'].slope:12.1f}"
        mark = "  grows too fast" if is_wrong else ""
        print(f"{operation:<24}{transport:<10}{numbers}{slopes}{mark}")
        if is_wrong and not wrong:
            words = ("messages", "bytes sent", "kept", "at most", "on ranks but rank 0")
            allowed = ", ".join(f"{a} {word}" for a, word in zip(ALLOWED[operation], words))
            wrong = f"'{operation}' by {transport} grows too fast (expected {allowed})"
    if along != "ranks":
        return
    for transport in ("messages", "shared"):
        if sum(key[1] == transport for key in verdicts) > 1:
            objects = [("Runtime", "messages")] + [(o, transport) for o in ("Grid<3>", "field", "halo")]
            kept = sum(max(0, verdicts[key]["kept"].slope) for key in objects if key in verdicts)
            print(f"by {transport} a program on a grid keeps {kept:.1f} bytes for each further rank")
    if wrong:
        refuse(wrong)


@dataclass
class Network:
    latency: float  # of a message [s]
    gap: float  # by which each further message at a time takes longer [s]
    bandwidth: float  # of a process [bytes/s]
    arity: int = 2  # processes that one reaches in a step of a collective call

    def depth(self, ranks):
        return math.ceil(math.log2(ranks) / math.log2(self.arity) - 1e-9)


def levels_of(ranks):
    return math.ceil(math.log2(ranks))


class Program:
    """A program whose step is predicted: the time of a cell is that of the first table with times, the
    messages are those of the last table."""

    def __init__(self, tables, operation, dimensions, is_bisection):
        key = (operation, "messages")
        least = 2 if is_bisection else 1
        timed = [t for t in tables if key in t and t.ranks >= least and t[key]["seconds"] >= 0]
        if not timed:
            refuse(
                f"no time of '{operation}' by messages (expected a table of {least} ranks or more, "
                "each with a core)"
            )
        if key not in tables[-1]:
            refuse(f"no row of '{operation}' by messages on {tables[-1].ranks} ranks (expected one)")
        self.operation, self.dimensions, self.is_bisection = operation, dimensions, is_bisection
        self.block = timed[0].cells
        self.levels = max(1, levels_of(tables[-1].ranks))
        levels_timed = levels_of(timed[0].ranks) if is_bisection else 1
        self.of_cell = timed[0][key]["seconds"] / levels_timed / self.block
        counted = tables[-1][key]
        self.cells, self.sends, self.bytes = counted["cells"], counted["sends"], counted["bytes"]
        self.calls = counted["collectives"] / (self.levels if is_bisection else 1)
        self.of_level = self.bytes / self.levels
        before = tables[-2] if len(tables) > 1 else {}
        if key in before and before[key]["bytes"] > 0 and levels_of(before.ranks) < self.levels:
            added = self.bytes - before[key]["bytes"]
            self.of_level = added / (self.levels - levels_of(before.ranks))

    def seconds(self, over, ranks, cells):
        """The time of a step on `ranks` with `cells` each."""
        if self.is_bisection:
            return self.seconds_of_bisection(over, ranks, cells)
        surface = (cells / self.cells) ** (1 - 1 / self.dimensions)
        messages = 0
        if self.sends > 0:
            messages = over.latency + (self.sends - 1) * over.gap + self.bytes * surface / over.bandwidth
        computing = cells * self.of_cell
        inner = computing * max(0, 1 - 2 / cells ** (1 / self.dimensions)) ** self.dimensions
        calls = self.calls * over.depth(ranks) * over.latency
        return computing - inner + max(inner, messages) + calls

    def seconds_of_bisection(self, over, ranks, cells):
        fewest_bins = 4096  # parts beyond which histograms are the shortest
        levels = levels_of(ranks)
        long_levels = 2 * ranks / fewest_bins if ranks > fewest_bins else 0
        sent = self.bytes + (levels - self.levels + long_levels) * self.of_level
        calls = self.calls * over.depth(ranks) * over.latency
        return levels * (cells * self.of_cell + calls) + sent / over.bandwidth


def programs_of(tables):
    return [
        Program(tables, "step of Jacobi", 3, False),
        Program(tables, "step of Life", 2, False),
        Program(tables, "step of mesh diffusion", 3, False),
        Program(tables, "RIB", 3, True),
    ]


def predict(tables, over, picture):
    """Prints times on 1,024 to 1,048,576 ranks: weak scaling, and strong from 1,024 ranks on."""
    fewest = 1 << 10
    programs = programs_of(tables)
    print(
        f"latency {over.latency:g} s, gap {over.gap:g} s, bandwidth {over.bandwidth:g} bytes/s, trees "
        f"of arity {over.arity}\n{'program':<24}{'ranks':>9}{'cells':>12}{'weak':>12}{'efficiency':>12}"
        f"{'cells':>12}{'strong':>12}{'speed-up':>10}"
    )
    curves = {}
    for program in programs:
        name = program.operation.removeprefix("step of ")
        for exponent in range(10, 21, 2):
            ranks = 1 << exponent
            share = program.block * fewest / ranks
            weak = program.seconds(over, ranks, program.block)
            strong = program.seconds(over, ranks, share)
            levels = levels_of(ranks) if program.is_bisection else 1
            efficiency = levels * program.block * program.of_cell / weak
            speed_up = program.seconds(over, fewest, program.block) / strong
            print(
                f"{program.operation:<24}{ranks:>9}{program.block:>12.0f}{weak:>12.3e}"
                f"{efficiency:>12.2f}{share:>12.1f}{strong:>12.3e}{speed_up:>10.1f}"
            )
            curves.setdefault(f"{name}, efficiency", []).append((exponent, efficiency))
            curves.setdefault(f"{name}, speed-up", []).append((exponent, speed_up))
    if picture:
        draw(curves, picture)


def draw(curves, path):
    try:
        import matplotlib
    except ImportError:
        refuse(f"--plot: {sys.executable} has no Matplotlib (on Debian: apt-get install python3-matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(len(curves) // 2, 2, figsize=(9, 2 * len(curves) // 2), squeeze=False)
    for axes, (name, points) in zip(panels.flat, curves.items()):
        axes.plot(*zip(*points), marker="o")
        axes.set(title=name, ylim=(0, None))
    for axes in panels[-1]:
        axes.set_xlabel("binary logarithm of the ranks")
    figure.tight_layout()
    figure.savefig(path)


def verify(tables, timed, cores, tolerance):
    """Prints predictions for tables of another network beside its times; fails if one is wrong."""
    print(
        f"{'program':<24}{'ranks':>6}{'cells':>10}{'latency':>12}{'gap':>12}{'bandwidth':>12}"
        f"{'predicted':>12}{'measured':>12}{'ratio':>7}"
    )
    wrong = ""
    for measured in timed:

        def seconds_of(operation):
            row = measured.get((operation, "messages"))
            if row is None or row["seconds"] < 0:
                refuse(
                    f"no time of '{operation}' by messages on {measured.ranks} ranks (expected one in a "
                    "table to verify)"
                )
            return row["seconds"]

        one, many, longer = map(seconds_of, ("message", "16 messages", "message of 32 KiB"))
        over = Network(one, max(0, (many - one) / 15), 32768 / max(longer - one, 1e-12))
        used = [table for table in tables if table.ranks <= measured.ranks]
        if not used or used[-1].ranks != measured.ranks:
            refuse(f"no table of {measured.ranks} ranks to verify another one (expected one)")
        for program in programs_of(used):
            program.of_cell *= max(1, measured.ranks / cores) if cores else 1
            predicted = program.seconds(over, measured.ranks, measured.cells)
            found = seconds_of(program.operation)
            print(
                f"{program.operation:<24}{measured.ranks:>6}{measured.cells:>10}{over.latency:>12.2e}"
                f"{over.gap:>12.2e}{over.bandwidth:>12.3e}{predicted:>12.3e}{found:>12.3e}"
                f"{predicted / found:>7.2f}"
            )
            if abs(predicted / found - 1) > tolerance and not wrong:
                wrong = (
                    f"{predicted:.3e} s predicted for '{program.operation}' on {measured.ranks} ranks with "
                    f"{measured.cells} cells each (expected {found:.3e} s, as measured, within {tolerance:g})"
                )
    if wrong:
        refuse(wrong)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+", metavar="FILE.csv", help="of several numbers of ranks")
    parser.add_argument("--predict", action="store_true", help="times on 1024 to 1048576 ranks")
    parser.add_argument("--plot", metavar="FILE", help="draw the predictions: FILE.svg or FILE.png")
    parser.add_argument("--latency", type=float, default=2e-6, help="of a message [s]")
    parser.add_argument("--gap", type=float, default=5e-7, help="between messages of a process [s]")
    parser.add_argument("--bandwidth", type=float, default=12.5e9, help="of a process [bytes/s]")
    parser.add_argument("--arity", type=int, default=2, help="of the tree of a collective call")
    parser.add_argument(
        "--verify", nargs="+", default=[], metavar="FILE.csv", help="predict times of these, and compare"
    )
    parser.add_argument("--tolerance", type=float, default=0.2, help="of --verify, relative")
    parser.add_argument(
        "--cores", type=int, default=0, help="that all ranks of --verify share; 0: each has its own"
    )
    wanted = parser.parse_args()
    if wanted.arity < 2:
        refuse(f"--arity {wanted.arity} (expected 2 or more)")
    in_order = {"key": lambda table: (table.ranks, table.cells, table.edges)}
    tables = sorted(map(Table, wanted.tables), **in_order)
    if wanted.predict:
        network = Network(wanted.latency, wanted.gap, wanted.bandwidth, wanted.arity)
        predict(tables, network, wanted.plot)
    if wanted.verify:
        verify(tables, sorted(map(Table, wanted.verify), **in_order), wanted.cores, wanted.tolerance)
    else:
        compare(tables)


if __name__ == "__main__":
    main()
