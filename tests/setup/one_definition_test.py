"""one_definition_test.py SOURCES: no two types of the libraries have the same name. Compilers and linkers
do not see it when two sources define a type in different ways: they take the functions of one, such as
those of a std::vector of it, for the other."""

import collections
import pathlib
import re
import sys

LIBRARIES = ["exchange", "mapping", "stencil", "mesh", "framework"]
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
TYPE = re.compile(r"\b(?:struct|class|enum class)\s+(\w+)(?:\s+final)?\s*(?::(?!:)[^;{}]*)?$")


def without_comments(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'', "", text)
    return re.sub(r"^#.*$", "", text, flags=re.M)


def types_in(text):
    """The full names of the types that a source defines in namespaces that have names."""
    around, before = [], ""
    for character in without_comments(text):
        if character == "{":
            namespace, kind = NAMESPACE.search(before), TYPE.search(before.rstrip())
            if namespace:
                around.append(namespace.group(1))
            else:
                if kind and all(around):
                    yield "::".join([*around, kind.group(1)])
                around.append("")
        elif character == "}" and around:
            around.pop()
        before = "" if character in "{};" else before + character


assert list(types_in("namespace a::b { struct c : d { struct e {}; }; namespace { class f {}; } }")) == [
    "a::b::c"
], "the test does not find types"

sources = pathlib.Path(sys.argv[1])
places = collections.defaultdict(set)
for library in LIBRARIES:
    for path in sorted((sources / library).rglob("*.[chi]pp")):
        for name in types_in(path.read_text()):
            places[name].add(path.relative_to(sources))
places["seam::linear_solver"] = places["seam::petsc_vector"] = set()  # defined anew without PETSc

assert len(places) > 400, f"{len(places)} types (expected more than 400)"
twice = {name: found for name, found in places.items() if len(found) > 1}
for name, found in twice.items():
    print(f"{name} is defined in {' and in '.join(map(str, sorted(found)))}")
sys.exit(1 if twice else 0)
