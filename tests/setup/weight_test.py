"""weight_test.py SOURCES BUILD PROGRAM...: compares how much source there is, and how much of it a
compiler reads for the programs of the demonstration, with the table in weight.txt, which says how to
change it. Prints the lines that the table should have."""

import concurrent.futures
import json
import pathlib
import subprocess
import sys

sources, build, *programs = (pathlib.Path(argument) for argument in sys.argv[1:])
suffixes = {".cpp", ".hpp", ".ipp", ".h", ".c", ".sh", ".awk", ".py", ".cmake", ".txt", ".md"}
parts = ("exchange", "mapping", "stencil", "mesh", "framework", "apps", "tests", "docs")


def lines_of(part):
    """Lines of all sources below a folder but data of programs and tests."""
    files = (path for path in (sources / part).rglob("*")
             if path.suffix in suffixes and "inputs" not in path.parts
             and (path.suffix != ".txt" or path.name == "CMakeLists.txt"))
    return sum(len(path.read_bytes().splitlines()) for path in files)


def commands_of_objects():
    """The command that compiles each object of the programs."""
    inputs = subprocess.run(["ninja", "-C", build, "-t", "inputs", *programs], check=True, text=True,
                            capture_output=True).stdout.split("\n")
    objects = {line.strip() for line in inputs if line.endswith(".o")}
    entries = json.loads((build / "compile_commands.json").read_text())
    commands = [(entry["command"].split(), entry["directory"]) for entry in entries]
    return [(words, folder) for words, folder in commands if words[words.index("-o") + 1] in objects]


def preprocessed_lines(command):
    words, folder = command
    words = words[:words.index("-o")] + ["-o", "-"] + words[words.index("-o") + 2:]
    result = subprocess.run(["sh", "-c", " ".join(words) + " -E -P -w"], cwd=folder,
                            capture_output=True, check=True)
    return result.stdout.count(b"\n")


def found_weights():
    found = {part: lines_of(part) for part in parts}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(preprocessed_lines, commands_of_objects()))
    assert len(counts) > 20, "the programs have hardly any objects"
    return found | {"preprocessed": sum(counts)}


def allowed_weights():
    rows = (line.split() for line in (sources / "tests/setup/weight.txt").read_text().splitlines()
            if line and not line.startswith("#"))
    return {name: int(lines) for name, lines in rows}


allowed, found = allowed_weights(), found_weights()
assert allowed.keys() == found.keys(), f"weight.txt has {sorted(allowed)}, expected {sorted(found)}"
for name, lines in found.items():
    print(f"{name} {lines}{'' if lines <= allowed[name] else f'  (expected at most {allowed[name]})'}")
sys.exit(any(lines > allowed[name] for name, lines in found.items()))
