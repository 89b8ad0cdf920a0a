"""runs.py LIST dev|full BUILD: fails if a build lacks a run of LIST: a case (a source of tests, or a sample
of a program) on a number of ranks in an environment. New tests need not be in it.
runs.py LIST write DEV FULL: writes LIST anew from two build folders, and keeps its reasons."""

import collections
import json
import pathlib
import re
import subprocess
import sys

HEAD = """\
# What tests/setup/runs.py makes of the dev and the full build: a case, its environment, the ranks of the dev
# build (-: without mpiexec), the further ranks of the full one, and the reason for which dev does without.
"""
SHOWN_VARIABLES = re.compile(r"SEAM_|GLIBC_|OMPI_MCA_btl=self,tcp|OMP_NUM_THREADS=(?!1$)")


def environment_of(test):
    settings = [each["value"] for each in test["properties"] if each["name"] == "ENVIRONMENT"]
    shown = [each for each in sum(settings, []) if SHOWN_VARIABLES.match(each)]
    if ".crowded" in test["name"]:  # by which machine, is left open
        shown = [each for each in shown if not each.startswith("OMP_NUM_THREADS")]
    return " ".join(sorted(shown))


def cases_of(test):
    command = test.get("command", [])
    sources = [after for word, after in zip(command, command[1:]) if word == "--of"]
    alone = re.search(r"/test-([^/]*?)(-endpoints)?$", command[-1]) if command[1:] else None
    if alone and "run_sample.cmake" not in " ".join(command):
        sources.append(alone.group(1))
    return sources or [re.sub(r"[.]np\d+(?=[.]|$)|[.]messages$", "", test["name"])]


def ranks_of(test):
    command = test.get("command", [])
    ranks = [
        int(number)
        for starter, option, number in zip(command, command[1:], command[2:])
        if re.search(r"/mpi(exec|run)[^/]*$", starter) and option in ("-n", "-np")
    ]
    return (ranks[1:] if "--run" in command else ranks) or ["-"]  # the first is what others compare with


def runs_of(build):
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    shown = subprocess.run(command, check=True, capture_output=True)
    runs = collections.defaultdict(set)
    for test in json.loads(shown.stdout)["tests"]:
        for case in cases_of(test):
            runs[case, environment_of(test)].update(map(str, ranks_of(test)))
    return runs


def read(path):
    """Of each case and environment the ranks of dev, the further ones of full, and the reason."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [[part.strip() for part in line.split("|")] for line in lines if not line.startswith("#")]
    return {(row[0], row[1]): (set(row[2].split()), set(row[3].split()), row[4]) for row in rows}


def reason_for(case, environment):
    if "ENDPOINTS" in environment:
        return "endpoints repeat what ranks do"
    if "SEAM_SHARED_MEMORY=off" in environment:
        return "messages repeat what shared memory does"
    return "a benchmark" if re.search(r"(^|[-.])(bench-|guidelines)", case) else "long"


def write(path, dev, full):
    def words(ranks):
        return " ".join(sorted(ranks, key=lambda each: (len(each), each)))

    before, lines = read(path), []
    for key in sorted({*dev, *full}):
        further = full[key] - dev[key]
        reason = "other ranks" if dev[key] and further else reason_for(*key) if further else ""
        if further and key in before and before[key][2]:
            reason = before[key][2]
        lines.append(" | ".join([*key, words(dev[key]), words(further), reason]).rstrip(" |"))
    lines = [line + " |" * (4 - line.count("|")) for line in lines]
    path.write_text(HEAD + "\n".join(lines) + "\n")


def check(path, build, is_full):
    runs, num_lost = runs_of(build), 0
    for key, (dev, further, _) in read(path).items():
        for ranks in sorted((dev | further if is_full else dev) - runs[key]):
            print("lost:", key[0], "on", ranks, "ranks", key[1])
            num_lost += 1
    return num_lost


path, word, *builds = sys.argv[1:]
if word == "write":
    write(pathlib.Path(path), *map(runs_of, builds))
elif check(pathlib.Path(path), builds[0], word == "full"):
    sys.exit("the build lacks runs of tests/runs.txt (expected them, or the file written anew by runs.py)")
