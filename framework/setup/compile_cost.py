"""Prints a table of what headers and programs of seam cost compilers; called by compile_cost.sh.

compile_cost.py ROOT COMMANDS COMPILER...

COMMANDS is a compile_commands.json, whose definitions and include folders for seam-heat are used.
Seconds are processor time at -O2, the median of three runs in turn, beyond a source with Kokkos' and
MPI's headers alone; exchange's headers, which do not need Kokkos, beyond MPI's. Memory is the
compiler's largest, lines are those that the preprocessor leaves. Behind the table stands what a kernel of
steps costs at -O3: the 33 of kernel_cost.cpp without the first one, divided by 32.
"""

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

REPEATS = 3
EXCHANGE = ["exchange", "messages", "sum"]
HEADERS = ["grid", "steps", "mesh", "checkpoint", "files", "seam"]
PROGRAMS = ["heat"]
NUM_KERNELS = 33


def flags_of(commands):
    """What a program is compiled with, without warnings, outputs and kinds of optimization."""
    command = next(c for c in json.load(open(commands)) if "/apps/heat/" in c["file"])
    words = shlex.split(command["command"])
    pairs = [w for flag, folder in zip(words, words[1:]) if flag == "-isystem"
             for w in (flag, folder)]
    return pairs + [w for w in words if w.startswith(("-I", "-D", "-std", "-fopenmp", "-ffp-contract",
                                                      "-fno-math-errno", "-fno-trapping-math"))]


def cost(compiler, flags, path):
    """Processor time [s] and memory [MB] of one run."""
    process = subprocess.Popen([compiler, "-O2", *flags, "-c", path, "-o", os.devnull])
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"seam: {compiler} does not compile {path}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def num_lines(compiler, flags, path):
    return subprocess.run([compiler, *flags, "-E", "-P", path], check=True,
                          stdout=subprocess.PIPE).stdout.count(b"\n")


def measure(compiler, flags, rows):
    """For each row seconds beyond its base, MB and lines; those of a base itself in full."""
    runs = {name: [] for name in rows}
    for _ in range(REPEATS):
        for name, (path, _) in rows.items():
            runs[name].append(cost(compiler, flags, path))
    seconds = {name: statistics.median(s for s, _ in of) for name, of in runs.items()}
    return {name: (seconds[name] - seconds.get(base, 0), max(mb for _, mb in runs[name]),
                   num_lines(compiler, flags, path)) for name, (path, base) in rows.items()}


def cost_of_kernels(compiler, flags, root):
    """Seconds and MB of a kernel more, and of all of kernel_cost.cpp, from runs in turn."""
    path = f"{root}/framework/setup/kernel_cost.cpp"
    one, all_kernels = [*flags, "-O3"], [*flags, "-O3", "-DSEAM_ALL_KERNELS"]
    runs = [(cost(compiler, one, path), cost(compiler, all_kernels, path)) for _ in range(REPEATS)]
    few, many = ([statistics.median(values) for values in zip(*of)] for of in zip(*runs))
    return [(after - before) / (NUM_KERNELS - 1) for before, after in zip(few, many)], many


def main(root, commands, *compilers):
    flags = flags_of(commands)
    with tempfile.TemporaryDirectory() as folder:
        def including(names, base):
            path = os.path.join(folder, f"{len(os.listdir(folder))}.cpp")
            with open(path, "w") as file:
                file.writelines(f"#include <{header}>\n"
                                for header in base + [f"seam/{name}.hpp" for name in names])
                file.write("int main() {}\n")
            return path

        both, mpi = "Kokkos and MPI alone", "MPI alone"
        kokkos = ["Kokkos_Core.hpp", "mpi.h"]
        rows = {both: (including([], kokkos), None), mpi: (including([], ["mpi.h"]), None)}
        rows[", ".join(f"`<seam/{h}.hpp>`" for h in EXCHANGE) + " without Kokkos"] = (
            including(EXCHANGE, ["mpi.h"]), mpi)
        rows.update({f"`<seam/{h}.hpp>`": (including([h], kokkos), both) for h in HEADERS})
        rows.update({f"`seam-{p}`": (f"{root}/apps/{p}/main.cpp", both) for p in PROGRAMS})
        costs = [measure(compiler, flags, rows) for compiler in compilers]
    print("| |" + "".join(f" {c} [s] | [MB] | lines |" for c in compilers))
    print("| --- |" + " ---: |" * 3 * len(compilers))
    for name in rows:
        print(f"| {name} |" + "".join(" {:.2f} | {:.0f} | {:,} |".format(*of[name]) for of in costs))
    for compiler in compilers:
        (seconds, mb), (all_seconds, all_mb) = cost_of_kernels(compiler, flags, root)
        print(f"A kernel more, {compiler} -O3: {seconds:.2f} s, {mb:.1f} MB; "
              f"all {NUM_KERNELS}: {all_seconds:.1f} s, {all_mb:.0f} MB")


main(*sys.argv[1:])
