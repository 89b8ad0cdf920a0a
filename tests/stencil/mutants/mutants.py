#!/usr/bin/env python3
"""Makes calls of halos in programs wrong, one at a time, and counts how many checked builds find.

    mutants.py BUILD [--short] [--source-mutants]

BUILD is the folder of a checked build, as build/dev, with tests/bin/by-hand and bin/seam-life. The
calls of these have switches; with --source-mutants some programs are compiled with other lines, too. A
mutant is a call that is left out, stands behind its use, or is made for another field: always, or in
one step. It is found if the job ends with an error and a line about a stale ghost. A mutant that is
not found has to be without effect: what the program prints without checks is what it prints without
the mutant. Others are missed, and fail this program.
"""
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

NUM_STEPS = 6
PROGRAMS = {  # and the fields whose ghosts each of its call sites brings up to date
    "heat": ["u"], "cube": ["t[01]"], "wave": ["old|now|new"], "gray-scott": ["u", "v"],
    "shallow-water": ["depth", "speed"], "upwind": ["q"], "red-black": ["u", "u"],
    "life": ["now|next"], "lattice": ["f"], "two-grids": ["u", "r", "e"], "tiles": ["u"],
}


def launcher_of(build):
    """The mpiexec of the MPI library with which a build has been made."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        found = re.search(r"^MPIEXEC_EXECUTABLE:\w+=(.+)$", file.read(), re.M)
    return found.group(1) if found else "mpiexec"


def job(build, ranks, program, *arguments, **environment):
    """Runs a job; returns its exit code, and what it prints on stdout and stderr."""
    everything = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                      OMPI_MCA_hwloc_base_binding_policy="none",
                      PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",  # Open MPI from 5 on
                      PRTE_MCA_hwloc_default_binding_policy="none",
                      OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl="self,vader",
                      KOKKOS_DISABLE_WARNINGS="1", **environment)
    done = subprocess.run([launcher_of(build), "-n", str(ranks), os.path.join(build, program),
                           *arguments], env=everything, capture_output=True, text=True, timeout=120)
    text = done.stdout
    if done.returncode == 0 and "--output" in arguments:
        with open(arguments[-1], encoding="ascii") as file:
            text += file.read()
    return done.returncode, text, done.stderr


class Mutant:
    """One wrong call: a program, and the environment that makes the call wrong."""

    def __init__(self, words, ranks, program, arguments, environment, field):
        self.words, self.ranks, self.program = words, ranks, program
        self.arguments, self.environment, self.field = arguments, environment, field

    def run(self, build, checks):
        return job(build, self.ranks, self.program, *self.arguments, SEAM_CHECKS=checks,
                   **self.environment)

    def is_found(self, build):
        code, _, errors = self.run(build, "on")
        lines = re.findall(rf"^seam: stale ghost: rank \d+ of {self.ranks} reads \([-0-9, ]+\) of "
                           rf"'(?:{self.field})'.* side of axis .*\(expected .*\)$", errors, re.M)
        return code != 0 and lines != []

    def is_without_effect(self, build, expected):
        code, text, _ = self.run(build, "off")
        return code == 0 and text == expected


def mutants_by_hand():
    number = 0
    for program, sites in PROGRAMS.items():
        for site, field in enumerate(sites):
            for kind in ("deleted", "late", "other"):
                for step in [None, *range(NUM_STEPS)]:
                    wrong = f"{site}:{kind}" + ("" if step is None else f":{step}")
                    yield Mutant(f"{program} {wrong}", 2 + number % 3, "tests/bin/by-hand", [program],
                                 {"SEAM_MUTANT": wrong}, field)
                    number += 1


def mutants_of_life(folder):
    """Left-out halos of both fields of seam-life, which exchanges ghosts once for 16 generations."""
    numbers = random.Random(7)
    pattern = os.path.join(folder, "soup.cells")
    with open(pattern, "w", encoding="ascii") as file:
        for _ in range(128):
            file.write("".join(numbers.choice(".O") for _ in range(192)) + "\n")
    arguments = [pattern, "--size", "192x128", "--generations", "96", "--report-every", "16",
                 "--output", os.path.join(folder, "end.rle")]
    for ranks in (2, 3, 4):
        for exchange in (0, 1):
            for start in ["*", *range(3)]:
                wrong = f"{exchange}:{start}"
                yield Mutant(f"seam-life {wrong}", ranks, "bin/seam-life", arguments,
                             {"SEAM_SKIP_EXCHANGE": wrong}, "now|next")


LIFE = ("apps/life/evolution.cpp", "bin/seam-life")
SOLVER = ("framework/solve/grid_diffusion.cpp", "tests/bin/docs-petsc")
CHANGED_LINES = [  # words, source and program, the lines and what stands there instead
    ("deleted", LIFE, "  halos_[cells_.present()].run();\n", ""),
    ("other", LIFE, "halos_[cells_.present()].run()", "halos_[1 - cells_.present()].run()"),
    ("every second", LIFE, "halos_[cells_.present()].run()",
     "if (num_generations_ % 32 == 0) halos_[cells_.present()].run()"),
    ("late", LIFE, "  cells_.advance();\n",
     "  cells_.advance(); halos_[1 - cells_.present()].run();\n"),
    ("deleted", SOLVER, "  make_halo(rows).run();\n", ""),
    ("early", SOLVER, "  for_each_cell(rows.owned(),\n", "  make_halo(rows).run();\n  for_each_cell("
     "rows.owned(),\n"),
]


def changed_source(root, path, words, old, new):
    with open(os.path.join(root, path), encoding="ascii") as file:
        text = file.read()
    if words in ("late", "early"):
        for call in ("  halos_[cells_.present()].run();\n", "  make_halo(rows).run();\n"):
            text = text.replace(call, "")
    if old not in text:
        sys.exit(f"mutants: {path} has no line {old!r}")
    return text.replace(old, new, 1)


def command_of(build, output):
    """The last command of those that make a file."""
    return subprocess.run(["ninja", "-C", build, "-t", "commands", output], check=True, text=True,
                          capture_output=True).stdout.splitlines()[-1]


def unit_of(build, source):
    """The file that the build compiles for a source: itself, or one that includes it with others."""
    folders = (os.path.join(build, "**", "Unity", "*.cxx"), os.path.join(build, "together", "*.cpp"))
    for unit in (file for names in folders for file in glob.glob(names, recursive=True)):
        with open(unit, encoding="utf-8") as text:
            if f'#include "{source}"' in text.read():
                return unit
    return source


def compile_changed(build, root, folder, path, program, text):
    """Compiles a source with other lines, and links its program with it. Returns the program."""
    objects = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True, text=True,
                             capture_output=True).stdout
    at = os.path.join(root, path)
    unit = unit_of(build, at)
    ending = os.path.relpath(unit, root if unit == at else build)
    file = max(re.findall(rf"^(\S*{re.escape(os.path.basename(unit))}\.o):", objects, re.M),
               key=lambda name: len(os.path.commonprefix([name[::-1], f"{ending}.o"[::-1]])))
    source, made = os.path.join(folder, "changed.cpp"), os.path.join(folder, "changed.o")
    with open(source, "w", encoding="ascii") as out:
        out.write(text)
    changed = source
    if unit != at:
        changed = os.path.join(folder, "changed_unit.cpp")
        with open(unit, encoding="utf-8") as one, open(changed, "w", encoding="utf-8") as other:
            other.write(one.read().replace(at, source))
    compile_it = command_of(build, file).replace(f"-c {unit}",
                                                 f"-I{os.path.dirname(at)} -c {changed}")
    subprocess.run(re.sub(r" -o \S+", f" -o {made}", compile_it), shell=True, cwd=build, check=True)
    name = os.path.join(folder, "changed")
    link = re.sub(rf" -o {re.escape(program)} ", f" -o {name} ", command_of(build, program))
    if file in link:
        link = link.replace(file, made)
    else:  # it lies in a library
        link = link.replace(f" -o {name} ", f" {made} -o {name} ")
    subprocess.run(link, shell=True, cwd=build, check=True)
    return name


def count_source_mutants(build, folder):
    """Mutants that are compiled, one after another: found, and all."""
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
    life = next(mutants_of_life(folder)).arguments
    found, tried = 0, 0
    for words, (path, program), old, new in CHANGED_LINES:
        if not os.path.exists(os.path.join(build, program)):
            continue  # a program of PETSc, which is not here
        text = changed_source(root, path, words, old, new)
        changed = compile_changed(build, root, folder, path, program, text)
        arguments = life if program == LIFE[1] else []
        is_found = Mutant(words, 3, changed, arguments, {}, "now|next|rows|border").is_found(build)
        print(f"  {path}, {words}: {'found' if is_found else 'missed'}", flush=True)
        found, tried = found + is_found, tried + 1
    return found, tried


def expected_of(build, mutant, known):
    """What the right program prints; it has no stale ghosts."""
    key = (mutant.program, *mutant.arguments, mutant.ranks)
    if key not in known:
        code, text, errors = job(build, mutant.ranks, mutant.program, *mutant.arguments,
                                 SEAM_CHECKS="on")
        if code != 0 or "stale" in errors:
            sys.exit(f"mutants: {' '.join(map(str, key))} fails without a mutant:\n{errors}")
        known[key] = text
    return known[key]


def count_switched_mutants(build, mutants):
    known, found, without_effect, missed = {}, 0, [], []
    for mutant in mutants:
        expected = expected_of(build, mutant, known)
        if mutant.is_found(build):
            found += 1
        elif mutant.is_without_effect(build, expected):
            without_effect.append(mutant.words)
        else:
            missed.append(mutant.words)
    print(f"{len(mutants)} mutants: {found} found, {len(without_effect)} without effect, "
          f"{len(missed)} missed")
    for words in without_effect:
        print(f"  without effect: {words}")
    for words in missed:
        print(f"  missed: {words}")
    return not missed and found > 0


def main():
    build, options = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        mutants = [*mutants_by_hand(), *mutants_of_life(folder)]
        if "--short" in options:
            mutants = mutants[::55]
        all_are_found = count_switched_mutants(build, mutants)
        if "--source-mutants" in options:
            found, tried = count_source_mutants(build, folder)
            print(f"{tried} changed sources: {found} found, {tried - found} missed")
            all_are_found = all_are_found and found == tried
    sys.exit(0 if all_are_found else 1)


if __name__ == "__main__":
    main()
