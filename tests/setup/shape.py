"""shape.py SOURCES BUILD: prints how steps and stencil are cut: their templates over the dimension, the
functions of their libraries that exist once for each dimension, and their longest classes and functions.
Numbers to compare before and after a change; nothing is checked."""

import collections
import pathlib
import re
import subprocess
import sys

LONGEST = 5


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
    """Names of functions that a library defines for 1, 2 and 3 dimensions alike."""
    symbols = subprocess.run(["nm", "--demangle", "--defined-only", library], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    dimensions = collections.defaultdict(set)
    for line in symbols.splitlines():
        _, kind, name = (line.split(" ", 2) + ["", ""])[:3]
        if kind and kind in "tTwW" and "[clone" not in name and "seam::" in name:
            for number in set(re.findall(r"<([123])[,>]", name)):
                dimensions[re.sub(r"<[123](?=[,>])", "<D", name)].add(number)
    return sorted(name for name, of in dimensions.items() if len(of) == 3)


def classes(lines):
    """First line and name of each class."""
    for first, line in enumerate(lines):
        if found := re.match(r"(?:class|struct) (\w+)[^;]*$", line):
            yield first, found.group(1)


def functions(lines):
    """First line and name of each function at namespace or class scope that has a body."""
    for last, line in enumerate(lines):
        if re.search(r"\)[\w ]* \{$", line):
            first = next((n for n in range(last, -1, -1) if re.match(r"(  )?\S", lines[n])), last)
            found = re.match(r"(?:  )?[\w\[].*?([\w~]+)\(", lines[first])
            is_lambda = any("](" in text for text in lines[first:last + 1])
            if found and not is_lambda and found.group(1) not in ("if", "for", "while", "switch"):
                yield first, found.group(1)


def longest(sources, heads):
    """Lines, name and file of the longest blocks: up to the brace that closes them."""
    found = []
    for path in files(sources):
        lines = path.read_text().splitlines()
        for first, name in heads(lines):
            brace = re.match(" *", lines[first]).group() + "}"
            end = next((n for n in range(first, len(lines)) if lines[n].startswith(brace)), first)
            found.append((end - first + 1, name, path.name))
    return sorted(found, reverse=True)[:LONGEST]


sources, build = map(pathlib.Path, sys.argv[1:])
print(f"templates over the dimension, not public: {templates(sources)}")
once_for_each = [name for part in ("steps", "stencil")
                 for name in functions_for_each_dimension(next(build.rglob(f"libseam_{part}.*")))]
print(f"functions once for each dimension: {len(once_for_each)}")
for what, heads in {"class": classes, "function": functions}.items():
    for size, name, file in longest(sources, heads):
        print(f"{what} of {size} lines: {name} ({file})")
