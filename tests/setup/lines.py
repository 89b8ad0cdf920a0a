"""lines.py SOURCES: counts the lines of the product, part by part, in all languages that are tracked.

Code is what is left without blank lines, comments and ceremony: includes and imports, namespaces,
and other directives of the preprocessor."""

import collections
import pathlib
import re
import subprocess
import sys

parts = ("exchange", "mapping", "stencil", "mesh", "framework", "apps")
c_suffixes = {".cpp", ".hpp", ".ipp", ".h", ".c"}
script_suffixes = {".sh", ".awk", ".py", ".cmake", ".f90"}
ceremony = re.compile(r"#|(inline )?namespace\b[^=]*$|} *// namespace|using namespace")


def is_source(path):
    return path.suffix in c_suffixes | script_suffixes or path.name == "CMakeLists.txt"


def kinds_in_c(lines):
    """The kind of each line of C or C++."""
    in_comment = False
    for line in lines:
        if not line:
            yield "blank"
        elif in_comment or line.startswith(("//", "/*")):
            yield "comment"
            in_comment = (in_comment or line.startswith("/*")) and "*/" not in line
        else:
            yield "ceremony" if ceremony.match(line) else "code"


def kinds_in_scripts(lines):
    """The kind of each line of a script; a docstring is a comment."""
    in_docstring = False
    for line in lines:
        quotes = line.count('"""')
        if not line:
            yield "blank"
        elif in_docstring or line.startswith(("#", '"""')):
            yield "comment"
            in_docstring ^= quotes == 1
        else:
            yield "ceremony" if re.match(r"import |from \w[\w.]* import ", line) else "code"


def count(path):
    """How many lines of each kind a file has."""
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines()]
    kinds = kinds_in_c(lines) if path.suffix in c_suffixes else kinds_in_scripts(lines)
    return collections.Counter(kinds) + collections.Counter(files=1, all=len(lines))


def tracked_sources(root):
    names = subprocess.run(["git", "-C", root, "ls-files", "-z", *parts], check=True, text=True,
                           capture_output=True).stdout.split("\0")
    paths = (root / name for name in names if name)
    return [path for path in paths if is_source(path) and path.exists()]


def count_parts(root):
    """The counts of each part, and of all."""
    counts = {part: collections.Counter() for part in (*parts, "all")}
    for path in tracked_sources(root):
        of_file = count(path)
        counts[path.relative_to(root).parts[0]] += of_file
        counts["all"] += of_file
    return counts


if __name__ == "__main__":
    print("| part | files | lines | code | comments | blank | ceremony |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for part, found in count_parts(pathlib.Path(sys.argv[1])).items():
        shares = [f"{found[kind] / found['all']:.1%}" for kind in ("comment", "blank", "ceremony")]
        print(f"| {part} | {found['files']:,} | {found['all']:,} | {found['code']:,} | "
              + " | ".join(shares) + " |")
