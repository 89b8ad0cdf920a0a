"""shape.py SOURCES BUILD: prints how steps and stencil are cut: their templates over the dimension, the
functions of their libraries that exist once for each dimension, their longest classes with the bodies of
their members, and their longest functions. Fails beyond the limits below; who shortens something lowers
them."""

import collections
import pathlib
import re
import subprocess
import sys

LONGEST = 5
MOST = {"templates": 64, "once for each dimension": 0, "class": 250, "function": 30}


def files(sources):
    """The sources of the core of steps and of stencil."""
    return [path for folder in ("exchange/steps", "stencil")
            for path in (sources / folder).rglob("*.?pp")]


def templates(sources):
    """Templates over the dimension that no public header declares."""
    stable = "".join(path.read_text() for path in (sources / "stencil/public").iterdir())
    internal = [path for path in files(sources)
                if path.parent.name != "public"
                and f"<seam/{path.relative_to(sources)}>" not in stable]
    return sum(path.read_text().count("template <int D") for path in internal)


def functions_for_each_dimension(library):
    """Names of functions that a library defines for 1, 2 and 3 dimensions alike, but those of Grid."""
    symbols = subprocess.run(["nm", "--demangle", "--defined-only", library], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    dimensions = collections.defaultdict(set)
    for line in symbols.splitlines():
        _, kind, name = (line.split(" ", 2) + ["", ""])[:3]
        if kind and kind in "tTwW" and "[clone" not in name and "seam::" in name:
            for number in set(re.findall(r"<([123])[,>]", name)):
                dimensions[re.sub(r"<[123](?=[,>])", "<D", name)].add(number)
    return sorted(name for name, of in dimensions.items()
                  if len(of) == 3 and not re.search("seam::(Grid|grid_options|detail::grid_state)<D>", name))


def end_of(lines, first):
    """The line with the brace that closes the block which begins at a line."""
    brace = re.match(" *", lines[first]).group() + "}"
    return next((n for n in range(first, len(lines)) if lines[n].startswith(brace)), first)


def classes(sources):
    """Lines and name of each class, the bodies of its members included."""
    sizes = collections.Counter()
    for path in files(sources):
        lines = path.read_text().splitlines()
        for first, line in enumerate(lines):
            if (found := re.match(r"(?:class|struct) (\w+)[^;]*$", line)
                    or re.match(r"\w.*?\b(\w+)(?:<D>)?::~?\w+\([^;]*$", line)):
                sizes[found.group(1)] += end_of(lines, first) - first + 1
    return [(size, name) for name, size in sizes.items()]


def functions(sources):
    """Lines and name of each function at namespace or class scope that has a body."""
    for path in files(sources):
        lines = path.read_text().splitlines()
        for last, line in enumerate(lines):
            if re.search(r"\)[\w ]* \{$", line):
                first = next((n for n in range(last, -1, -1) if re.match(r"(  )?\S", lines[n])), last)
                head = "".join(lines[first:last + 1])
                found = re.match(r"(?:  )?(?!for|if|while|switch|\})[\w\[].*?([\w~]+)\(", head)
                if found and "](" not in head and found.group(1) != "requires":
                    yield end_of(lines, first) - first + 1, f"{found.group(1)} ({path.name})"


sources, build = map(pathlib.Path, sys.argv[1:])
repeated = [name for part in ("steps", "stencil")
            for name in functions_for_each_dimension(next(build.rglob(f"libseam_{part}.*")))]
found = {"templates": templates(sources), "once for each dimension": len(repeated)}
for name in repeated:
    print(f"once for each dimension: {name}")
for what, blocks in {"class": classes, "function": functions}.items():
    longest = sorted(blocks(sources), reverse=True)[:LONGEST]
    found[what] = longest[0][0]
    for size, name in longest:
        print(f"{what} of {size} lines: {name}")
for what, number in found.items():
    print(f"{what}: {number}{'' if number <= MOST[what] else f' (expected at most {MOST[what]})'}")
sys.exit(any(number > MOST[what] for what, number in found.items()))
