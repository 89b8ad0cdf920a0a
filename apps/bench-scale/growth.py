#!/usr/bin/env python3
"""Compares tables of seam-bench-scale: how costs grow, and what a model predicts for more ranks.

    growth.py 1.csv 2.csv 64.csv 128.csv 256.csv
    growth.py 2.csv 64.csv 256.csv --predict --latency 1e-6
    growth.py 2.csv 8.csv --verify hosts.csv --cores 2

Prints tables in Markdown. Of several tables: exponents of P, of the cells or of the edges of a rank; it
fails if a cost of 64 ranks and more grows faster with P than it may. docs/scale.md explains the model:

    step     T(P, n) = (1 - f) n c + max(f n c, L + (s - 1) g + b(n) / B) + k d L
    RIB      T(P, n) = l (n c + k d L) + (b0 + (l - l0 + m) b) / B
    b(n) ~ n^((D - 1) / D), f = (1 - 2 / n^(1/D))^D, m = 2 P / 4096 beyond 4096 parts
"""

import argparse
import csv
import math
import statistics
import sys
from typing import NamedTuple

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
    "O(P^1/3)": lambda ranks: ranks ** (1 / 3),
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


def show(heads, rows):
    """Prints a table; words stand left, numbers right."""
    print(f"| {' | '.join(heads)} |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for row in rows:
        print(f"| {' | '.join(row)} |")


class Table(dict):
    """The rows of one number of ranks: (operation, transport) to a row by NAMES."""

    def __init__(self, path):
        super().__init__()
        try:
            with open(path, newline="", encoding="utf-8") as file:
                heads, *lines = csv.reader(file)
        except (OSError, ValueError) as problem:
            refuse(f"'{path}': {problem}")
        if heads != NAMES:
            refuse(f"{path}:1: '{','.join(heads)[:40]}' (expected the names of columns that --csv writes)")
        for number, words in enumerate(lines, 2):
            try:
                row = dict(zip(NAMES, words[:2] + [float(word) for word in words[2:]], strict=True))
            except ValueError:
                refuse(f"{path}:{number}: '{','.join(words)[:40]}' (expected two names and 13 numbers)")
            self[row["operation"], row["transport"]] = row
        if not self:
            refuse(f"{path}: no rows (expected a table that --csv has written)")
        self.ranks, self.cells, self.edges = (int(row[name]) for name in ("ranks", "cells", "edges"))

    def seconds(self, operation):
        """The time of an operation by messages; None if it was not timed."""
        row = self.get((operation, "messages"))
        return row["seconds"] if row and row["seconds"] >= 0 else None


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


class Trend(NamedTuple):
    """The growth of a number of an operation."""

    exponent: float  # p of the fit a x^p
    slope: float  # of the last two tables
    is_too_fast: bool


def trend_of(points, allowed, noise):
    """The trend of points (x, y); `allowed` is None if they are not of ranks."""
    logs = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    exponent = statistics.linear_regression(*zip(*logs)).slope if len(logs) > 1 else 0
    slope = 0
    if len(points) > 1:
        (x0, y0), (x1, y1) = points[-2:]
        slope = (y1 - y0) / (x1 - x0)
    judged = [point for point in points if allowed and point[0] >= LEAST_JUDGED]
    if not judged:
        return Trend(exponent, slope, False)
    (x0, y0), (x1, y1) = judged[0], judged[-1]
    tolerance = 1.5  # lists that grow by doubling may be half empty
    most = tolerance * SIZES[allowed](x1) / SIZES[allowed](x0) * y0 + noise
    return Trend(exponent, slope, y1 > most)


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
    show(
        ["operation", "transport", *QUANTITIES, "kept/each", "peak/each"],
        [
            [*key, *(f"{trend.exponent:.2f}{'!' if trend.is_too_fast else ''}" for trend in trends.values()),
             *(f"{trends[name].slope:.1f}" for name in ("kept", "peak"))]
            for key, trends in verdicts.items()
        ],
    )
    if along != "ranks":
        return
    for transport in ("messages", "shared"):
        if sum(key[1] == transport for key in verdicts) > 1:
            objects = [("Runtime", "messages")] + [(o, transport) for o in ("Grid<3>", "field", "halo")]
            kept = sum(max(0, verdicts[key]["kept"].slope) for key in objects if key in verdicts)
            print(f"\nBy {transport} a program on a grid keeps {kept:.1f} bytes for each further rank.")
    for (operation, transport), trends in verdicts.items():
        if any(trend.is_too_fast for trend in trends.values()):
            words = ("messages", "bytes sent", "kept", "at most", "on ranks but rank 0")
            allowed = ", ".join(f"{a} {word}" for a, word in zip(ALLOWED[operation], words))
            refuse(f"'{operation}' by {transport} grows too fast (expected {allowed})")


class Network(NamedTuple):
    latency: float  # of a message [s]
    gap: float  # by which each further message at a time takes longer [s]
    bandwidth: float  # of a process [bytes/s]


def levels_of(ranks):
    return math.ceil(math.log2(ranks))


class Program:
    """A program whose step is predicted: the time of a cell is that of the first table with times, the
    messages are those of the last table."""

    def __init__(self, tables, operation, dimensions):
        self.operation, self.dimensions = operation, dimensions
        self.is_bisection = operation == "RIB"
        least = 2 if self.is_bisection else 1
        timed = [t for t in tables if t.ranks >= least and t.seconds(operation) is not None]
        if not timed:
            refuse(
                f"no time of '{operation}' by messages (expected a table of {least} ranks or more, "
                "each with a core)"
            )
        counted = tables[-1].get((operation, "messages"))
        if counted is None:
            refuse(f"no row of '{operation}' by messages on {tables[-1].ranks} ranks (expected one)")
        self.block = timed[0].cells
        self.levels = max(1, levels_of(tables[-1].ranks))
        levels_timed = levels_of(timed[0].ranks) if self.is_bisection else 1
        self.of_cell = timed[0].seconds(operation) / levels_timed / self.block
        self.cells, self.sends, self.bytes = counted["cells"], counted["sends"], counted["bytes"]
        self.calls = counted["collectives"] / (self.levels if self.is_bisection else 1)
        self.of_level = self.bytes / self.levels
        before = tables[-2].get((operation, "messages")) if len(tables) > 1 else None
        if before and before["bytes"] > 0 and levels_of(tables[-2].ranks) < self.levels:
            self.of_level = (self.bytes - before["bytes"]) / (self.levels - levels_of(tables[-2].ranks))

    def seconds(self, over, ranks, cells):
        """The time of a step on `ranks` with `cells` each."""
        calls = self.calls * levels_of(ranks) * over.latency
        computing = cells * self.of_cell
        if self.is_bisection:
            fewest_bins = 4096  # parts beyond which histograms are the shortest
            levels = levels_of(ranks)
            long_levels = 2 * ranks / fewest_bins if ranks > fewest_bins else 0
            sent = self.bytes + (levels - self.levels + long_levels) * self.of_level
            return levels * (computing + calls) + sent / over.bandwidth
        surface = (cells / self.cells) ** (1 - 1 / self.dimensions)
        messages = 0
        if self.sends > 0:
            messages = over.latency + (self.sends - 1) * over.gap + self.bytes * surface / over.bandwidth
        inner = computing * max(0, 1 - 2 / cells ** (1 / self.dimensions)) ** self.dimensions
        return computing - inner + max(inner, messages) + calls


def programs_of(tables):
    programs = {"step of Jacobi": 3, "step of Life": 2, "step of mesh diffusion": 3, "RIB": 3}
    return [Program(tables, *each) for each in programs.items()]


def predict(tables, over):
    """Prints times on 1,024 to 1,048,576 ranks: weak scaling, and strong from 1,024 ranks on."""
    fewest = 1 << 10
    rows = []
    for program in programs_of(tables):
        for ranks in (fewest, 1 << 12, 1 << 16, 1 << 20):
            share = program.block * fewest / ranks
            weak, strong = (program.seconds(over, ranks, cells) for cells in (program.block, share))
            levels = levels_of(ranks) if program.is_bisection else 1
            efficiency = levels * program.block * program.of_cell / weak
            speed_up = program.seconds(over, fewest, program.block) / strong
            rows.append([program.operation, f"{ranks}", f"{weak:.3e}", f"{efficiency:.2f}", f"{share:.0f}",
                         f"{strong:.3e}", f"{speed_up:.1f}"])
    show(["program", "ranks", "weak, s", "efficiency", "strong, cells", "strong, s", "speed-up over 1,024"],
         rows)


def network_of(table):
    """The network over which a table was timed."""
    names = ("message", "16 messages", "message of 32 KiB")
    one, many, longer = map(table.seconds, names)
    if None in (one, many, longer):
        refuse(f"no time of '{names[(one, many, longer).index(None)]}' by messages on {table.ranks} ranks "
               "(expected one in a table to verify)")
    return Network(one, max(0, (many - one) / 15), 32768 / max(longer - one, 1e-12))


def verify(tables, timed, cores, tolerance):
    """Prints predictions for tables of another network beside its times; fails if one is wrong."""
    rows, wrong = [], []
    for measured in timed:
        over, ranks = network_of(measured), measured.ranks
        used = [table for table in tables if table.ranks <= ranks]
        if not used or used[-1].ranks != ranks:
            refuse(f"no table of {ranks} ranks to verify another one (expected one)")
        for program in programs_of(used):
            program.of_cell *= max(1, ranks / cores) if cores else 1
            predicted, found = program.seconds(over, ranks, measured.cells), measured.seconds(program.operation)
            if found is None:
                refuse(f"no time of '{program.operation}' by messages on {ranks} ranks (expected one in a "
                       "table to verify)")
            rows.append([program.operation, f"{ranks}", f"{1e6 * over.latency:.0f}", f"{1e6 * over.gap:.0f}",
                         f"{over.bandwidth / 1e6:.2f}", f"{1e3 * predicted:.2f}", f"{1e3 * found:.2f}",
                         f"{predicted / found:.2f}"])
            if abs(predicted / found - 1) > tolerance:
                wrong.append(
                    f"{predicted:.3e} s predicted for '{program.operation}' on {ranks} ranks with "
                    f"{measured.cells} cells each (expected {found:.3e} s, as measured, within {tolerance:g})"
                )
    show(["program", "hosts", "latency, us", "gap, us", "bandwidth, MB/s", "predicted, ms", "measured, ms",
          "ratio"], rows)
    if wrong:
        refuse(wrong[0])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    option = parser.add_argument
    option("tables", nargs="+", metavar="FILE.csv", help="of several numbers of ranks")
    option("--predict", action="store_true", help="times on 1024 to 1048576 ranks")
    option("--latency", type=float, default=2e-6, help="of a message [s]")
    option("--gap", type=float, default=5e-7, help="between messages of a process [s]")
    option("--bandwidth", type=float, default=12.5e9, help="of a process [bytes/s]")
    option("--verify", nargs="+", metavar="FILE.csv", help="predict times of these, and compare")
    option("--tolerance", type=float, default=0.2, help="of --verify, relative")
    option("--cores", type=int, default=0, help="that all ranks of --verify share; 0: each has its own")
    wanted = parser.parse_args()
    in_order = {"key": lambda table: (table.ranks, table.cells, table.edges)}
    tables = sorted(map(Table, wanted.tables), **in_order)
    if wanted.predict:
        predict(tables, Network(wanted.latency, wanted.gap, wanted.bandwidth))
    elif wanted.verify:
        verify(tables, sorted(map(Table, wanted.verify), **in_order), wanted.cores, wanted.tolerance)
    else:
        compare(tables)


if __name__ == "__main__":
    main()
